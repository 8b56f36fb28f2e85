/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise.h - a family of one program: system noise, and its cost.
 *
 * Part 1: every rank works for --budget in equal quanta, alone, and reads
 * the clock after each.  Each rank judges its own series (detours.c) and sends rank 0 a
 * summary.
 *
 * Part 2: an iteration is a quantum and an allreduce of 8 bytes, for a quarter of the
 * duration.
 *
 * Rows are printed of the NOISE_ROWS ranks that lost the most; JSON has all.  A line
 * "# Noise:" follows for each rank with a period that takes NOISE_SHARE of its time; a
 * timer tick takes less.  Ranks that share CPUs stop each other, so with W08 no line
 * is printed.
 */
#ifndef NOISE_H
#define NOISE_H

#include <stdbool.h>
#include <stdint.h>

#include "environment/environment.h"
#include "family.h"
#include "job/progress.h"
#include "job/world.h"
#include "loop.h"
#include "report/report.h"
#include "report/result.h"
#include "timing/clock.h"

/* --- Detours ------------------------------------------------------------------- */

/*
 * What a series of equal quanta of work says about one CPU.  No MPI.
 *
 * A quantum is a fixed count of operations, so its shortest duration is that without
 * noise.  A detour is a quantum longer than DETOUR times the median quantum.  It lost what
 * it is longer than that median.
 *
 * Where the CPU changes its clock, or another thread of its core works, quanta are longer
 * without any detour of the operating system.  If the median is longer than DETOUR times
 * the shortest quantum, the series is called slow.
 *
 * For a period, detours that follow each other without a clean quantum between
 * them are one.
 */

/*
 * The periods of detours, where they are clear.
 *
 * The test is Rayleigh's: each detour is a vector, as long as the time that it lost, at its
 * phase in the period.  Their sum squared, by what chance gives on average, is z, and
 * chance gives z or more with the probability exp(-z) (Mardia and Jupp, Directional
 * Statistics, 6.3.1).  What happens within one period is one vector, so that a burst of
 * other work counts once; chance gives the sum of the squares of these, or of the detours
 * if that is more.  z is clear where chance gives it once in 100 series, for all frequencies
 * and bands together.
 *
 * A few long detours would hide many short ones, and many short ones a few long ones.  So
 * they are looked at in bands: detours of a least duration count for at most four times
 * that.
 *
 * The pulse is the part of a period that has the detours; it is halved as long as it
 * keeps all that is not by chance, as seen half a period later, and a line through its
 * detours gives the period.  What it lost, less chance, is the share of the period; it is
 * taken out, and what is left is searched again.
 *
 * There are at least PERIOD_TIMES periods in the series, and PERIOD_QUANTA quanta in a
 * period.
 */

enum {
    PERIOD_TIMES = 8,
    PERIOD_QUANTA = 8,
    PERIODS_MOST = 3,
    PERIOD_MOST = 2048 /* detours in a band; if it has more, the first ones */
};

/* What the CPU did in place of the rank's work. */
struct detour {
    double at_s, lost_s; /* beginning, from that of the series; duration */
};

struct period {
    double period_s; /* 0: none is clear */
    double lost_s;   /* of detours with this period, without what chance puts there */
};

static const double DETOUR = 1.05;

enum { DETOURS_KEPT = 32 };

/* Plain data without pointers: ranks send it to rank 0. */
struct detours {
    long quanta;
    double total_s;
    double quantum_s, typical_s; /* shortest and median quantum */
    long n;                      /* detours */
    double lost;                 /* their excess, as a part of total_s */
    double per_s, longest_s;     /* longest_s: excess */
    bool slow;
    struct period period[PERIODS_MOST]; /* those found first come first */
    struct detour kept[DETOURS_KEPT];   /* the longest, by time */
    int nkept;
};

/* Describe took_s[0..n-1], the durations of quanta that follow each other. */
void detours_of(const double *took_s, long n, struct detours *out);

/* --- A quantum of work --------------------------------------------------------- */

/*
 * A chain of integer operations in registers, in which each waits for the one before.
 * It touches no memory and calls nothing, so only what takes the CPU away, or slows its
 * clock, makes it longer.
 */

void quantum_run(long steps);

/* --- Iterations ---------------------------------------------------------------- */

/*
 * What noise costs where all ranks wait for each other: iterations of a quantum of work and
 * an allreduce of 8 bytes.
 *
 * Each rank times its quantum q and the allreduce a.  The rank that comes last waits for
 * nobody, so the shortest a of all ranks is that of the operation itself.
 *
 *   quantum    the shortest q of each rank; of these, the longest: the slowest CPU
 *   allreduce  median over iterations of the shortest a
 *   together   mean time of an iteration
 *   cost       together - quantum - allreduce, as a part of quantum + allreduce
 *   own        what a rank lost in its own quanta: mean over iterations of q less its
 *              shortest, mean over ranks, as the same part.  A cost above it is what
 *              ranks wait for the noise of others, and noise in the allreduce itself.
 *
 * The rank with the longest q of an iteration is to blame for what that is longer than
 * quantum, if it is a detour.
 */

enum { TURNS = 256, TURNS_MOST = 65536 };

/* One batch: readings of the clock, and the sums. */
struct turns {
    int n; /* iterations of the batch */
    clock_ticks begun[TURNS + 1], worked[TURNS];
    int64_t mine[TURNS], sum[TURNS];
};

struct turns_cost {
    long n; /* iterations */
    double quantum_s, allreduce_s, together_s;
    double least_s, most_s; /* together, over ranks */
    double cost, own;
    struct blame blame; /* share: of the time that detours of the slowest rank took */
    double elapsed_s;
};

/* The iteration begins.  Is there one? */
static inline bool turns_next(struct turns *t, int i)
{
    progress_moved();
    t->begun[i] = clock_now();
    return i < t->n;
}

/* Its quantum is over. */
static inline void turns_worked(struct turns *t, int i)
{
    t->worked[i] = clock_now();
}

/* --- The family ------------------------------------------------------------------ */

enum { NOISE_ROWS = 64, NOISE_LINES = 16 };
static const double NOISE_SHARE = 0.005;

struct noise_settings {
    double quantum_s, budget_s;
};

/* The quanta of a rank: mark[0] is the beginning, mark[i] the end of quantum i. */
struct quanta {
    long steps;
    clock_ticks *mark;
    long n, room; /* readings; those that there is room for */
    clock_ticks lasts;
};

/* What a rank sends. */
struct noise_rank {
    int cpu; /* at the end; -1: unknown */
    bool moved;
    double tick_s; /* period of the kernel's timer tick; 0: unknown */
    struct detours detours;
};

struct noise {
    struct quanta quanta;
    struct turns turns;
    struct turns_cost cost;
    double shown; /* the cost, or 0 if it is less */
    /* On rank 0 */
    struct environment_rank *of;
    struct noise_rank *rank;
};

FAMILY_OF(bench_run, struct noise, noise_of)

/* Read the clock.  Does another quantum follow? */
static inline bool noise_goes_on(struct quanta *q)
{
    const clock_ticks now = clock_now();

    progress_moved();
    q->mark[q->n++] = now;
    return q->n < q->room && now - q->mark[0] < q->lasts;
}

extern const struct family noise_family;

extern const struct report report_noise;

#endif
