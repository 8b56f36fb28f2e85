/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * impact.h - how much longer victims take while other ranks congest their network.
 *
 * The ranks have two sides.  Victims run the loop of the program.  Congestors exchange windows
 * of messages until a victim tells them to stop, or, while the victims are measured alone, sleep
 * until then.  A row is measured in pairs of blocks, one alone and one loaded.  Each block is a
 * pass of the sampling engine (run/measure.h) with its own warm-up, and has the budget of a
 * row.  impact_options.c has the options, the table and the family.
 *
 * Both sides' data are verified.
 */
#ifndef IMPACT_H
#define IMPACT_H

#include <mpi.h>
#include <stdbool.h>

#include "data/flow.h"
#include "data/memory.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"
#include "report/report.h"
#include "report/result.h"
#include "run/start.h"

/* --- Options -------------------------------------------------------------------- */

/* Numbers of the operations of the program. */
enum victim {
    VICTIM_LATENCY,
    VICTIM_BW,
    VICTIM_ALLREDUCE,
    VICTIM_RING,
};

enum congestor {
    CONGESTOR_INCAST,
    CONGESTOR_OUTCAST,
    CONGESTOR_ALLTOALL,
    CONGESTOR_PUT,
    CONGESTOR_NONE,
};

struct impact_settings {
    double share;     /* of the units that congest */
    int groups;       /* 0: nodes */
    unsigned victims; /* bits 1 << enum victim; 0: all */
    int congestor;    /* enum congestor */
    size_t bytes;     /* of a message of congestors */
    int window;       /* such messages between two ranks in a window */
    int seed;
};

FAMILY_OF(settings, const struct impact_settings, impact_settings)

/* --- Sides --------------------------------------------------------------------- */

/*
 * Which ranks are victims, and which congest their network.
 *
 * Ranks come in units, which are never divided: nodes, groups of consecutive ranks,
 * or single ranks.  The units are put into a random order (Fisher and Yates, with
 * base/shuffle.h), and the first of them congest.  All ranks compute the same, and
 * nothing is communicated.
 */

enum { SIDES_LEAST = 2 /* ranks of a side: one alone has no partner */ };

/*
 * Deal the ranks: congests[i] becomes true if rank i congests.  unit[i] is the lowest
 * rank in the unit of rank i.  share, from 0 to 1, is that of the units that congest,
 * rounded to the nearest number, but so that either side has SIDES_LEAST ranks.  The seed
 * is not 0.  order has room for 2 * ranks entries, and holds nothing of use afterwards.
 * Returns the number of ranks that congest; 0: there is no such division.
 */
int sides_deal(const int *unit, int ranks, double share, unsigned long seed, int *order,
               bool *congests);

/* --- Congestion ----------------------------------------------------------------- */

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

FAMILY_OF(bench_run, struct impact, impact_of)

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

/*
 * The table of impact.
 *
 * Times are medians over blocks of what a block says, in us: half a round trip, a message
 * of a window, or the whole iteration of the slowest victim.  An impact is the median over
 * pairs of blocks, with its interval.
 */
extern const struct report report_impact;

/* --- Hooks of struct family: what a run needs, and how a row is measured ----------- */

void impact_describe(const struct context *c);
enum exit_code impact_deal(const struct context *c);
void impact_memory(const struct context *c, struct buffers *b);
enum exit_code impact_ready(const struct context *c, const struct buffers *b);
void impact_release(const struct context *c);
void impact_row(const struct context *c);
void impact_measure(struct measure *m, struct result *result);

#endif
