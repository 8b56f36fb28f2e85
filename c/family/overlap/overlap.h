/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap.h - a computation between the start of an operation and its
 *             completion.
 *
 * Measured in two passes:
 *   pure      the operation alone;
 *   computing start, compute, wait: the computation is as long as the pure
 *             iteration, mean over ranks, and has the same number of steps on every
 *             rank.
 *
 * overlap_family, overlap_run: how much of it non-blocking collectives hide.
 * Sample   in the second pass, from before the start to after the wait.
 * Printed  its mean; the computation (less the time in MPI_Test); the pure
 *          time; and 100 - 100 (overall - computation) / pure, the share of
 *          the operation that the computation hid, shown as 0 if negative.
 *
 * persistent_family, overlap_run_persistent: the same of persistent collectives
 * with --compute, and without it the pure pass alone.
 *
 * Where an iteration is a round trip (partitions.h), either message has a computation of
 * its own, and all figures are of one message, half of the iteration.
 *
 * overhead_family, overlap_apart: the time that an operation needs in MPI's calls
 * although it could complete during the computation.
 * Sample   in the second pass, the start and the wait, without the computation
 *          between them.
 *
 * progress_family: how much of a message moves while its sender alone computes.  The
 * parameter is the length of the computation, in us; the pure iteration is that of overlap_run.
 *
 * overlap_bw_family: how much of the CPU is left.  The parameter is the length of
 * the computation, in percent of the pure iteration.
 */
#ifndef OVERLAP_H
#define OVERLAP_H

#include <mpi.h>

#include "collective/collective.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"
#include "report/report.h"
#include "report/result.h"
#include "timing/clock.h"

/* --- The tables of programs that compute beside their operation -------------------- */

extern const struct report report_overlap, /* overall, computation, pure, hidden */
    report_overlap_alone,                  /* the same without sizes and types */
    report_persistent,                     /* as report_collective, or overlap */
    report_persistent_alone,               /* the same without sizes and types */
    report_persistent_round_trip,          /* as report_round_trip, or overlap */
    report_overlap_bandwidth,              /* beside a computation, and its share */
    report_progress,                       /* a message whose sender computes */
    report_overhead;                       /* the calls of a message, on either side */

/* --- For reports of families that begin with this one ------------------------ */

extern const struct report_column report_overlap_columns[];

void report_overall_line(FILE *to, const struct bench_run *r, const struct settings *s);

#define REPORT_OVERLAP                                                                             \
    .unit = "us", .sample = "start, computation and wait, on every rank",                          \
    .printed = "us, means over iterations, then over ranks; overlap in percent of "                \
               "the pure time",                                                                    \
    .headline = report_overlap_columns, .preamble = report_overall_line, .managed_in_title = true

const struct report_column *report_persistent_columns(const struct bench *b,
                                                      const struct settings *s);
#define REPORT_PERSISTENT                                                                          \
    .unit = "us",                                                                                  \
    .sample = "start and wait, on every rank, after all ranks were "                               \
              "synchronized; with --compute a computation between them",                           \
    .printed = "us, mean over iterations, then over ranks", .headline = collective_headline,       \
    .columns = report_persistent_columns, .preamble = report_overall_line

/* --- For the record ----------------------------------------------------------- */

/* OMB's overlap in percent, unclipped:
   100 - 100 (overall - computation) / pure. */
double overlap_percent(const struct result *r);

/*
 * A computation of so many steps on the CPU, on a GPU, or on
 * both at the same time; the same number of steps on every
 * rank.
 */

/* Where the computation runs. */
enum compute_on {
    COMPUTE_ON_CPU,
    COMPUTE_ON_GPU,
    COMPUTE_ON_BOTH,
    COMPUTE_NOT /* there is none */
};

struct computation {
    enum compute_on target;
    double lasts_s;      /* above 0: so long by the clock, on the CPU, whatever the steps */
    long work, gpu_work; /* steps on the CPU and on the GPU */
    int tests;           /* MPI_Test calls spread over it */
    /* Duration on the CPU, and of the whole computation, without
       communication. */
    double work_s, alone_s;
};

/* Compute; returns the time spent in MPI_Test, which one that lasts so long by the
   clock does not call. */
clock_ticks computation_run(const struct computation *c, MPI_Request *request);

/* The parts of an iteration of the second pass: means over iterations and ranks, in
   seconds. */
struct overlap_parts {
    double start, compute, test, wait;
    /* The same for the ranks that send, and for the others. */
    struct {
        double start, wait;
    } sending, receiving;
    /* First pass: mean, and least and greatest over ranks; of a round trip half */
    double pure, pure_min, pure_max;
};

/* Parts of an iteration, summed over so many iterations. */
struct overlap_sums {
    clock_ticks start, compute, test, wait;
    long iterations;
};

/* The collective family finds its own at the beginning of either. */
struct overlap {
    struct collective collective;
    bool computing;    /* the second pass is under way */
    bool back_to_back; /* in the first pass: osu_ibarrier */
    struct computation computation;
    struct overlap_sums sum, before; /* so far; of the batches before this one */
    struct overlap_parts parts;      /* parts of the last measured row */
};

FAMILY_OF(bench_run, struct overlap, overlap_of)

struct overlap_settings {
    struct collective_settings collective;
    int tests;              /* -t */
    enum compute_on target; /* -r, --compute */
};

FAMILY_OF(settings, const struct overlap_settings, overlap_settings)

static inline bool overlap_computes(const struct settings *s)
{
    return overlap_settings(s)->target != COMPUTE_NOT;
}

extern const struct family overlap_family, /* non-blocking collectives */
    persistent_family,                     /* persistent ones */
    overlap_bw_family,                     /* without options */
    progress_family,                       /* the same */
    overhead_family;                       /* the same */

/* --- Loops ------------------------------------------------------------------ */

/* The non-blocking call itself, or what completes it. */
typedef void overlap_start(struct bench_run *r, MPI_Request *request);

/* The computation of an iteration, if it has one: when it began and ended, and the
   time in MPI_Test. */
struct overlap_part {
    clock_ticks started, computed, tested;
};

static inline struct overlap_part overlap_part(const struct overlap *o, MPI_Request *request)
{
    struct overlap_part part = { .started = clock_now() };

    part.tested = o->computing ? computation_run(&o->computation, request) : 0;
    part.computed = clock_now();
    return part;
}

/* Add the parts of the iteration that just ended, unless it is a lead-in.  begun is
   the iteration's first reading of the clock; part is the computation in it. */
void overlap_note(struct bench_run *r, clock_ticks begun, struct overlap_part part);

/* The same of an iteration that has several computations; this one's message was done now. */
void overlap_note_part(struct bench_run *r, clock_ticks begun, struct overlap_part part,
                       clock_ticks now);

static inline void overlap_wait(struct bench_run *r, MPI_Request *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

/* Run either pass.  Inlined, so that start and wait become direct calls. */
__attribute__((always_inline)) static inline void overlap_iterations(struct bench_run *r,
                                                                     overlap_start *start,
                                                                     overlap_start *wait,
                                                                     MPI_Request *request)
{
    const struct overlap *o = overlap_of(r);

    if (!o->computing) {
        while (bench_next(r)) {
            if (!o->back_to_back)
                bench_sync(r);
            bench_start(r);
            start(r, request);
            wait(r, request);
            bench_stop(r);
        }
        return;
    }
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        start(r, request);
        const struct overlap_part part = overlap_part(o, request);
        wait(r, request);
        bench_stop(r);
        overlap_note(r, r->iterations.mark, part);
    }
}

__attribute__((always_inline)) static inline void overlap_run(struct bench_run *r,
                                                              overlap_start *start)
{
    MPI_Request request;

    overlap_iterations(r, start, overlap_wait, &request);
}

static inline void overlap_restart(struct bench_run *r, MPI_Request *request)
{
    MPI_Start(request);
}

/* The same of a request that init makes once for a batch. */
__attribute__((always_inline)) static inline void overlap_run_persistent(struct bench_run *r,
                                                                         overlap_start *init)
{
    MPI_Request request;

    init(r, &request);
    overlap_iterations(r, overlap_restart, overlap_wait, &request);
    MPI_Request_free(&request);
}

/* The second pass of iterations that are round trips: start a message, which request 0 sends or
   request 1 receives, compute and wait; the same the other way. */
__attribute__((always_inline)) static inline void
overlap_messages(struct bench_run *r, void (*start)(struct bench_run *r, bool sends))
{
    while (bench_repeat(r))
        for (int way = 0; way < 2; way++) {
            const bool sends = r->sender == (way == 0);
            MPI_Request *request = &r->request[sends ? 0 : 1];
            const clock_ticks begun = clock_now();

            start(r, sends);
            const struct overlap_part part = overlap_part(overlap_of(r), request);
            MPI_Wait(request, MPI_STATUS_IGNORE);
            overlap_note_part(r, begun, part, clock_now());
        }
}

/* The second pass with the computation left out of the iteration. */
__attribute__((always_inline)) static inline void overlap_apart(struct bench_run *r,
                                                                overlap_start *start)
{
    const struct overlap *o = overlap_of(r);
    MPI_Request request;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        const clock_ticks begun = r->iterations.mark;
        start(r, &request);
        const struct overlap_part part = overlap_part(o, &request);
        bench_leave_out(r, part.started, part.computed);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bench_stop(r);
        overlap_note(r, begun, part);
    }
}

/* --- For families whose state and settings begin with these ------------------ */

extern const struct choice overlap_target_words[];

#define OVERLAP_TESTS                                                                              \
    {                                                                                              \
        't', "num-test-calls", "N",                                                                \
            .group = OPTIONS_COLLECTIVE, .common = true,                                           \
            .help = "MPI_Test calls during the computation", .fallback = "0", .kind = OPTION_INT,  \
            .offset = offsetof(struct overlap_settings, tests), .max = 1 << 20,                    \
            .json = "test_calls"                                                                   \
    }
#define OVERLAP_OPTIONS                                                                            \
    OVERLAP_TESTS,                                                                                 \
    {                                                                                              \
        'r', "cuda-target", "WHAT",                                                                \
            .group = OPTIONS_COLLECTIVE, .help = "what computes during the operation",             \
            .fallback = "cpu", .kind = OPTION_CHOICE,                                              \
            .offset = offsetof(struct overlap_settings, target), .choices = overlap_target_words,  \
            .json = "computed_by"                                                                  \
    }
#define PERSISTENT_OPTIONS                                                                         \
    OVERLAP_TESTS,                                                                                 \
    {                                                                                              \
        0, "compute", "WHAT",                                                                      \
            .optional = true, .group = OPTIONS_COLLECTIVE, .common = true,                         \
            .help = "compute during the operation; between start and wait, "                       \
                    "and print how much of it that hides",                                         \
            .fallback = "off; WHAT: cpu", .missing = "cpu", .kind = OPTION_CHOICE,                 \
            .offset = offsetof(struct overlap_settings, target), .choices = overlap_target_words,  \
            .json = "computed_by"                                                                  \
    }

/* Hooks of struct family; those that operations of all ranks and of neighborhoods share.
   Where nothing computes they measure and record as the collective family. */
void overlap_plan(const struct bench *b, const struct settings *s, struct plan *plan);
void overlap_refuse(const struct context *c, struct refusal *r);
void overlap_describe(const struct context *c);
void overlap_forget(struct bench_run *r, bool before, bool batch);
void overlap_measure(struct measure *m, struct result *result);
void overlap_record(const struct context *c, const struct recorded *what, struct fields *to);
#define OVERLAP_HOOKS                                                                              \
    .refuse = overlap_refuse, .forget = overlap_forget, .measure = overlap_measure,                \
    .record = overlap_record

/* The parameter of the row is the length of the computation, in percent of the pure iteration. */
void overlap_measure_by_parameter(struct measure *m, struct result *result);

/* The parts of an iteration, in the fields of the row. */
void overlap_record_parts(const struct context *c, const struct recorded *what, struct fields *to);

#endif
