/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * impact.h - how much longer victims take while other ranks congest their network.
 *
 * The ranks have two sides (sides.h).  Victims run the loop of the program.  Congestors
 * exchange windows of messages until a victim tells them to stop (congestion.h), or,
 * while the victims are measured alone, sleep until then.  A row is measured in pairs of
 * blocks, one alone and one loaded (judgement.h).  Each block is a pass of the sampling
 * engine (sampling/measure.h) with its own warm-up, and has the budget of a row.
 *
 * Both sides' data are verified (flow_impact.h).
 */
#ifndef IMPACT_H
#define IMPACT_H

#include <mpi.h>

#include "congestion.h"
#include "family.h"
#include "flow_impact.h"
#include "impact_options.h"
#include "judgement.h"
#include "loop.h"
#include "report_impact.h"
#include "sampling/start.h"

struct impact {
    bool congests;           /* this rank's side */
    int victims, congestors; /* ranks of either */
    int mine;                /* number of this rank on its side */
    const char *units;       /* "node", "group" or "rank" */
    int *member;             /* ranks of this side; NULL: not begun */
    bool *all;               /* does that rank congest? */
    int other;               /* the first rank of the other side */
    MPI_Comm side;
    struct start together; /* of victims */
    struct start *run;     /* while the victims' has its place: the run's */
    bool loaded;           /* the block under way has congestors */
    struct congestion congestion;
    struct impact_pair pair[IMPACT_PAIRS]; /* of the row, on rank 0 */
    struct impact_ratio median, tail;      /* the same */
};

static inline struct impact *impact_of(const struct bench_run *r)
{
    return r->family;
}

/* Victims: wait until the network is congested, if it shall be.  Congestors: congest it
   until all victims are done, and return false. */
bool impact_begin(struct bench_run *r);

/* This victim is done.  Once all are, the congestors stop. */
void impact_end(struct bench_run *r);

/* The next victim in a ring, and the one before. */
static inline int impact_next(const struct bench_run *r)
{
    const struct impact *s = impact_of(r);

    return s->member[(s->mine + 1) % s->victims];
}

static inline int impact_previous(const struct bench_run *r)
{
    const struct impact *s = impact_of(r);

    return s->member[(s->mine + s->victims - 1) % s->victims];
}

extern const struct family impact_family;

#endif
