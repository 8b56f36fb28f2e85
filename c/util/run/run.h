/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - one run of a program, from the command line to the exit code.
 */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>

#include "base/messages.h"
#include "bench.h"
#include "data/verify.h"
#include "job/placement.h"
#include "job/world.h"
#include "measure.h"
#include "prepare.h"
#include "report/report.h"
#include "timing/clock_sync.h"
#include "watch.h"

/* --- From argv to settings that make sense --- */

/* Read the command line.  true: go on, *s is filled.  false: print what was
   asked for, or what is wrong, was done, and *code is the code to leave with.
   settings_release follows in either case. */
bool command_line_read(const struct bench *b, int argc, char **argv, struct settings *s,
                       enum exit_code *code);

/* What this build cannot do, and what has no effect; before MPI is started.  EXIT_OK,
   or the code to leave with; the first rank says why. */
enum exit_code command_line_check(const struct bench *b, const struct settings *s);

/* Can it be done on so many ranks?  As above; said if speaks.  A file of sizes is read, too: of
   comm by its first rank, and where that is MPI_COMM_NULL by this process, if it speaks. */
enum exit_code command_line_check_ranks(const struct bench *b, struct settings *s, int ranks,
                                        MPI_Comm comm, bool speaks);

/* Leave with that code before MPI is started, and tell who looks on. */
enum exit_code run_refused(const struct bench *b, const struct settings *s, int argc, char **argv,
                           enum exit_code code);

/* --- The run: one object, whose parts are filled in this order --- */

struct job {
    struct context context; /* what all else sees of it, and leads to its parts */

    struct world world; /* start_mpi */

    struct setup setup; /* setup_describe, then find_partners */
    struct placement_talk talk;

    /* look_around, but for the nodes; node MPI_COMM_NULL: not known yet */
    struct placement placement;
    struct clock_facts clock;
    struct clock_sync sync;
    struct plausible_limits limits;
    struct surroundings around; /* found by watchers */
    char identity[384];         /* what is measured, as the first line says it */

    struct rows rows;         /* rows_list */
    struct result *verifying; /* verify_row: the row, and where its data lie */
    struct verify verify;

    struct measure measure; /* where figures come from, and where they go */
    struct report_table table;
};

/* Verify, measure and print every row.  job->rows.left_out: no time was left for these.
   Collective; EXIT_OK, or the code to leave with. */
enum exit_code measure_rows(struct job *job);

/* How it wants MPI to be started: bits of start_how. */
static inline unsigned run_how(const struct bench *b, const struct settings *s)
{
    return (s->session ? STARTUP_BY_SESSION : 0) | (b->takes & TAKES_STEPS ? STARTUP_BARRIERS : 0) |
           (bench_is_threaded(b, s) ? STARTUP_THREADS : 0);
}

/* Collective; returns the exit code, the same on every rank.  Starts MPI, unless *startup
   has begun.  argc and argv: the whole command line, of which *s was made.  sum: becomes the
   verified iterations of all rows, and those of them with wrong data; or NULL. */
enum exit_code run_program(const struct bench *b, struct settings *s, struct world_start *startup,
                           int argc, char **argv, struct verified *sum);

#endif
