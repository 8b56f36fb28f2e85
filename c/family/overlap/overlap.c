/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlap.h"

#include <math.h>

#include "base/simulation.h"
#include "data/gpu.h"
#include "record/fields.h"
#include "run/measure.h"
#include "side_by_side/side_by_side.h"

/* --- How much of the processor is left ----------------------------------------- */

/* Parts of a row: its share of the bandwidth without computation, and the
   computation's share of the time. */
enum { OF_FULL, LEFT };

static const double FULL = 0.99; /* of the bandwidth */

/* So many times the bandwidth without computation cannot be: that pass was disturbed. */
static const double DISTURBED = 1.25;

static double left_between(const struct result *before, const struct result *after)
{
    const double fall = before->part[OF_FULL] - after->part[OF_FULL];
    const double way = fall > 0 ? (before->part[OF_FULL] - FULL) / fall : 1;

    return before->part[LEFT] + (way > 0 ? way : 0) * (after->part[LEFT] - before->part[LEFT]);
}

static void print_left(FILE *to, const struct rows *rows, const struct row *like)
{
    const struct result *last = NULL, *next = NULL, *result[PARAMETER_MAX];
    const int n = rows_by_parameter(rows, like, result);
    bool disturbed = false;

    for (int i = 0; i < n; i++)
        disturbed = disturbed || result[i]->part[OF_FULL] > DISTURBED;
    for (int i = 0; i < n && next == NULL; i++) {
        /* Without any computation the bandwidth is full, whatever noise says. */
        if (result[i]->part[OF_FULL] >= FULL || result[i]->row->parameter == 0)
            last = result[i];
        else if (last != NULL)
            next = result[i];
    }
    fprintf(to, "# CPU left: size=%zu; ", like->bytes);
    if (disturbed)
        fputs("unknown: the pass without computation was disturbed, repeat "
              "the run;\n",
              to);
    else if (last == NULL)
        fputs("unknown: no value of --compute reaches 99% of the bandwidth;\n", to);
    else if (next == NULL)
        fprintf(to, "%.0f%% or more;\n", 100 * last->part[LEFT]);
    else
        fprintf(to, "%.0f%% at 99%% of the bandwidth;\n", 100 * left_between(last, next));
}

static enum exit_code processor_left_print(FILE *to, const struct context *c,
                                           const struct rows *rows)
{
    fputc('\n', to);
    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].parameter == rows->row[0].parameter && result_mean(&rows->result[i]) > 0)
            print_left(to, rows, &rows->row[i]);
    return EXIT_OK;
}

/* --- Figures ------------------------------------------------------------------- */

static const struct overlap_parts *parts(const struct result *r)
{
    const struct overlap *o = r->family;

    return &o->parts;
}

/* What an iteration with a computation would take without the operation: the computation
   less the time in MPI_Test; of a GPU's, what it lasts alone, as it goes on
   meanwhile. */
static double computation_s(const struct result *r)
{
    const struct overlap *o = r->family;

    return o->computation.target != COMPUTE_ON_CPU ? o->computation.alone_s
                                                   : o->parts.compute - o->parts.test;
}

double overlap_percent(const struct result *r)
{
    return 100 - 100 * (r->scale * r->mean - computation_s(r)) / parts(r)->pure;
}

/* --- Columns ------------------------------------------------------------------ */

static struct cell computation(const struct result *r)
{
    return cell_real(1e6 * computation_s(r));
}

static struct cell hidden(const struct result *r)
{
    const double overlap = overlap_percent(r);

    return cell_real(overlap > 0 ? overlap : 0);
}

static struct cell of_full(const struct result *r)
{
    return cell_real(100 * parts(r)->pure / r->mean);
}

static struct cell left(const struct result *r)
{
    return cell_real(100 * parts(r)->compute / r->mean);
}

static struct cell receiver(const struct result *r)
{
    return cell_real(1e6 * (parts(r)->receiving.start + parts(r)->receiving.wait));
}

static struct cell half_pure(const struct result *r)
{
    return cell_real(1e6 * parts(r)->pure / 2);
}

/* --- Non-blocking collectives --------------------------------------------------- */

const struct report_column report_overlap_columns[] = {
    { { "overall_us", "Overall(us)", 0 }, report_mean },
    { { "compute_us", "Compute(us)", 0 }, computation },
    { { "init_us", "Coll. Init(us)", 0 }, COLUMN_US(struct overlap, parts.start), .full = true },
    { { "test_us", "MPI_Test(us)", 0 }, COLUMN_US(struct overlap, parts.test), .full = true },
    { { "wait_us", "MPI_Wait(us)", 0 }, COLUMN_US(struct overlap, parts.wait), .full = true },
    { { "pure_us", "Pure Comm.(us)", 0 }, COLUMN_US(struct overlap, parts.pure) },
    { { "pure_min_us", "Min Comm.(us)", 0 },
      COLUMN_US(struct overlap, parts.pure_min),
      .full = true },
    { { "pure_max_us", "Max Comm.(us)", 0 },
      COLUMN_US(struct overlap, parts.pure_max),
      .full = true },
    { { "overlap_percent", "Overlap(%)", 0 }, hidden },
    COLLECTIVE_COLUMNS,
    { .value = NULL },
};

void report_overall_line(FILE *to, const struct bench_run *r, const struct settings *s)
{
    collective_operation_line(to, r, s);
    if (overlap_computes(s))
        fputs("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n", to);
}

/* Of the operation alone, which is the row itself where nothing is computed. */
static struct cell bandwidth(const struct bench *b, const struct result *r, int column)
{
    return bus_cell(b, r, parts(r)->pure > 0 ? parts(r)->pure : r->mean, column);
}

const struct report report_overlap = { REPORT_OVERLAP, .more = bus_columns, .more_value = bandwidth,
                                       .more_help = bus_help };
const struct report report_overlap_alone = { REPORT_OVERLAP, .no_type_line = true };

/* --- Persistent ones: as above with --compute, else as other collectives ---------------- */

const struct report_column *report_persistent_columns(const struct bench *b,
                                                      const struct settings *s)
{
    return overlap_computes(s) ? report_overlap_columns : NULL;
}

const struct report report_persistent = { REPORT_PERSISTENT, .more = bus_columns,
                                          .more_value = bandwidth, .more_help = bus_help };
const struct report report_persistent_alone = { REPORT_PERSISTENT, .no_type_line = true };

/* The same where an iteration is a round trip. */
const struct report report_persistent_round_trip = {
    REPORT_ROUND_TRIP,
    .sample = "one round trip, seen by rank 0; with --compute a computation of "
              "both ranks during either message",
    .columns = report_persistent_columns,
    .preamble = report_overall_line,
};

/* --- Bandwidth during a computation --------------------------------------------- */

static const struct report_column bandwidth_columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, report_mean },
    { { "of_full_percent", "Of Full(%)", 0 }, of_full },
    { { "compute_us", "Compute(us)", 0 }, computation },
    { { "left_percent", "CPU Left(%)", 0 }, left },
    { .value = NULL },
};

const struct report report_overlap_bandwidth = {
    .unit = "MB/s",
    .sample = "one window of messages, a computation and the acknowledgement",
    .printed = MB_PER_S ", one direction), payload / mean time; its share of "
                        "that without computation; and the computation's "
                        "share of the time",
    .is_rate = true,
    .headline = bandwidth_columns,
};

/* --- A message whose sender computes ------------------------------------------------ */

/* More than all of the message is left: the computation delayed something else, such as
   the acknowledgement of a rank that had to wait for long. */
static const double DELAYED = 1.5; /* of the message alone */

static struct cell progress(const struct result *r)
{
    const double left = (r->mean - computation_s(r)) / parts(r)->pure;

    return left > DELAYED ? cell_word("-") : hidden(r);
}

static const struct report_column progress_columns[] = {
    { { "overall_us", "Overall(us)", 0 }, report_mean },
    { { "compute_us", "Compute(us)", 0 }, computation },
    { { "wait_us", "MPI_Wait(us)", 0 }, COLUMN_US(struct overlap, parts.wait) },
    { { "pure_us", "Pure Comm.(us)", 0 }, COLUMN_US(struct overlap, parts.pure) },
    { { "progress_percent", "Progress(%)", 0 }, progress },
    { .value = NULL },
};

const struct report report_progress = {
    .unit = "us",
    .sample = "one message, the computation of its sender and the "
              "acknowledgement, seen by rank 0",
    .printed = "us, means over iterations; and the percent of a message without "
               "computation that the computation hid",
    .headline = progress_columns,
};

/* --- Time inside calls ------------------------------------------------------------ */

static const struct report_column overhead_columns[] = {
    { { "send_overhead_us", "Send(us)", 0 }, report_mean },
    { { "recv_overhead_us", "Receive(us)", 0 }, receiver },
    { { "latency_us", "Latency(us)", 0 }, half_pure },
    { { "isend_us", "MPI_Isend(us)", 0 },
      COLUMN_US(struct overlap, parts.sending.start),
      .full = true },
    { { "send_wait_us", "its Wait(us)", 0 },
      COLUMN_US(struct overlap, parts.sending.wait),
      .full = true },
    { { "irecv_us", "MPI_Irecv(us)", 0 },
      COLUMN_US(struct overlap, parts.receiving.start),
      .full = true },
    { { "recv_wait_us", "its Wait(us)", 0 },
      COLUMN_US(struct overlap, parts.receiving.wait),
      .full = true },
    { { "compute_us", "Compute(us)", 0 }, computation, .full = true },
    { .value = NULL },
};

const struct report report_overhead = {
    .unit = "us",
    .sample = "the calls of one message, seen by rank 0, which sends",
    .printed = "us inside the calls, mean over iterations, of the sender and of the "
               "receiver; and half a round trip without computation",
    .headline = overhead_columns,
};

enum { TRIALS = 5, ROUNDS = 4, FIRST_WORK = 1000 };

/* Total length of the trials of one duration, s */
static const double LONG_TRIALS = 0.1;
/* Seconds of work until a GPU runs at full speed */
static const double AWAKE = 0.1;
static const double CLOSE = 0.02; /* accepted error of the duration, relative */

/* A chain of dependent multiplications.  Its time is proportional to steps, and
   it uses no memory that the operation may need. */
static void work(long steps)
{
    static volatile double sink __attribute__((unused));
    double x = 1.0000001;

    for (long i = 0; i < steps; i++)
        x = x * 1.0000001 + 1e-9;
    sink = x;
}

/* Compute until the time is over. */
static void work_until(double seconds)
{
    const clock_ticks begun = clock_now();

    do
        work(FIRST_WORK / 10);
    while (!SIMULATED && clock_seconds(clock_now() - begun) < seconds);
}

/* Compute one slice.  On the CPU it is a part of the steps, on the GPU a part
   of the time. */
static void slice(const struct computation *c, int i, int slices, clock_ticks begun)
{
    if (c->target != COMPUTE_ON_GPU) {
        /* Multiply first, so that the slices add up to the whole. */
        work(c->work * (i + 1) / slices - c->work * i / slices);
        return;
    }
    while (i + 1 < slices && clock_seconds(clock_now() - begun) < c->alone_s * (i + 1) / slices)
        continue;
}

clock_ticks computation_run(const struct computation *c, MPI_Request *request)
{
    const int slices = c->tests + 1;
    const clock_ticks begun = c->target == COMPUTE_ON_GPU ? clock_now() : 0;
    clock_ticks testing = 0;

    if (c->lasts_s > 0) {
        work_until(c->lasts_s);
        return 0;
    }
    if (c->target != COMPUTE_ON_CPU)
        gpu_must(gpu_runtime()->compute(c->gpu_work), "computing");
    for (int i = 0; i < slices; i++) {
        slice(c, i, slices, begun);
        if (i < c->tests) {
            const clock_ticks before = clock_now();
            int done;

            MPI_Test(request, &done, MPI_STATUS_IGNORE);
            testing += clock_now() - before;
        }
    }
    if (c->target != COMPUTE_ON_CPU)
        gpu_must(gpu_runtime()->finish(), "computing");
    return testing;
}

/* Run so many steps on the GPU, and wait for them. */
static void gpu_work(long steps)
{
    gpu_must(gpu_runtime()->compute(steps) && gpu_runtime()->finish(), "computing");
}

/* The duration of so many steps: the shortest of a few trials, or of fewer if
   they are long, since disturbances only add time. */
static double time_of(void (*compute)(long), long steps)
{
    double best = 0, sum = 0;

    for (int trial = 0; trial < TRIALS && sum < LONG_TRIALS; trial++) {
        const clock_ticks before = clock_now();

        compute(steps);
        const double took = clock_seconds(clock_now() - before);
        if (trial == 0 || took < best)
            best = took;
        sum += took;
    }
    return best;
}

/* Over the ranks for which it counts; 0: there are none. */
static double mean_over(MPI_Comm comm, double mine, bool counts)
{
    const struct spread spread = over_ranks_spread(comm, mine, counts);

    return spread.ranks > 0 ? spread.mean : 0;
}

/* The number of steps that last so long, including the launch of a kernel; a
   launch takes no time on the CPU. */
static long calibrate(MPI_Comm comm, void (*compute)(long), double seconds, double *alone_s)
{
    const double launch = compute == work ? 0 : mean_over(comm, time_of(compute, 0), true);
    long steps = FIRST_WORK;

    *alone_s = mean_over(comm, time_of(compute, steps), true);
    for (int round = 0; round < ROUNDS; round++) {
        const double step = (*alone_s - launch) / (double)steps;

        if (!(step > 0 && seconds > launch)) { /* simulated time, or no time */
            steps = compute == work ? 1 : 0;
            *alone_s = mean_over(comm, time_of(compute, steps), true);
            break;
        }
        steps = (long)((seconds - launch) / step) + 1;
        *alone_s = mean_over(comm, time_of(compute, steps), true);
        if (fabs(*alone_s / seconds - 1) < CLOSE)
            break;
    }
    return steps;
}

/* An idle GPU is slower than a busy one: let it work before it is timed. */
static void wake_gpu(void)
{
    static bool awake;
    const clock_ticks begun = clock_now();

    while (!awake && clock_seconds(clock_now() - begun) < AWAKE)
        gpu_work(FIRST_WORK);
    awake = true;
}

/* Measure c->alone_s again after a pass.  A GPU's clock follows its load, so
   the duration after the pass is that in the pass.  The duration on the CPU
   stays.  Collective over comm. */
static void computation_look_again(struct computation *c, MPI_Comm comm)
{
    if (c->target == COMPUTE_ON_CPU)
        return;
    const double gpu_s = mean_over(comm, time_of(gpu_work, c->gpu_work), true);

    c->alone_s = gpu_s > c->work_s ? gpu_s : c->work_s;
}

/*
 * Find one computation for all ranks: steps that last so many seconds, mean
 * over ranks.  That number of steps is itself timed, and changed until it fits.
 * On a GPU a kernel lasts at least as long as its launch.  c->alone_s becomes
 * the duration without any communication, mean over the ranks.  One that lasts so long
 * by the clock needs no steps.  Collective over comm.
 */
static void computation_calibrate(struct computation *c, MPI_Comm comm, double seconds)
{
    double gpu_s = 0;

    c->work = c->gpu_work = 0;
    c->work_s = c->alone_s = c->lasts_s;
    if (c->lasts_s > 0)
        return;
    if (c->target != COMPUTE_ON_GPU)
        c->work = calibrate(comm, work, seconds, &c->work_s);
    if (c->target != COMPUTE_ON_CPU) {
        wake_gpu();
        c->gpu_work = calibrate(comm, gpu_work, seconds, &gpu_s);
    }
    /* CPU and GPU compute at the same time. */
    c->alone_s = gpu_s > c->work_s ? gpu_s : c->work_s;
}

const struct choice overlap_target_words[] = {
    { "cpu", COMPUTE_ON_CPU, "the CPU of each rank" },
    { "gpu", COMPUTE_ON_GPU, "the GPU of each rank" },
    { "both", COMPUTE_ON_BOTH, "both at once" },
    { 0 },
};

static const struct option_row options[] = { COLLECTIVE_OPTIONS, OVERLAP_OPTIONS, { 0 } };
static const struct option_row persistent_options[] = { COLLECTIVE_OPTIONS,
                                                        PERSISTENT_OPTIONS,
                                                        { 0 } };
static const struct overlap_settings defaults, alone = { .target = COMPUTE_NOT };

void overlap_refuse(const struct context *c, struct refusal *r)
{
    if (overlap_settings(c->settings)->tests > 0 && !overlap_computes(c->settings))
        refusal_because(r, E12_USAGE,
                        "-t needs --compute: without it there is no "
                        "computation to call MPI_Test in");
    collective_refuse(c, r);
}

void overlap_plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    const enum compute_on target = overlap_settings(s)->target;

    collective_plan(b, s, plan);
    plan->computes_on_gpu = target == COMPUTE_ON_GPU || target == COMPUTE_ON_BOTH;
}

void overlap_describe(const struct context *c)
{
    const struct overlap_settings *s = overlap_settings(c->settings);
    struct overlap *o = overlap_of(c->run);

    collective_describe(c);
    o->computation.tests = s->tests;
    o->computation.target = s->target;
    o->back_to_back =
        c->run->as_omb && !bench_is_sized(c->bench) && !(c->bench->loop & BINDS_BUFFERS);
}

/* --- Measuring --------------------------------------------------------------- */

void overlap_forget(struct bench_run *r, bool before, bool batch)
{
    struct overlap *o = overlap_of(r);
    const struct overlap_sums none = { 0 }, all = o->sum, old = o->before;

    if (batch)
        o->sum = before ? none : old;
    else if (before)
        o->sum = (struct overlap_sums){ .start = all.start - old.start,
                                        .compute = all.compute - old.compute,
                                        .test = all.test - old.test,
                                        .wait = all.wait - old.wait,
                                        .iterations = all.iterations - old.iterations };
    o->before = o->sum;
}

void overlap_note(struct bench_run *r, clock_ticks begun, struct overlap_part part)
{
    overlap_note_part(r, begun, part, r->iterations.mark + *r->iterations.next);
}

void overlap_note_part(struct bench_run *r, clock_ticks begun, struct overlap_part part,
                       clock_ticks now)
{
    struct overlap *o = overlap_of(r);

    if (r->iterations.next < r->iterations.counted || r->iterations.late)
        return;
    o->sum.start += part.started - begun;
    o->sum.compute += part.computed - part.started;
    o->sum.test += part.tested;
    o->sum.wait += now - part.computed;
    o->sum.iterations++;
}

/* The parts of an iteration with a computation: means over iterations, then over ranks.  A rank
   that notes nothing computes nothing, and does not count. */
static void gather_parts(const struct bench_run *r, MPI_Comm comm, struct overlap_parts *parts)
{
    const struct overlap_sums *sum = &overlap_of(r)->sum;
    const bool computes = sum->iterations > 0;
    const bool sends = computes && r->sender, receives = computes && !r->sender;
    const double iterations = fmax(1, (double)sum->iterations);
    const double start = clock_seconds(sum->start) / iterations;
    const double wait = clock_seconds(sum->wait) / iterations;

    parts->start = mean_over(comm, start, computes);
    parts->compute = mean_over(comm, clock_seconds(sum->compute) / iterations, computes);
    parts->test = mean_over(comm, clock_seconds(sum->test) / iterations, computes);
    parts->wait = mean_over(comm, wait, computes);
    parts->sending.start = mean_over(comm, start, sends);
    parts->sending.wait = mean_over(comm, wait, sends);
    parts->receiving.start = mean_over(comm, start, receives);
    parts->receiving.wait = mean_over(comm, wait, receives);
}

/* A piece of a computation, in readings of the clock: shorter ones last about as long as
   the MPI_Test between them, with a reading before and after it. */
static const double LEAST_PIECE = 10;

/* Is MPI_Test called so often that Overlap says nothing? */
static bool is_crowded(const struct overlap *o, const struct context *c)
{
    const double piece_s = o->computation.alone_s / (o->computation.tests + 1);

    return !SIMULATED && o->computation.tests > 0 && piece_s < LEAST_PIECE * c->clock->cost_s;
}

/* share is the length of the computation, relative to a pure iteration. */
static void measure_passes(struct measure *m, double share, struct result *result)
{
    const struct bench_run *r = m->context->run;
    const MPI_Comm comm = m->context->world->comm;
    const double budget_s = settings_budget(m->context->settings) / 2;
    const double scale = result->scale;
    struct overlap *o = overlap_of(r);

    o->computing = false;
    measure_pass(m, result, budget_s);
    o->parts = (struct overlap_parts){ .pure = scale * result->mean,
                                       .pure_min = scale * result->mean_min,
                                       .pure_max = scale * result->mean_max };
    /* One computation for all ranks: otherwise ranks that return early would
       compute less and hide more. */
    computation_calibrate(&o->computation, comm, share * o->parts.pure);
    if (is_crowded(o, m->context))
        result->doubts |= 1U << DOUBT_TESTS;
    o->computing = true;
    const bool pure_is_precise = result->precise;
    measure_pass(m, result, budget_s);
    result->precise = result->precise && pure_is_precise;
    computation_look_again(&o->computation, comm);
    gather_parts(r, comm, &o->parts);
    o->computing = false; /* verify the operation alone */
}

void overlap_measure(struct measure *m, struct result *result)
{
    if (!overlap_computes(m->context->settings)) {
        collective_measure(m, result);
        return;
    }
    measure_passes(m, 1, result);
    collective_gather(m);
}

static void measure_overhead(struct measure *m, struct result *result)
{
    measure_passes(m, 1, result);
}

/* Programs that always compute, on the processor. */
static void plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    plan->times_transfer = b->family == &overlap_bw_family;
}

void overlap_measure_by_parameter(struct measure *m, struct result *result)
{
    measure_passes(m, (double)m->context->run->parameter / 100, result);
}

static void measure_processor_left(struct measure *m, struct result *result)
{
    const struct overlap_parts *parts = &overlap_of(m->context->run)->parts;

    overlap_measure_by_parameter(m, result);
    result->part[OF_FULL] = parts->pure / result->mean;
    result->part[LEFT] = parts->compute / result->mean;
}

static void measure_progress(struct measure *m, struct result *result)
{
    const struct bench_run *r = m->context->run;

    overlap_of(r)->computation.lasts_s = 1e-6 * (double)r->parameter;
    measure_passes(m, 0, result);
}

/* --- Output ------------------------------------------------------------------ */

void overlap_record_parts(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct overlap *o = overlap_of(c->run);
    const struct overlap_parts *p = &o->parts;

    if (what->result == NULL)
        return;
    const struct fields overlap = fields_object(*to, "overlap");

    fields_us(overlap, "start_us", p->start);
    fields_us(overlap, "compute_us", p->compute);
    fields_us(overlap, "test_us", p->test);
    fields_us(overlap, "wait_us", p->wait);
    fields_us(overlap, "pure_us", p->pure);
    fields_us(overlap, "pure_min_us", p->pure_min);
    fields_us(overlap, "pure_max_us", p->pure_max);
    fields_us(overlap, "compute_alone_us", o->computation.alone_s);
    fields_real(overlap, "overlap_percent", overlap_percent(what->result));
}

static void record_overhead(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct overlap *o = overlap_of(c->run);
    const struct overlap_parts *p = &o->parts;

    if (what->result == NULL)
        return;
    const struct fields overhead = fields_object(*to, "overhead");

    fields_us(overhead, "isend_us", p->sending.start);
    fields_us(overhead, "send_wait_us", p->sending.wait);
    fields_us(overhead, "irecv_us", p->receiving.start);
    fields_us(overhead, "recv_wait_us", p->receiving.wait);
    fields_us(overhead, "compute_us", p->compute);
    fields_us(overhead, "compute_alone_us", o->computation.alone_s);
    fields_us(overhead, "latency_us", p->pure / 2);
}

void overlap_record(const struct context *c, const struct recorded *what, struct fields *to)
{
    if (overlap_computes(c->settings))
        overlap_record_parts(c, what, to);
    collective_record(c, what, to);
}

#define OF_COLLECTIVES                                                                             \
    .name = "overlap", .settings = sizeof defaults, .plan = overlap_plan,                          \
    .state = sizeof(struct overlap), .describe = overlap_describe, COLLECTIVE_HOOKS, OVERLAP_HOOKS

const struct family overlap_family = {
    OF_COLLECTIVES,
    .options = options,
    .defaults = &defaults,
};
const struct family persistent_family = {
    OF_COLLECTIVES,
    .options = persistent_options,
    .defaults = &alone,
};

#define OF_PAIRS                                                                                   \
    .name = "overlap", .plan = plan, .state = sizeof(struct overlap), .forget = overlap_forget

const struct family overlap_bw_family = {
    OF_PAIRS,
    .measure = measure_processor_left,
    .print = processor_left_print,
    .record = overlap_record_parts,
};
const struct family progress_family = {
    OF_PAIRS,
    .measure = measure_progress,
    .record = overlap_record_parts,
};
const struct family overhead_family = {
    OF_PAIRS,
    .measure = measure_overhead,
    .record = record_overhead,
};
