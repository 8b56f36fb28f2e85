/* SPDX-License-Identifier: BSD-3-Clause */
#include "subset.h"

void subset_begin(struct bench_run *r, const struct world *world, int n,
                  enum start_kind start, const struct clock_sync *sync,
                  double resolution_s)
{
    /* From the start of all ranks, or of the row before. */
    if (r->start->comm != MPI_COMM_NULL)
        start_end(r->start);
    r->start->comm = MPI_COMM_NULL;
    r->nranks = n;
    MPI_Comm_split(world->all, world->rank < n ? 0 : MPI_UNDEFINED, world->rank,
                   &r->comm);
    if (!subset_waits(r))
        *r->start = start_begin(r->comm, start, sync, resolution_s);
}

void subset_wait(clock_ticks *ticks, clock_ticks *begun, long n)
{
    for (long i = 0; i <= n; i++) {
        ticks[i] = 0;
        begun[i] = 1;
    }
}

void subset_end(struct bench_run *r)
{
    if (!subset_waits(r))
        MPI_Comm_free(&r->comm);
}
