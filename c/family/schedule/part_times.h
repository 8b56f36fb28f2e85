/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part_times.h - the times of the parts of an iteration, each timed by itself: meetings
 *                with partners, patterns, or operations.
 *
 * The iteration begins with part_times_iteration; part_times_leave_rest removes all but the timed
 * parts from it.
 */
#ifndef PART_TIMES_H
#define PART_TIMES_H

#include <stdio.h>

#include "loop.h"
#include "report/result.h"

/*
 * Lines about rows, kept until the table is complete.
 */

struct context;

/* Zeroed: there are none. */
struct lines {
    FILE *to;
    char *text;
    size_t size;
};

/* Begin a line: what it is about, and the row that it belongs to.  Returns where the rest of
   it is written; no memory ends the job. */
FILE *lines_about(struct lines *lines, const struct context *c,
                  const char *about, const struct result *result);

/* An empty line, and all of them; once. */
void lines_print(struct lines *lines, FILE *to);

void lines_end(struct lines *lines);

enum {
    PART_TIMES_KEPT = 64
}; /* samples of a part, where its median is enough */

/*
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
    int kept; /* the iteration under way is written behind them */
    int before; /* so many of the kept iterations are of batches before this one */
    clock_ticks mark; /* when the part under way began */
    clock_ticks sum;  /* sum of the timed parts in this iteration so far */
};

/* Allocate memory.  false: out of memory. */
bool part_times_begin(struct part_times *t, int parts, int room);
void part_times_end(struct part_times *t);

/* A batch has ended: forget the samples before it, and its own (family.h). */
void part_times_forget(struct part_times *t, bool before, bool batch);

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
static inline void part_times_leave_rest(struct part_times *t,
                                         struct iterations *l)
{
    iterations_leave_out(l, l->mark + t->sum, clock_now());
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

#endif
