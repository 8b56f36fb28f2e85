/* SPDX-License-Identifier: BSD-3-Clause */
#include "pair_times.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stats/stats.h"

bool matrix_begin(struct matrix *m, int ranks)
{
    m->ranks = ranks;
    m->sample = calloc((size_t)ranks * MATRIX_KEPT, sizeof *m->sample);
    matrix_clear(m);
    return m->sample != NULL;
}

void matrix_end(struct matrix *m)
{
    free(m->sample);
    m->sample = NULL;
}

void matrix_clear(struct matrix *m)
{
    m->laps = 0;
    m->stride = 1;
    m->kept = 0;
    m->keeps = false;
}

static void give_up_every_second(struct matrix *m)
{
    for (int i = 0; i < m->ranks; i++) {
        clock_ticks *sample = m->sample + (long)i * MATRIX_KEPT;

        for (int k = 0; k < MATRIX_KEPT / 2; k++)
            sample[k] = sample[2 * k];
    }
    m->kept = MATRIX_KEPT / 2;
    m->stride *= 2;
}

void matrix_lap(struct matrix *m)
{
    if (m->laps % m->stride == 0 && m->kept == MATRIX_KEPT)
        give_up_every_second(m);
    m->keeps = m->laps % m->stride == 0;
    m->kept += m->keeps;
    m->laps++;
    m->sum = 0;
}

static double median_of(const struct matrix *m, int partner, double scale)
{
    double value[MATRIX_KEPT];

    for (int k = 0; k < m->kept; k++)
        value[k] =
            scale * clock_seconds(m->sample[(long)partner * MATRIX_KEPT + k]);
    return m->kept > 0 ? stats_of(value, (size_t)m->kept).median : 0;
}

/* Where a rank is. */
struct home {
    struct spot spot;
    char host[64];
};

static void settle(struct matrix_times *all, const struct home *home)
{
    int nodes = 0;

    for (int i = 0; i < all->ranks; i++) {
        int other = 0;

        memcpy(all->host[i], home[i].host, sizeof home[i].host);
        while (other < i && home[other].spot.node != home[i].spot.node)
            other++;
        all->node[i] = other < i ? all->node[other] : nodes++;
        for (int j = 0; j < all->ranks; j++)
            all->path[(size_t)i * (size_t)all->ranks + (size_t)j] =
                (unsigned char)path_between(&home[i].spot, &home[j].spot);
    }
}

bool matrix_gather(const struct matrix *m, MPI_Comm comm, double scale,
                   const struct placement *placement, struct matrix_times *all)
{
    const size_t ranks = (size_t)m->ranks;
    struct home mine = { .spot = placement->spot }, *home = NULL;
    double *median = malloc(ranks * sizeof *median);
    int rank, good = median != NULL;

    MPI_Comm_rank(comm, &rank);
    gethostname(mine.host, sizeof mine.host - 1);
    *all = (struct matrix_times){ .ranks = m->ranks };
    if (rank == 0) {
        home = malloc(ranks * sizeof *home);
        all->time = malloc(ranks * ranks * sizeof *all->time);
        all->path = malloc(ranks * ranks);
        all->node = malloc(ranks * sizeof *all->node);
        all->host = malloc(ranks * sizeof *all->host);
        good = good && home != NULL && all->time != NULL && all->path != NULL &&
               all->node != NULL && all->host != NULL;
    }
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, comm);
    if (good) {
        for (int i = 0; i < m->ranks; i++)
            median[i] = median_of(m, i, scale);
        MPI_Gather(median, m->ranks, MPI_DOUBLE, all->time, m->ranks,
                   MPI_DOUBLE, 0, comm);
        MPI_Gather(&mine, sizeof mine, MPI_BYTE, home, sizeof mine, MPI_BYTE, 0,
                   comm);
        if (rank == 0)
            settle(all, home);
    }
    free(median);
    free(home);
    return good;
}

void matrix_release(struct matrix_times *all)
{
    free(all->time);
    free(all->path);
    free(all->node);
    free(all->host);
    *all = (struct matrix_times){ 0 };
}
