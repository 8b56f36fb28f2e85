/* SPDX-License-Identifier: BSD-3-Clause */
#include "notice.h"

#include "start.h"

void notice_begin(struct bench_run *r)
{
    struct rma *rma = r->rma;
    const unsigned char mine = ((unsigned char *)r->send)[r->bytes - 1];

    MPI_Sendrecv(&mine, 1, MPI_BYTE, r->peer, BENCH_TAG, &rma->last, 1,
                 MPI_BYTE, r->peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
    rma->other = (unsigned char)~rma->last;
    MPI_Win_lock_all(0, rma->win);
    *notice_last(r) = rma->other;
    MPI_Win_sync(rma->win);
    start_batch(r);
}

void notice_end(struct bench_run *r)
{
    *notice_last(r) = r->rma->last;
    MPI_Win_sync(r->rma->win);
    MPI_Win_unlock_all(r->rma->win);
}
