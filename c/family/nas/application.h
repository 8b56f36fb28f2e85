/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * application.h - programs that run once, as an application does: NAS IS, FT.
 *
 * A lap is a whole run.  Its loop over iterations is written out in the program,
 * with the MPI calls; what a rank computes between them stands in is_kernel.h and
 * ft_kernel.h.  The harness lets one iteration run untimed, then all of them timed,
 * and has the outcome verified (application_run.h).
 */
#ifndef APPLICATION_H
#define APPLICATION_H

#include "ft_kernel.h"
#include "is_kernel.h"
#include "memory/memory.h"
#include "base/messages.h"
#include "call_times.h"
#include "loop.h"
#include "job/watchdog.h"

/* What a loop sees: bench_run.application. */
struct application_run {
    enum nas_class class;
    int iterations; /* of this lap */
    struct parts parts;
    struct keys keys;        /* IS */
    struct grid grid;        /* FT */
    struct buffer buffer[3]; /* of the grid */
};

struct application {
    enum nas_class usual;         /* without --class */
    const char *calls[PARTS_MAX]; /* names of the parts: MPI calls */
    bool (*is_built)(void);       /* or NULL; false: a library was missing */
    const char *missing;          /* that library */

    /* Can so many ranks run it?  If not, why[] says what the number must be. */
    bool (*divides)(enum nas_class class, int ranks, char *why, size_t room);
    size_t (*bytes)(enum nas_class class, int ranks); /* on a rank, at most */
    int (*iterations)(enum nas_class class);
    double (*operations)(enum nas_class class); /* of a run, for Mop/s */
    void (*describe)(enum nas_class class, char *text, size_t room);

    /* Memory and what else is untimed; false: out of memory.  end in any
       case. */
    bool (*begin)(struct bench_run *r);
    void (*end)(struct bench_run *r);
    /* After a run of all iterations: is the outcome right?  If not, why[] says
       what is wrong.  Collective; alike on all ranks. */
    bool (*verify)(struct bench_run *r, char *why, size_t room);
};

/* Which call is which part of application_is, and of application_ft. */
enum { IS_ALLREDUCE, IS_ALLTOALL, IS_ALLTOALLV };
enum { FT_ALLTOALL, FT_ALLREDUCE };

extern const struct application application_is, application_ft;

/* "A" */
const char *application_class_name(enum nas_class class);

/* The class of a run: as settings have it, or the program's own. */
static inline enum nas_class application_class(const struct application *a,
                                               int asked)
{
    return asked >= 0 ? (enum nas_class)asked : a->usual;
}

/* Can it be divided among so many ranks?  EXIT_OK, or the code to leave with,
   said why if it speaks. */
enum exit_code application_check_ranks(const struct application *a,
                                       const char *program,
                                       const char *started_as,
                                       enum nas_class class, int ranks,
                                       bool speaks);

/* What a class needs, for --dry-run. */
void application_print_plan(const struct application *a, enum nas_class class,
                            int ranks, double available);

/* Loop control: is there an iteration i, from 1 on? */
static inline bool application_goes_on(const struct application_run *a, int i)
{
    watchdog_moved();
    return i <= a->iterations;
}

#endif
