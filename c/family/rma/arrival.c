/* SPDX-License-Identifier: BSD-3-Clause */
#include "arrival.h"

#include "run/start.h"

void arrival_begin(struct bench_run *r)
{
    struct rma *rma = rma_of(r);

    rma->mine = *arrival_last(r, r->send);
    PMPI_Sendrecv(&rma->mine, 1, MPI_BYTE, r->peer, BENCH_TAG, &rma->theirs, 1, MPI_BYTE, r->peer,
                  BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
    rma->seen = (unsigned char)~rma->theirs;
    MPI_Win_lock_all(0, rma->win);
    *arrival_last(r, r->recv) = rma->seen;
    PMPI_Win_sync(rma->win);
    start_batch(r);
}

void arrival_end(struct bench_run *r)
{
    const struct rma *rma = rma_of(r);

    *arrival_last(r, r->send) = rma->mine;
    *arrival_last(r, r->recv) = rma->theirs;
    PMPI_Win_sync(rma->win);
    MPI_Win_unlock_all(rma->win);
}
