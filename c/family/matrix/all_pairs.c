/* SPDX-License-Identifier: BSD-3-Clause */
#include "all_pairs.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buffer_size.h"
#include "job/world.h"

size_t all_pairs_samples(int ranks)
{
    return size_product((size_t)ranks, PART_TIMES_KEPT * sizeof(clock_ticks));
}

size_t all_pairs_bytes(int ranks)
{
    const struct all_pairs *all = NULL;
    const size_t n = (size_t)ranks;

    return size_product(
        n, size_sum(size_product(n, sizeof *all->time + sizeof *all->path),
                    sizeof *all->node + sizeof *all->home));
}

void all_pairs_begin(struct all_pairs *all, int ranks, void *memory)
{
    const size_t n = (size_t)ranks;

    all->ranks = ranks;
    all->time = memory;
    all->home = (struct home *)(all->time + n * n);
    all->node = (int *)(all->home + n);
    all->path = (unsigned char *)(all->node + n);
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

void all_pairs_gather(const struct part_times *t, MPI_Comm comm, double scale,
                      const struct placement *placement, int rank,
                      struct all_pairs *all)
{
    struct home mine = { .spot = placement->spot, .rank = rank };
    double *median = malloc((size_t)t->parts * sizeof *median);
    int number;

    if (median == NULL)
        world_no_memory("the times of all pairs");
    gethostname(mine.host, sizeof mine.host - 1);
    for (int i = 0; i < t->parts; i++)
        median[i] = scale * part_times_median(t, i);
    MPI_Gather(median, t->parts, MPI_DOUBLE, all->time, t->parts, MPI_DOUBLE, 0,
               comm);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all->home, sizeof mine, MPI_BYTE,
               0, comm);
    MPI_Comm_rank(comm, &number);
    if (number == 0)
        settle(all);
    free(median);
}
