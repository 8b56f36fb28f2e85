/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guidelines.h - a collective operation and its mock-ups: the same made of other
 *                collectives.  If a mock-up is faster, the library should have used it.
 *
 * An iteration runs each of them once, each synchronized and timed by itself, in an order
 * that is drawn anew for each iteration and is the same on all ranks.  So a disturbance that
 * lasts meets all of them, and none always follows the same other one.  The statistics of
 * the harness are those of the native operation alone, which is number 0; a judgement
 * compares it with its mock-ups.  Each is verified by itself.
 *
 * Memory   what a mock-up needs beyond the buffers of the operation is allocated before
 *          the rows, of the memory type of the run, and so is untimed: a vector
 *          (reduce, reduce_scatter_block), or a block for each rank (gather, scatter).
 *          What it copies there or from there is timed.
 * Root     rank 0.
 * Parts    of a vector that is divided among the ranks: equal ones if its elements can be
 *          so divided; else the v-forms divide it, and the first ranks have one more.
 */
#ifndef GUIDELINES_H
#define GUIDELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/simulation.h"
#include "collective/collective.h"
#include "data/memory.h"
#include "report/report.h"
#include "schedule/schedule.h"

/*
 * Is an operation slower than the same made of others?
 *
 * Operation 0 is the native one, the others are its mock-ups.  All ran in each round, so
 * that the ratio of two times of a round has no part of what lasts longer than it.  Of a
 * mock-up's ratios, native / mock-up, the median is printed; its interval is that of
 * stats.h, which is widened for what neighboring rounds have in common.  With several
 * mock-ups it is wider: all intervals of a row hold together with a confidence of 95 %
 * (Bonferroni), since the best of them is chosen by the same times.
 *
 * A row is violated only if an interval of 99 % lies above the margin: a table has many
 * rows, and a false alarm costs more than a row that stays undecided.
 */

enum { ROUNDS_MOST = 4 }; /* operations */

enum guideline_verdict {
    GUIDELINE_UNDECIDED,
    GUIDELINE_HOLDS,    /* all intervals end below 1 + margin */
    GUIDELINE_VIOLATED, /* that of the best mock-up, of 99 %, begins above it */
};

struct judgement {
    int n;                      /* operations */
    int rounds;                 /* that were judged; 0: all were late */
    double time_s[ROUNDS_MOST]; /* medians over rounds; NAN: all were late */
    struct guideline_ratio {
        double median;
        bool has_interval; /* false: too few rounds */
        double low, high;
        double surely;            /* low with a confidence of 99 %; 0: too few rounds */
    } ratio[ROUNDS_MOST];         /* native / this; of number 0 unused */
    int best;                     /* the mock-up with the greatest ratio */
    struct guideline_ratio shown; /* that one's; NAN what is not known */
    enum guideline_verdict is;
};

/* Judge the times of n operations in so many rounds, time[o * stride + k] of operation o
   in round k, in s.  Times below least_s, above 0, count as least_s: the clock does not
   resolve them.  margin: 0.05 for 5 %.  room: for two times so many rounds. */
struct judgement judgement_of(const double *time, int n, int rounds, int stride, double least_s,
                              double margin, double *room);

enum { ROUNDS_KEPT = SIMULATED ? 256 : 8192 };

struct guideline_settings {
    struct collective_settings collective; /* first */
    double margin;                         /* 0.05: 5 % */
    bool gate;
};

struct guideline {
    struct collective collective;      /* first */
    const char *name[ROUNDS_MOST + 1]; /* of the operations; ends with NULL */
    struct part_times times;           /* of the operations in each round */
    int order[ROUNDS_MOST];            /* of the operations in the round under way */
    uint64_t state;                    /* of that random order */
    struct buffer scratch;
    struct layout parts;           /* of a vector that mock-ups divide */
    bool far;                      /* the CPU cannot copy from there */
    double *time;                  /* of all operations in all rounds kept, and twice that of one */
    long *blame;                   /* on rank 0, of each rank */
    struct judgement judgement;    /* of the row; on rank 0 */
    struct lines lines;            /* on rank 0: of rows that do not hold */
    int rows, violated, undecided; /* the same: how many there were */
};

FAMILY_OF(bench_run, struct guideline, guideline_of)

extern const struct family guidelines_family;

/* The time of the native operation and of each mock-up, and the ratio to the best.  Headings
   are the names of the operations. */
extern const struct report report_allgather_guideline, report_allreduce_guideline,
    report_alltoall_guideline, report_bcast_guideline, report_gather_guideline,
    report_reduce_guideline, report_reduce_scatter_block_guideline, report_scan_guideline,
    report_scatter_guideline;

/* --- The loop ------------------------------------------------------------------- */

#define GUIDELINE_INLINE __attribute__((always_inline)) static inline

typedef void guideline_operation(struct bench_run *r);

/* An iteration begins: draw its order.  Returns the operations to run: all, or the one that
   r->turn names.  Untimed. */
int guidelines_draw(struct bench_run *r);

/* The iteration is over: keep its times, and leave all but operation 0's, or that one's, out of
   it. */
void guidelines_keep(struct bench_run *r);

/* All iterations of a batch.  operation[0] is the native one; the order is that of the
   columns in guidelines.c. */
GUIDELINE_INLINE void guideline_run(struct bench_run *r, guideline_operation *const operation[])
{
    struct guideline *g = guideline_of(r);

    while (bench_next(r)) {
        const int n = guidelines_draw(r);

        for (int i = 0; i < n; i++) {
            const int o = g->order[i];

            if (i == 0) {
                bench_sync(r);
                bench_start(r);
            } else {
                part_times_sync(r);
            }
            part_times_start(&g->times);
            operation[o](r);
            part_times_stop(&g->times, o);
        }
        guidelines_keep(r);
        bench_stop(r);
    }
}

/* --- What mock-ups are made of --------------------------------------------------- */

static inline void *guideline_scratch(const struct bench_run *r)
{
    return guideline_of(r)->scratch.base;
}

/* Where the root receives, and others have scratch memory. */
static inline void *guideline_recv(const struct bench_run *r)
{
    return r->rank == r->root ? r->recv : guideline_scratch(r);
}

static inline size_t guideline_bytes(const struct bench_run *r, int elements)
{
    return r->count > 0 ? (size_t)elements * (r->bytes / (size_t)r->count) : 0;
}

/* Address of an element. */
static inline void *guideline_at(const struct bench_run *r, void *base, int element)
{
    return (char *)base + guideline_bytes(r, element);
}

/* count elements within this rank. */
static inline void guideline_copy(const struct bench_run *r, void *to, void *from, int count)
{
    if (guideline_of(r)->far)
        MPI_Sendrecv(from, count, r->type, r->rank, BENCH_TAG, to, count, r->type, r->rank,
                     BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
    else
        memcpy(to, from, guideline_bytes(r, count));
}

/* Counts and displacements of the parts of a vector. */
static inline const struct layout *guideline_parts(const struct bench_run *r)
{
    return &guideline_of(r)->parts;
}

/* Are the parts of a vector equal? */
static inline bool guideline_divides(const struct bench_run *r)
{
    return r->count % r->nranks == 0;
}

static inline void *guideline_own_part(const struct bench_run *r, void *vector)
{
    return guideline_at(r, vector, guideline_parts(r)->displs[r->rank]);
}

/* Every rank gets its part of the sum of all r->send. */
static inline void guideline_reduce_scatter(const struct bench_run *r, void *to)
{
    if (guideline_divides(r))
        MPI_Reduce_scatter_block(r->send, to, guideline_parts(r)->counts[0], r->type, r->op,
                                 r->comm);
    else
        MPI_Reduce_scatter(r->send, to, guideline_parts(r)->counts, r->type, r->op, r->comm);
}

/* Every rank has its part of the vector in place, and gets the others. */
static inline void guideline_allgather(const struct bench_run *r, void *vector)
{
    if (guideline_divides(r))
        MPI_Allgather(MPI_IN_PLACE, 0, r->type, vector, guideline_parts(r)->counts[0], r->type,
                      r->comm);
    else
        MPI_Allgatherv(MPI_IN_PLACE, 0, r->type, vector, guideline_parts(r)->counts,
                       guideline_parts(r)->displs, r->type, r->comm);
}

/* The root's vector: each rank gets its part, where it belongs in its own. */
static inline void guideline_scatter(const struct bench_run *r, void *vector)
{
    void *to = r->rank == r->root ? MPI_IN_PLACE : guideline_own_part(r, vector);
    const int count = guideline_parts(r)->counts[r->rank];

    if (guideline_divides(r))
        MPI_Scatter(vector, count, r->type, to, count, r->type, r->root, r->comm);
    else
        MPI_Scatterv(vector, guideline_parts(r)->counts, guideline_parts(r)->displs, r->type, to,
                     count, r->type, r->root, r->comm);
}

/* The root gets the parts. */
static inline void guideline_gather(const struct bench_run *r, void *part, void *vector)
{
    const int count = guideline_parts(r)->counts[r->rank];

    if (guideline_divides(r))
        MPI_Gather(part, count, r->type, vector, count, r->type, r->root, r->comm);
    else
        MPI_Gatherv(part, count, r->type, vector, guideline_parts(r)->counts,
                    guideline_parts(r)->displs, r->type, r->root, r->comm);
}

#endif
