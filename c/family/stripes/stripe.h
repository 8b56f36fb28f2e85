/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stripe.h - messages that are cut into even stripes, each sent by a pair of
 *            ranks of its own: stripe_bw, stripe_bibw.
 *
 * Up to --stripe-threshold bytes a message goes whole between the first pair, and
 * the others rest.  A window is complete when all its stripes have arrived and
 * every rank of a side knows: each announces it to the first rank of its side, the
 * first ranks tell each other, and each releases its side.
 */
#ifndef STRIPE_H
#define STRIPE_H

#include "loop.h"

/* Bytes of a message that go between this rank's pair. */
size_t stripe_bytes(const struct bench_run *r, size_t bytes, size_t threshold);

/* The first rank of a side; the others follow it. */
static inline int stripe_leader(const struct bench_run *r)
{
    return r->sender ? 0 : r->pairs;
}

static inline bool stripe_leads(const struct bench_run *r)
{
    return r->rank == stripe_leader(r);
}

/* Does this rank send or receive in this row? */
static inline bool stripe_rests(const struct bench_run *r)
{
    return r->stripes == 1 && !stripe_leads(r);
}

/* bench_lap, where this rank takes part; one that rests goes through its laps alone,
 * since the starts between laps may be of all ranks. */
static inline bool stripe_lap(struct bench_run *r)
{
    bool more = bench_lap(r);

    while (more && stripe_rests(r))
        more = bench_lap(r);
    return more;
}

/* All stripes of this rank are here: the leader learns it of all. */
static inline void stripe_announce(const struct bench_run *r)
{
    if (!stripe_leads(r))
        MPI_Send(NULL, 0, MPI_BYTE, stripe_leader(r), BENCH_ACK_TAG, r->comm);
    for (int i = 1; stripe_leads(r) && i < r->stripes; i++)
        MPI_Recv(NULL, 0, MPI_BYTE, r->rank + i, BENCH_ACK_TAG, r->comm,
                 MPI_STATUS_IGNORE);
}

/* The leader lets the others of its side go on. */
static inline void stripe_release(const struct bench_run *r)
{
    if (!stripe_leads(r))
        MPI_Recv(NULL, 0, MPI_BYTE, stripe_leader(r), BENCH_ACK_TAG, r->comm,
                 MPI_STATUS_IGNORE);
    for (int i = 1; stripe_leads(r) && i < r->stripes; i++)
        MPI_Send(NULL, 0, MPI_BYTE, r->rank + i, BENCH_ACK_TAG, r->comm);
}

#endif
