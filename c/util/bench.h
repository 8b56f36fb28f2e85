/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench.h - everything a benchmark program sees of the harness.
 *
 * A program is a loop, a struct bench that describes it, and a one-line main.
 * The harness calls the loop once per batch of laps, with a struct bench_run
 * (loop.h).  Inside it nothing runs but the program's own MPI calls and the
 * inline loop control of laps.h.
 */
#ifndef BENCH_H
#define BENCH_H

#include "data/flow.h"
#include "options/parameter.h"
#include "matrix/pair_times.h"
#include "job/mpi_features.h"
#include "report/report.h"
#include "matrix/round_robin.h"
#include "loop.h"
#include "options/settings.h"
#include "base/sizes.h"

/* Whose laps make the figure. */
enum timed { TIMED_RANK_0, TIMED_SENDERS, TIMED_ALL };

/* What the program needs beyond MPI 3.1. */
enum needs {
    NEEDS_NOTHING,
    NEEDS_PERSISTENT_COLLECTIVES,
    NEEDS_PARTITIONED,
    NEEDS_PROCESSES, /* ranks that are processes */
    NEEDS_THREADS,   /* MPI_THREAD_MULTIPLE */
};

/* A loop, where a program has several: each makes a block of rows, and behind
   the last of rows with sizes stand all side by side (side_by_side.h). */
struct operation {
    const char *name;
    void (*run)(struct bench_run *r);
    bool unified; /* the processor must see a put without a call of MPI */
    bool chunks;  /* only messages that --chunk cuts */
};
enum { OPERATIONS_MAX = 5 };

struct application;
struct transport;

struct bench {
    const char *name;  /* of the program, its file, and in JSON */
    const char *about; /* the first line of its header block */
    const char *title; /* of the table; @ is where OMB puts "-CUDA" */
    struct {
        int min, max; /* max 0: no upper limit */
        bool even;
    } ranks;
    struct sizes sizes; /* default of -m; not TAKES_SIZES: one row, of one
                           element if data is moved */
    const struct sizes_counts *counts; /* OMB's laps, for -i or -x alone */
    unsigned takes;                    /* groups of options, enum takes */
    enum needs needs;
    const struct flow *flow; /* what is sent where, and so how large buffers
                                are and what must arrive: flow.h */
    bool strides;            /* the loop uses bench_lap */
    bool streams;            /* it uses bench_next, but no bench_sync: laps
                                follow each other */
    bool ahead;              /* receives are posted a lap ahead */
    bool apart;              /* measured as overlap_apart says: overlap.h */
    bool bound;              /* to its buffers before the loop: persistent
                                operations, windows */
    unsigned exclusive;      /* bits 1 << enum rma_sync: locks for them are
                                MPI_LOCK_EXCLUSIVE */
    enum timed timed;
    void (*run)(struct bench_run *r); /* NULL: none, or operations */
    struct operation operations[OPERATIONS_MAX];
    struct levels levels;         /* what is swept besides the size */
    struct levels levels_percent; /* instead, with --scheme percent */
    /* Laps until all that a row uses was used, where that is more than one. */
    int (*cycle)(const struct bench_run *r);
    bool by_ranks; /* a row is a number of ranks: the first of the job */
    const struct application *application; /* a lap of run is a whole run, once:
                                              application.h; NULL: it is not */
    const struct transport *transport;     /* below MPI, measured in its place:
                                              transport.h; NULL: MPI is */
    const struct report *report; /* how laps become columns: report.h */
};

static inline int bench_operations(const struct bench *b)
{
    int n = 0;

    while (n < OPERATIONS_MAX && b->operations[n].run != NULL)
        n++;
    return n;
}

/* Has it a loop whose laps make rows?  Programs of starting have one line
   instead of a table. */
static inline bool bench_has_loop(const struct bench *b)
{
    return b->application == NULL &&
           (b->run != NULL || bench_operations(b) > 0);
}

/* Is a row measured without a computation, and then with one? */
static inline bool bench_computes(const struct bench *b)
{
    return b->takes & (TAKES_TESTS | TAKES_COMPUTE) || b->apart;
}

static inline const struct levels *bench_levels(const struct bench *b,
                                                const struct settings *s)
{
    return s->scheme == SCHEME_PERCENT ? &b->levels_percent : &b->levels;
}

/* Has the operation a row of so many bytes? */
static inline bool bench_has_row(const struct operation *o,
                                 const struct settings *s, size_t bytes)
{
    if (o->chunks)
        return bytes > s->chunk;
    return !o->unified || bytes > 0; /* none whose arrival could be seen */
}

/* Operations that have one; 1 where the program is but one. */
static inline int bench_blocks(const struct bench *b, const struct settings *s,
                               size_t bytes)
{
    const int n = bench_operations(b);
    int blocks = n == 0;

    for (int i = 0; i < n; i++)
        blocks += bench_has_row(&b->operations[i], s, bytes);
    return blocks;
}

/* Are ranks on two sides, each with a kind of memory of its own (SRC DST)?  Below MPI
   transports have theirs. */
static inline bool bench_has_sides(const struct bench *b)
{
    return b->flow != NULL && b->flow->sides != SIDES_NONE &&
           b->transport == NULL;
}

/* Bytes of which a size has to have a whole number. */
static inline size_t bench_unit(const struct bench *b, const struct settings *s,
                                enum element element)
{
    return element_size(element) *
           (b->takes & TAKES_PARTITIONS ? (size_t)s->partitions : 1);
}

/* Do several threads of a rank call MPI at a time? */
static inline bool bench_is_threaded(const struct bench *b,
                                     const struct settings *s)
{
    return b->needs == NEEDS_THREADS || s->ready_threads > 1;
}

/* Do its rows have a size? */
static inline bool bench_is_sized(const struct bench *b)
{
    return b->takes & TAKES_CHECK;
}

/* The whole life of a program (life.c); returns the exit code. */
int bench_main(const struct bench *b, int argc, char **argv);

#endif
