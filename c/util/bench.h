/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench.h - everything a benchmark program sees of the harness.
 *
 * A program is a loop, a struct bench that describes it, and a one-line main.  The harness calls
 * the loop once per batch of iterations, with a struct bench_run (loop.h).  Inside it nothing
 * runs but its own MPI calls, functions of its family, and the inline loop control of loop.h.
 */
#ifndef BENCH_H
#define BENCH_H

#include <string.h>

#include "base/sizes.h"
#include "data/flow.h"
#include "family.h"
#include "job/mpi_features.h"
#include "loop.h"
#include "options/settings.h"
#include "report/report.h"

/* What the loop does; bits. */
enum loop {
    SYNCED_ITERATIONS = 0,     /* bench_next, and bench_sync before each */
    BACK_TO_BACK = 1 << 0,     /* bench_repeat: nothing stands between iterations */
    TIMED_ITERATIONS = 1 << 1, /* bench_next without bench_sync */
    BINDS_BUFFERS = 1 << 2,    /* operations know their buffers before they run:
                                persistent ones, windows */
    POSTS_AHEAD = 1 << 3,      /* receives are posted an iteration ahead */
    SUMS_UP = 1 << 4,          /* an iteration is the sum of what a rank timed in
                                it: ranks do not begin it together */
    STARTS_AGAIN = 1 << 5,     /* iterations start what was made ready before the
                               first: two are verified, one after the other */
};

/* Whose iterations make the figure. */
enum timed { TIMED_RANK_0, TIMED_SENDERS, TIMED_ALL };

/* What the program needs that not every MPI library has. */
enum needs {
    NEEDS_NOTHING,
    NEEDS_PERSISTENT_COLLECTIVES,
    NEEDS_PARTITIONED,
    NEEDS_PROCESSES, /* ranks that are processes */
    NEEDS_THREADS,   /* MPI_THREAD_MULTIPLE */
};

/* A loop, where a program has several: each makes a block of rows. */
struct operation {
    const char *name;
    void (*run)(struct bench_run *r);
};
enum { OPERATIONS_MAX = 8 };

struct bench {
    const char *name;  /* of the program, its file, and in JSON */
    const char *about; /* the first line of its header block */
    const char *title; /* of the table; @ is where OMB puts "-CUDA".  It begins with
                          "OSU " if OMB 7.4 has the program, and only then */
    struct {
        int min, max; /* max 0: no upper limit */
        bool even;
    } ranks;
    struct sizes sizes;                /* default of -m; without TAKES_SIZES: one row, of one
                           element if data is moved */
    const struct sizes_counts *counts; /* OMB's iterations, for -i or -x alone */
    unsigned takes;                    /* groups of options: enum takes, and the family's */
    enum element element;              /* of rows, without -T; not named: see bench_element */
    const char *idle;                  /* letters of options that OMB takes here: no effect */
    enum needs needs;                  /* of the MPI library */
    const struct flow *flow;           /* what is sent where, and so how large buffers
                                are and what must arrive: data/flow.h */
    unsigned loop;                     /* bits of enum loop */
    enum timed timed;
    void (*run)(struct bench_run *r); /* NULL: none, or operations */
    struct operation operations[OPERATIONS_MAX];
    struct parameter parameter;  /* what is swept besides the size */
    const struct report *report; /* how iterations become columns: report.h */
    const struct family *family; /* what it shares with some others; or NULL */
};

/* Its family; one without hooks, if it has none. */
static inline const struct family *bench_family(const struct bench *b)
{
    static const struct family none = { .name = NULL };

    return b->family != NULL ? b->family : &none;
}

/* Is it a program of OMB 7.4, whose tables have a mark of the format in the title? */
static inline bool bench_is_of_omb(const struct bench *b)
{
    return strncmp(b->title, "OSU ", strlen("OSU ")) == 0;
}

static inline int bench_operations(const struct bench *b)
{
    int n = 0;

    while (n < OPERATIONS_MAX && b->operations[n].run != NULL)
        n++;
    return n;
}

/* The loop of a row of that operation. */
static inline void (*bench_loop(const struct bench *b, int operation))(struct bench_run *)
{
    return b->run != NULL ? b->run : b->operations[operation].run;
}

/* Has it a loop at all? */
static inline bool bench_has_loop(const struct bench *b)
{
    return bench_loop(b, 0) != NULL;
}

/* Do its iterations make rows?  Some families have one figure instead. */
static inline bool bench_has_rows(const struct bench *b)
{
    return bench_has_loop(b) && bench_family(b)->run == NULL;
}

/* What follows from the options, with what its family changes. */
static inline struct plan bench_plan(const struct bench *b, const struct settings *s)
{
    const struct family *family = bench_family(b);
    struct plan plan = {
        .parameter = &b->parameter,
        .elements = 1,
        .threads = { 1, 1 },
        .times_transfer = true,
    };

    if (family->plan != NULL)
        family->plan(b, s, &plan);
    if (plan.swept != NULL && s->nparameters > 0)
        plan.parameter = plan.swept;
    return plan;
}

/* What the family refuses, as far as it is known (family.h). */
static inline void bench_refuse(const struct context *c, struct refusal *r)
{
    if (bench_family(c->bench)->refuse != NULL)
        c->bench->family->refuse(c, r);
}

/* Are ranks on two sides, each with a kind of memory of its own (SRC DST)? */
static inline bool bench_has_sides(const struct bench *b, const struct settings *s)
{
    return b->flow->sides != SIDES_NONE && bench_plan(b, s).send_memory == NULL;
}

/* The type of rows without -T and --protocol. */
static inline enum element bench_element(const struct bench *b)
{
    return b->element != ELEMENT_CHAR      ? b->element
           : b->takes & TAKES_INTEGER_TYPE ? ELEMENT_INT
           : b->flow->sum                  ? ELEMENT_FLOAT
                                           : ELEMENT_CHAR;
}

/* Do several threads of a rank call MPI at a time? */
static inline bool bench_is_threaded(const struct bench *b, const struct settings *s)
{
    const struct plan plan = bench_plan(b, s);

    return b->needs == NEEDS_THREADS || plan.threads[0] > 1 || plan.threads[1] > 1;
}

/* Do its rows have a size? */
static inline bool bench_is_sized(const struct bench *b)
{
    return b->takes & TAKES_CHECK;
}

/* Is it verified?  What has no data may still synchronize. */
static inline bool bench_is_verified(const struct bench *b, const struct settings *s)
{
    return (bench_is_sized(b) || b->flow->synchronizes) && settings_verifies(s);
}

/* The whole life of a program (run/main.c); returns the exit code. */
int bench_main(const struct bench *b, int argc, char **argv);

#endif
