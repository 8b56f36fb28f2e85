/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule.h - iterations of several parts: who meets whom in each, how long each took, and
 *              lines about rows.
 *
 * The schedule is plain arithmetic: all ranks compute the same, and nothing is communicated.
 *
 * Round robin: every rank meets every other rank once.  In each of P - 1 rounds (P if P
 * is odd) all ranks are paired, except one if P is odd, so that as many pairs as
 * possible talk at a time.  (The circle method: Kirkman 1847.)
 *
 * Patterns: all ranks communicate at the same time.  In a ring each rank sends to the
 * next of a random order of all ranks and receives from the one before.  In a matching
 * ranks exchange messages in pairs; of an odd number of ranks the last has no partner.
 *
 *   halves   rank i and rank i + P/2
 *   shift    the round robin of an even number of ranks: the numbers of two partners
 *            add up to that of the matching, modulo P - 1 (the "mirroring shift" of
 *            hp2p)
 *   random   a random order of the ranks; its neighbors 0 and 1, 2 and 3, ...
 *            are partners (Hoefler, Schneider, Lumsdaine 2008: effective
 *            bisection bandwidth)
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "loop.h"
#include "report/result.h"

struct context;

/* The row of --seed, which sets that field of the settings. */
#define SEED_OPTION(settings, field, ...)                                                          \
    {                                                                                              \
        0, "seed", "N", .group = OPTIONS_FLIGHT, .common = true,                                   \
                        .help = "seed of the random orders of ranks; the "                         \
                                "same seed gives the same orders",                                 \
                        .fallback = "1", .kind = OPTION_INT, .offset = offsetof(settings, field),  \
                        .min = 1, .max = INT_MAX, .json = "pattern_seed", __VA_ARGS__              \
    }

/* The number of rounds for so many ranks, at least 2. */
int round_robin_rounds(int ranks);

/* The rounds of an iteration: all, or the one that a turn of the verification has, whose
   messages each have memory of their own. */
static inline int round_robin_first(const struct bench_run *r)
{
    return r->turn > 0 ? r->turn - 1 : 0;
}

static inline int round_robin_end(const struct bench_run *r, int rounds)
{
    return r->turn > 0 ? r->turn : rounds;
}

/* The partner of the rank in round 0 .. round_robin_rounds(ranks) - 1; -1: the
   rank rests. */
int round_robin_partner(int rank, int round, int ranks);

/* The number of the rank's pair among the ranks / 2 pairs of that round; -1: the rank
   rests. */
int round_robin_pair(int rank, int round, int ranks);

/* Put the ranks 0 to n - 1 into a random order, or with state NULL into their own.
   Returns the place of the rank in it, or -1. */
int schedule_order(int *order, int n, uint64_t *state, int rank);

enum schedule { SCHEDULE_RINGS, SCHEDULE_HALVES, SCHEDULE_SHIFT, SCHEDULE_RANDOM };

enum { SCHEDULE_MOST = 1024 /* patterns */ };

struct peers {
    int to, from; /* ranks, or MPI_PROC_NULL */
};

/* Ranks that have a partner in a matching of that kind, or are in a ring: all, or all
   but the last. */
static inline int schedule_active(enum schedule kind, int ranks)
{
    return kind == SCHEDULE_RINGS ? ranks : ranks - ranks % 2;
}

/* Patterns: as many as were asked for, or what the kind has for so many
   ranks. */
int schedule_patterns(enum schedule kind, int asked, int ranks);

/*
 * Write the peers of this rank in the n patterns of that kind to peers[].  Orders are drawn
 * one after the other from the seed, which is not 0, so that more of them begin with the
 * same ones.
 */
void schedule_fill(enum schedule kind, unsigned long seed, int n, int rank, int ranks,
                   struct peers *peers);

/* --- The times of the parts ------------------------------------------------------- */

enum { PART_TIMES_KEPT = 64 }; /* samples of a part, where its median is enough */

/*
 * The times of the parts of an iteration, each timed by itself: meetings with partners,
 * patterns, or operations.  The iteration begins with part_times_iteration;
 * part_times_leave_rest removes all but the timed parts from it.
 *
 * Of the iterations that count every stride-th one is kept.  When there is no more room, every
 * second of the kept iterations is dropped, and the stride doubles.  All ranks keep the same
 * iterations; those that are late on some rank go at the end (part_times_agree).
 */
struct part_times {
    int parts;
    int room;                /* samples of a part at most; even */
    clock_ticks *sample;     /* room for each part */
    clock_ticks *in_time;    /* of each kept iteration; 0: it was late */
    long iterations, stride; /* iterations: that count */
    int kept;                /* the iteration under way is written behind them */
    int before;              /* so many of the kept iterations are of batches before this one */
    clock_ticks mark;        /* when the part under way began */
    clock_ticks sum;         /* sum of the timed parts in this iteration so far */
};

/* No memory ends the job. */
void part_times_begin(struct part_times *t, int parts, int room);

/* A batch has ended: forget the samples before it, and its own (family.h).  The second is the hook
   of families whose state begins with a struct part_times. */
void part_times_forget(struct part_times *t, bool before, bool batch);
void schedule_forget(struct bench_run *r, bool before, bool batch);

/* An iteration begins.  Do not call this in a timed region. */
void part_times_iteration(struct part_times *t);

/* Bring all ranks together once more within an iteration, which is late if they were late for
   any part of it. */
static inline void part_times_sync(struct bench_run *r)
{
    const bool late = r->iterations.late;

    bench_sync(r);
    r->iterations.late |= late;
}

/* The samples of a part. */
static inline clock_ticks *part_times_of(const struct part_times *t, int part)
{
    return t->sample + (size_t)part * (size_t)t->room;
}

/* A part begins, and ends. */
static inline void part_times_start(struct part_times *t)
{
    t->mark = clock_now();
}

static inline void part_times_stop(struct part_times *t, int part)
{
    const clock_ticks took = clock_now() - t->mark;

    t->sum += took;
    part_times_of(t, part)[t->kept] = took;
}

/* All parts of the iteration are over: reduce the iteration to their sum, and keep them if it
   counts. */
static inline void part_times_leave_rest(struct part_times *t, struct iterations *l)
{
    l->mark = clock_now() - t->sum;
    if (l->next < l->counted || t->iterations++ % t->stride != 0)
        return;
    t->in_time[t->kept++] = l->late ? 0 : 1;
}

/* After the row: drop the iterations that were late on any rank of comm.  Ranks that had no
   iterations take part too.  Returns how many are left on the rank that has most.  Collective. */
int part_times_agree(struct part_times *t, MPI_Comm comm);

/* The median of the kept samples of that part, in s; 0: there is none.  The room is at most
   PART_TIMES_KEPT. */
double part_times_median(const struct part_times *t, int part);

/* The longest mean of a tenth of the kept samples of that part, in s; of fewer than
   ten samples, the longest. */
double part_times_slowest_tenth(const struct part_times *t, int part);

/* --- Lines ----------------------------------------------------------------------- */

/* Lines about rows, kept until the table is complete.  Zeroed: there are none. */
struct lines {
    FILE *to;
    char *text;
    size_t size;
};

/* Begin a line: what it is about, and the row that it belongs to.  Returns where the rest of
   it is written; no memory ends the job. */
FILE *lines_about(struct lines *lines, const struct context *c, const char *about,
                  const struct result *result);

/* An empty line, and all of them; once. */
void lines_print(struct lines *lines, FILE *to);

void lines_end(struct lines *lines);

#endif
