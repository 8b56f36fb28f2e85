/* SPDX-License-Identifier: BSD-3-Clause */
#include "all_pairs.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buffer_size.h"

size_t all_pairs_samples(int ranks)
{
    return size_product((size_t)ranks, PART_TIMES_KEPT * sizeof(clock_ticks));
}

size_t all_pairs_need(int ranks)
{
    const struct all_pairs *all = NULL;
    const size_t n = (size_t)ranks;

    return size_product(
        n, size_sum(size_product(n, sizeof *all->time + sizeof *all->path),
                    sizeof *all->node + sizeof *all->home));
}

static void settle(struct all_pairs *all)
{
    const struct home *home = all->home;
    int nodes = 0;

    for (int i = 0; i < all->ranks; i++) {
        int other = 0;

        while (other < i && home[other].spot.node != home[i].spot.node)
            other++;
        all->node[i] = other < i ? all->node[other] : nodes++;
        for (int j = 0; j < all->ranks; j++)
            all->path[all_pairs_at(all, i, j)] =
                (unsigned char)path_between(&home[i].spot, &home[j].spot);
    }
}

bool all_pairs_gather(const struct part_times *t, MPI_Comm comm, double scale,
                      const struct placement *placement, int rank,
                      struct all_pairs *all)
{
    const size_t ranks = (size_t)t->parts;
    struct home mine = { .spot = placement->spot, .rank = rank };
    double *median = malloc(ranks * sizeof *median);
    int number, good = median != NULL;

    MPI_Comm_rank(comm, &number);
    gethostname(mine.host, sizeof mine.host - 1);
    *all = (struct all_pairs){ .ranks = t->parts };
    if (number == 0) {
        all->time = malloc(ranks * ranks * sizeof *all->time);
        all->path = malloc(ranks * ranks);
        all->node = malloc(ranks * sizeof *all->node);
        all->home = malloc(ranks * sizeof *all->home);
        good = good && all->time != NULL && all->path != NULL &&
               all->node != NULL && all->home != NULL;
    }
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, comm);
    if (good) {
        for (int i = 0; i < t->parts; i++)
            median[i] = scale * part_times_median(t, i);
        MPI_Gather(median, t->parts, MPI_DOUBLE, all->time, t->parts,
                   MPI_DOUBLE, 0, comm);
        MPI_Gather(&mine, sizeof mine, MPI_BYTE, all->home, sizeof mine,
                   MPI_BYTE, 0, comm);
        if (number == 0)
            settle(all);
    }
    free(median);
    return good;
}

void all_pairs_release(struct all_pairs *all)
{
    free(all->time);
    free(all->path);
    free(all->node);
    free(all->home);
    *all = (struct all_pairs){ 0 };
}
