/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * impact.h - how much longer victims take while other ranks congest their network.
 *
 * The ranks have two sides (impact_options.h).  Victims run the loop of the program.  Congestors
 * exchange windows of messages until a victim tells them to stop, or,
 * while the victims are measured alone, sleep until then.  A row is measured in pairs of
 * blocks, one alone and one loaded.  Each block is a pass of the sampling
 * engine (sampling/measure.h) with its own warm-up, and has the budget of a row.
 *
 * Both sides' data are verified.
 */
#ifndef IMPACT_H
#define IMPACT_H

#include <mpi.h>
#include <stdbool.h>

#include "data/flow.h"
#include "family.h"
#include "impact_options.h"
#include "loop.h"
#include "memory/memory.h"
#include "sampling/start.h"

/*
 * The windows of messages with which congestors load the network, and
 * how they end.
 *
 * The first congestor looks before each window whether a victim has sent it STOP.  What
 * it finds reaches the others in a reduction that runs at the same time as the window, so
 * that the network is not idle between windows.  So all congestors make the same number
 * of windows, whatever their speed, and no rank is ahead by more than one.
 *
 *   incast    every congestor sends a window to the first one
 *   outcast   the first one sends a window to every other
 *   alltoall  one MPI_Alltoall
 *   put       incast with MPI_Put, and MPI_Win_flush
 *
 * Once the first window has arrived, the first congestor sends GO to the first victim.
 */

enum { IMPACT_GO = 11, IMPACT_STOP = 12 /* tags of empty messages */ };

struct congestion {
    int kind;       /* enum congestor */
    int window;     /* messages between two ranks */
    size_t message; /* bytes of one */
    struct buffer send, recv;
    MPI_Request *request;
    MPI_Win win;           /* of put */
    double bytes, seconds; /* sent by this rank, and the time it took */
    double mb_per_s;       /* of all together; of the row */
};

/* Requests and window of the congestors.  Collective; EXIT_OK, or the code to leave with, said
   why. */
enum exit_code congestion_begin(const struct context *c);
void congestion_end(struct congestion *g);

/* What victims and congestors send, and what must arrive.  Either side is filled and verified
   as what it does (data/flow.h): pairs, a ring, a sum over the victims, an incast, an
   outcast, an all-to-all.  In a mismatch, block is the number of the message in what this
   rank receives. */
extern const struct flow flow_impact;

/* --- How much longer loaded blocks took than blocks alone ---------------------- */

/*
 * Blocks of iterations come in pairs, one alone and one loaded, right after each
 * other.  Each pair gives one ratio.  The impact is the median of these ratios, and its
 * interval is that of stats_of: it ends at two of the ratios, and makes no assumption on
 * their distribution.  Slow noise changes both blocks of a pair and leaves the ratio.
 * The order within pairs alternates, so that a steady drift makes as many ratios too
 * large as too small.
 *
 * IMPACT_PAIRS is the least number of pairs whose interval, from the smallest to the
 * largest of 8 ratios, misses the truth in less than 1 % of rows if ratios are independent: 2 /
 * 2^8.
 */

enum {
    IMPACT_PAIRS = 8,
    IMPACT_TAIL = 100, /* iterations of a block, before its P99 says anything */
};

/* What was read of a block. */
struct block {
    double median_s, p99_s; /* not positive: not known */
};

struct impact_pair {
    struct block alone, loaded;
};

struct impact_ratio {
    /* false: a block had too few iterations, or no time passed; all else is NAN. */
    bool known;
    double alone_s;   /* median of the blocks */
    double loaded_s;  /* the same */
    double times;     /* the impact */
    double low, high; /* its interval */
};

/* Of medians, or of 99th percentiles, of all IMPACT_PAIRS pairs. */
struct impact_ratio impact_judge(const struct impact_pair *pair, bool tail);

/* --- The family ---------------------------------------------------------------- */

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
