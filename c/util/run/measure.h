/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.h - how long a row is measured: the sampling engine.
 *
 * Without -i and -x: warm-up in batches until they agree; a stride, so that the clock costs
 * little; some samples, and then looks, each at most doubling the samples, until the interval
 * of the median is narrow enough, or there are enough iterations, or the budget is used
 * (doc/method.md).  Rank 0 decides and tells the others, between batches only.  With -i or
 * -x: OMB's fixed counts, one sample an iteration.
 *
 * A batch lasts about a millisecond.  One in which the kernel took the CPU from a rank
 * (job/interference.h) is left out of all figures, and others are measured in its
 * place while the row has time.  Until the first undisturbed batch all are kept, so that
 * a row without one has figures too.  --disturbed=keep leaves nothing out, nor do fixed
 * counts, which are one batch as long as it has room.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "base/simulation.h"
#include "bench.h"
#include "job/interference.h"
#include "job/world.h"
#include "report/result.h"
#include "timing/clock.h"
#include "timing/clock_sync.h"

/* Samples: 256 KiB, three times. */
enum { MEASURE_BATCH = SIMULATED ? 4096 : 32768 };

struct measure {
    const struct context *context;

    /* Of one batch. */
    long room;  /* for so many samples; less where memory is short */
    long most;  /* iterations without -i, before time is looked at again */
    long batch; /* samples of a batch of this pass, but for its lead-in */
    struct interference watch;
    long doubtful;              /* disturbed batches that this pass keeps, as it has no others */
    bool strict;                /* it keeps no more of them */
    clock_ticks *ticks, *begun; /* as struct iterations fills them */
    double *mine;               /* seconds per iteration, this rank */
    /* Of the row. */
    bool brief;             /* many iterations end a pass before its budget does */
    double budget_s;        /* of the pass */
    double spent_s;         /* of the pass: batches, and what is done with them */
    bool leapt;             /* a batch took less time than the clock says */
    struct moments moments; /* of mine */
    struct series series;   /* rank 0: what the row is made of */
    /* Rank 0: by the global clock. */
    struct series completion, skew, latest;
    long *blame_slowest, *blame_start; /* rank 0: one per rank */
};

/* Memory for the samples, touched. */
void measure_begin(struct measure *m);

/* A few iterations of the row, untimed: for verification, to open connections, and to look at the
   GPU after each.  Returns their duration on this rank. */
double measure_iterations(struct measure *m, long iterations);

/* One pass of it, from warm-up to the last sample, which may take budget_s (settings_budget): what a
   family's own way of measuring is made of (family.h). */
void measure_pass(struct measure *m, struct result *result, double budget_s);

/* --- Samples of many ranks made into one row, in O(log P) messages: no sample of every rank is
   brought together, reductions only --- */

enum { GATHER_CHUNK = 2048 }; /* iterations of one reduction: bounds the memory */

/* Per iteration the slowest rank: slowest[i] becomes the maximum over the ranks of mine[i],
   and blame[rank] counts the iterations where it was that rank's alone; on rank 0.  Ranks
   that do not measure hand in zeros; slowest may be mine.  Collective. */
void over_ranks_slowest(MPI_Comm comm, const double *mine, long n, double *slowest, long *blame);

/* ticks[i] becomes 0 on every rank where it is 0 on any. */
void over_ranks_any_zero(MPI_Comm comm, clock_ticks *ticks, long n);

/* How a figure spreads over the ranks that have one: where measures is true.  On every
   rank; collective. */
struct spread {
    double mean, min, max;
    int ranks;
};

struct spread over_ranks_spread(MPI_Comm comm, double mine, int measures);

/* The longest time of the ranks of comm, of equals that of the lowest rank, and whom that
   rank had to do with.  On every rank; collective. */
struct extreme {
    double time;
    int rank, partner;
};

struct extreme over_ranks_longest(MPI_Comm comm, double time, int partner);

#endif
