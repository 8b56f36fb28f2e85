/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nas.h - programs that run once, like an application: NAS IS and FT, a family each.
 *
 * An iteration is a whole run.  The file of the program has the loop over iterations
 * with its MPI calls; is.h and ft.h have the computation between them.  The family runs one iteration untimed, then all of them timed.  It
 * verifies the outcome and reports where the time went.
 */
#ifndef NAS_H
#define NAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "family.h"
#include "ft.h"
#include "is.h"
#include "job/progress.h"
#include "loop.h"
#include "memory/memory.h"
#include "options/settings.h"
#include "record/fields.h"
#include "report/report.h"
#include "specification.h"
#include "timing/clock.h"

/* --- How much of a run is spent in each MPI call ------------------------------- */

/*
 *     part_begin(p);
 *     MPI_Alltoall(...);
 *     part_end(p, EXCHANGE);
 *
 * The clock is read twice for each call, so this is for calls that take long.
 */

enum { PARTS_MAX = 4 };

struct parts {
    clock_ticks mark; /* when the call under way began */
    clock_ticks spent[PARTS_MAX];
    long calls[PARTS_MAX];
};

static inline void part_begin(struct parts *p)
{
    p->mark = clock_now();
}

static inline void part_end(struct parts *p, int part)
{
    p->spent[part] += clock_now() - p->mark;
    p->calls[part]++;
}

/* --- What differs between IS and FT -------------------------------------------- */

/* What a class is for so many ranks. */
struct problem {
    bool divides;   /* can they run it? */
    char needs[80]; /* what their number must be */
    char size[100]; /* "keys=8388608; ..." */
    int iterations;
    double operations; /* of a run, for Mop/s */
    size_t bytes;      /* the most that a rank needs */
};

struct application {
    const char *calls[PARTS_MAX]; /* names of the parts: MPI calls */
    void (*describe)(enum nas_class class, int ranks, struct problem *p);

    /* Allocate memory and do other untimed work.  false: out of memory.  Call
       end in any case. */
    bool (*begin)(struct bench_run *r, enum nas_class class);
    void (*end)(struct bench_run *r);
    /* After a run of all iterations: is the outcome right?  If not, why[] says
       what is wrong.  Collective; the same on all ranks. */
    bool (*verify)(struct bench_run *r, char *why, size_t room);
};

/* --- Results of a run ---------------------------------------------------------- */

/* The time of a part in seconds, over the ranks. */
struct share {
    const char *name;
    long calls; /* 0: not an MPI call */
    double mean, max;
    int slowest; /* the rank that has max */
};

struct whole {
    const char *class; /* "A" */
    struct problem problem;
    double mop_per_s; /* of the slowest rank */
    /* The whole run; inside MPI; outside MPI */
    struct share run, inside, outside;
    struct share call[PARTS_MAX]; /* time inside MPI, by call */
    int calls;
};

/* A row of the run, and the parts of its time below it. */
extern const struct report report_whole;

/* --- The state of a run -------------------------------------------------------- */

struct nas {
    int iterations; /* iterations of this iteration */
    struct parts parts;
    struct keys keys;        /* IS */
    struct grid grid;        /* FT */
    struct buffer buffer[3]; /* memory of the grid */
    struct whole whole;      /* results of the run */
};

static inline struct nas *nas_of(const struct bench_run *r)
{
    return r->family;
}

struct nas_settings {
    int class;                             /* enum nas_class */
    const struct application *application; /* constant: IS, or FT */
};

static inline const struct nas_settings *nas_settings(const struct settings *s)
{
    return s->family;
}

/* Loop control: does iteration i run?  The first is 1. */
static inline bool nas_goes_on(const struct nas *nas, int i)
{
    progress_moved();
    return i <= nas->iterations;
}

/* The first fields of both families; each adds its defaults and its own
   fields. */
#define NAS_FAMILY                                                             \
    .name = "nas", .settings = sizeof(struct nas_settings),                    \
    .example.options = "--class=S", .state = sizeof(struct nas),               \
    .end = nas_end, .record = nas_record, .run = nas_run

extern const struct family nas_is_family, nas_ft_family;

/* The parts of the time: one for each MPI call. */
enum { IS_ALLREDUCE, IS_ALLTOALL, IS_ALLTOALLV };
enum { FT_ALLTOALL, FT_ALLREDUCE };

/* --- For the two ---------------------------------------------------------------- */

extern const struct option_row nas_is_options[], nas_ft_options[];
void nas_refuse(const struct context *c, struct refusal *r);
void nas_end(const struct context *c);
void nas_record(const struct context *c, const struct recorded *what,
                struct fields *to);
enum exit_code nas_run(const struct context *c, struct measure *m,
                       struct output *o);

#endif
