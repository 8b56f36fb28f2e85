/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stripes.h - messages that are cut into even stripes, each sent by a pair of
 *             ranks of its own: stripe_bw, stripe_bibw.
 *
 * Up to --stripe-threshold bytes a message goes whole between the first pair, and
 * the others rest.  A window is complete when all its stripes have arrived and
 * every rank of a side knows: each announces it to the first rank of its side, the
 * first ranks tell each other, and each releases its side.
 */
#ifndef STRIPES_H
#define STRIPES_H

#include "family.h"
#include "loop.h"

struct stripes {
    size_t threshold; /* bytes of the largest message that is not cut */
    int n;            /* stripes of a message in this row, one for each pair */
};

FAMILY_OF(bench_run, struct stripes, stripes_of)

/* The first rank of a side; the others follow it. */
static inline int stripes_leader(const struct bench_run *r)
{
    return r->sender ? 0 : r->pairs;
}

static inline bool stripes_leads(const struct bench_run *r)
{
    return r->rank == stripes_leader(r);
}

/* bench_repeat for a rank that takes part.  A rank that rests runs its iterations
   alone, since the starts between them may include all ranks. */
static inline bool stripes_iteration(struct bench_run *r, int stripes)
{
    bool more = bench_repeat(r);

    while (more && stripes == 1 && !stripes_leads(r))
        more = bench_repeat(r);
    return more;
}

/* All stripes of this rank have arrived: tell the leader.  The leader waits
   until all ranks of its side have told it. */
static inline void stripes_announce(const struct bench_run *r, int stripes)
{
    if (!stripes_leads(r))
        MPI_Send(NULL, 0, MPI_BYTE, stripes_leader(r), BENCH_ACK_TAG, r->comm);
    for (int i = 1; stripes_leads(r) && i < stripes; i++)
        MPI_Recv(NULL, 0, MPI_BYTE, r->rank + i, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
}

/* The leader lets the other ranks of its side continue. */
static inline void stripes_release(const struct bench_run *r, int stripes)
{
    if (!stripes_leads(r))
        MPI_Recv(NULL, 0, MPI_BYTE, stripes_leader(r), BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
    for (int i = 1; stripes_leads(r) && i < stripes; i++)
        MPI_Send(NULL, 0, MPI_BYTE, r->rank + i, BENCH_ACK_TAG, r->comm);
}

/* A window of messages cut into stripes, one way, and both. */
extern const struct flow flow_stripes, flow_stripes_both_ways;
extern const struct family stripes_family;

#endif
