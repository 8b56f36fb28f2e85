/* SPDX-License-Identifier: BSD-3-Clause */
#include "pair_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer_size.h"
#include "sampling/over_ranks.h"
#include "stats/stats.h"

bool pair_times_begin(struct pair_times *t, int ranks)
{
    t->ranks = ranks;
    t->sample = calloc((size_t)ranks * PAIR_TIMES_KEPT, sizeof *t->sample);
    pair_times_forget(t, true, true);
    return t->sample != NULL;
}

size_t pair_times_need(int ranks)
{
    return size_product((size_t)ranks, PAIR_TIMES_KEPT * sizeof(clock_ticks));
}

void pair_times_end(struct pair_times *t)
{
    free(t->sample);
    t->sample = NULL;
}

void pair_times_forget(struct pair_times *t, bool before, bool batch)
{
    if (before && batch) {
        t->laps = 0;
        t->stride = 1;
        t->kept = 0;
    } else if (batch)
        t->kept = t->before;
    else if (before)
        memset(t->in_time, 0, (size_t)t->before * sizeof *t->in_time);
    t->before = t->kept;
}

static void give_up_every_second(struct pair_times *t)
{
    for (int i = 0; i < t->ranks; i++) {
        clock_ticks *sample = t->sample + (long)i * PAIR_TIMES_KEPT;

        for (int k = 0; k < PAIR_TIMES_KEPT / 2; k++)
            sample[k] = sample[2 * k];
    }
    for (int k = 0; k < PAIR_TIMES_KEPT / 2; k++)
        t->in_time[k] = t->in_time[2 * k];
    t->kept = PAIR_TIMES_KEPT / 2;
    t->before = (t->before + 1) / 2;
    t->stride *= 2;
}

void pair_times_lap(struct pair_times *t)
{
    if (t->kept == PAIR_TIMES_KEPT)
        give_up_every_second(t);
    t->sum = 0;
}

int pair_times_agree(struct pair_times *t, MPI_Comm comm)
{
    int left = 0;

    for (int k = t->kept; k < PAIR_TIMES_KEPT; k++)
        t->in_time[k] = 1;
    over_ranks_any_zero(comm, t->in_time, PAIR_TIMES_KEPT);
    for (int k = 0; k < t->kept; k++) {
        if (t->in_time[k] == 0)
            continue;
        for (int i = 0; i < t->ranks; i++) {
            clock_ticks *sample = t->sample + (long)i * PAIR_TIMES_KEPT;

            sample[left] = sample[k];
        }
        left++;
    }
    t->kept = left;
    MPI_Allreduce(MPI_IN_PLACE, &left, 1, MPI_INT, MPI_MAX, comm);
    return left;
}

double pair_times_median(const struct pair_times *t, int partner)
{
    double value[PAIR_TIMES_KEPT];

    for (int k = 0; k < t->kept; k++)
        value[k] =
            clock_seconds(t->sample[(long)partner * PAIR_TIMES_KEPT + k]);
    return t->kept > 0 ? stats_of(value, (size_t)t->kept).median : 0;
}

double pair_times_slowest_tenth(const struct pair_times *t, int partner)
{
    const clock_ticks *sample = t->sample + (long)partner * PAIR_TIMES_KEPT;
    const int parts = t->kept < 10 ? t->kept : 10;
    double slowest = 0;

    for (int i = 0; i < parts; i++) {
        const int first = i * t->kept / parts, end = (i + 1) * t->kept / parts;
        double sum = 0;

        for (int k = first; k < end; k++)
            sum += clock_seconds(sample[k]);
        slowest = fmax(slowest, sum / (end - first));
    }
    return slowest;
}

/* The place of a rank. */
struct home {
    struct spot spot;
    int rank;
    char host[64];
};

static void settle(struct all_pairs *all, const struct home *home)
{
    int nodes = 0;

    for (int i = 0; i < all->ranks; i++) {
        int other = 0;

        memcpy(all->host[i], home[i].host, sizeof home[i].host);
        while (other < i && home[other].spot.node != home[i].spot.node)
            other++;
        all->rank[i] = home[i].rank;
        all->node[i] = other < i ? all->node[other] : nodes++;
        for (int j = 0; j < all->ranks; j++)
            all->path[all_pairs_at(all, i, j)] =
                (unsigned char)path_between(&home[i].spot, &home[j].spot);
    }
}

bool all_pairs_gather(const struct pair_times *t, MPI_Comm comm, double scale,
                      const struct placement *placement, int rank,
                      struct all_pairs *all)
{
    const size_t ranks = (size_t)t->ranks;
    struct home mine = { .spot = placement->spot, .rank = rank }, *home = NULL;
    double *median = malloc(ranks * sizeof *median);
    int number, good = median != NULL;

    MPI_Comm_rank(comm, &number);
    gethostname(mine.host, sizeof mine.host - 1);
    *all = (struct all_pairs){ .ranks = t->ranks };
    if (number == 0) {
        home = malloc(ranks * sizeof *home);
        all->time = malloc(ranks * ranks * sizeof *all->time);
        all->path = malloc(ranks * ranks);
        all->node = malloc(ranks * sizeof *all->node);
        all->host = malloc(ranks * sizeof *all->host);
        all->rank = malloc(ranks * sizeof *all->rank);
        good = good && home != NULL && all->time != NULL && all->path != NULL &&
               all->node != NULL && all->host != NULL && all->rank != NULL;
    }
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, comm);
    if (good) {
        for (int i = 0; i < t->ranks; i++)
            median[i] = scale * pair_times_median(t, i);
        MPI_Gather(median, t->ranks, MPI_DOUBLE, all->time, t->ranks,
                   MPI_DOUBLE, 0, comm);
        MPI_Gather(&mine, sizeof mine, MPI_BYTE, home, sizeof mine, MPI_BYTE, 0,
                   comm);
        if (number == 0)
            settle(all, home);
    }
    free(median);
    free(home);
    return good;
}

size_t all_pairs_need(int ranks)
{
    const struct all_pairs *all = NULL;
    const size_t n = (size_t)ranks;

    return size_product(
        n, size_sum(size_product(n, sizeof *all->time + sizeof *all->path),
                    sizeof *all->rank + sizeof *all->node + sizeof *all->host +
                        sizeof(struct home)));
}

void all_pairs_release(struct all_pairs *all)
{
    free(all->time);
    free(all->path);
    free(all->node);
    free(all->host);
    free(all->rank);
    *all = (struct all_pairs){ 0 };
}
