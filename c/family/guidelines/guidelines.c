/* SPDX-License-Identifier: BSD-3-Clause */
#include "guidelines.h"

#include <limits.h>
#include <math.h>

#include "base/sizes.h"
#include "base/stats.h"
#include "bench.h"
#include "job/world.h"
#include "record/fields.h"
#include "report/result.h"
#include "run/measure.h"

/* (z(1 - 0.025 / k) / z(0.975))^2 for k mock-ups: so much longer the autocorrelation time
   is taken, the interval has a confidence of 1 - 0.05 / k. */
static const double WIDER[ROUNDS_MOST] = { 1, 1, 1.3078, 1.4920 };

/* The same for a confidence of 99 % in place of 95 %. */
static const double SURER = 1.7272;

static struct guideline_ratio ratio_of(const double *native, const double *mock, int rounds,
                                       double least_s, double wider, double *room)
{
    const size_t n = (size_t)rounds;
    double *sorted = room + rounds;
    struct guideline_ratio ratio = { .median = 0 };
    struct stats s;
    size_t low, high;
    double tau;

    for (int k = 0; k < rounds; k++)
        room[k] = fmax(native[k], least_s) / fmax(mock[k], least_s);
    s = stats_of_series(room, sorted, n);
    /* Where the clock does not tell ratios apart, they do not depend on each other. */
    if (n > 0 &&
        sorted[n - 1] - sorted[0] <=
            2 * least_s * s.median * (1 / fmax(native[0], least_s) + 1 / fmax(mock[0], least_s)))
        s.tau = 1;
    tau = s.tau * wider;
    ratio.median = s.median;
    ratio.has_interval = stats_ranks_tau(n, 0.5, tau, &low, &high);
    if (ratio.has_interval) {
        ratio.low = sorted[low - 1];
        ratio.high = sorted[high - 1];
    }
    if (stats_ranks_tau(n, 0.5, tau * SURER, &low, &high))
        ratio.surely = sorted[low - 1];
    return ratio;
}

static enum guideline_verdict verdict_of(const struct judgement *j, double margin)
{
    const struct guideline_ratio *best = &j->ratio[j->best];

    if (best->surely > 1 + margin)
        return GUIDELINE_VIOLATED;
    for (int o = 1; o < j->n; o++)
        if (!j->ratio[o].has_interval || j->ratio[o].high > 1 + margin)
            return GUIDELINE_UNDECIDED;
    return GUIDELINE_HOLDS;
}

struct judgement judgement_of(const double *time, int n, int rounds, int stride, double least_s,
                              double margin, double *room)
{
    struct judgement j = { .n = n, .rounds = rounds, .best = 1 };

    j.shown.median = j.shown.low = j.shown.high = NAN;
    for (int o = 0; o < n; o++)
        j.time_s[o] = NAN;
    if (rounds == 0)
        return j;
    for (int o = 0; o < n; o++)
        j.time_s[o] = stats_of_series(time + o * stride, room, (size_t)rounds).median;
    for (int o = 1; o < n; o++) {
        j.ratio[o] = ratio_of(time, time + o * stride, rounds, least_s, WIDER[n - 1], room);
        if (j.ratio[o].median > j.ratio[j.best].median)
            j.best = o;
    }
    j.is = verdict_of(&j, margin);
    j.shown = j.ratio[j.best];
    if (!j.shown.has_interval)
        j.shown.low = j.shown.high = NAN;
    return j;
}

static const char *const verdict_words[] = {
    [GUIDELINE_UNDECIDED] = "undecided",
    [GUIDELINE_HOLDS] = "holds",
    [GUIDELINE_VIOLATED] = "violated",
};

/* --- Options ------------------------------------------------------------------- */

#define FIELD(name) .offset = offsetof(struct guideline_settings, name)

static const struct option_row options[] = {
    REDUCTION_OPTION,
    { 0, "margin", "PERCENT", .group = OPTIONS_COLLECTIVE, .common = true,
      .help = "tolerated excess over the fastest mock-up", .fallback = "5%", .kind = OPTION_PERCENT,
      FIELD(margin), .json = "margin" },
    { 0, "gate", NULL, .group = OPTIONS_COLLECTIVE, .common = true,
      .help = "exit with code 2 if a row is violated", .kind = OPTION_FLAG, FIELD(gate) },
    { 0 },
};
static const struct guideline_settings defaults = { .margin = 0.05 };

FAMILY_OF(settings, const struct guideline_settings, settings_of)

/* Mock-ups have vectors of all blocks, whose elements are counted by an int. */
static const char *lacks_row(const struct context *c, const struct row *row)
{
    const size_t count = row->bytes / element_size(row->element);
    const int blocks = c->bench->flow->packed ? c->world->size : 1;

    return count > (size_t)(INT_MAX / blocks)
               ? "a mock-up would have more elements than an MPI count holds"
               : collective_lacks_row(c, row);
}

/* --- State ------------------------------------------------------------------------ */

/* What no buffer of the operation has room for. */
static size_t scratch_bytes(const struct context *c, size_t bytes)
{
    const struct flow *flow = c->bench->flow;

    if (flow->sum && (flow->rooted || flow->dealt != FLOW_WHOLE))
        return bytes;
    return flow->packed && flow->rooted ? size_product(bytes, (size_t)c->world->size) : 0;
}

/* Mock-ups divide vectors; where the operation has packed blocks, these are the parts. */
static size_t parts_of(const struct context *c)
{
    return c->bench->flow->packed ? 0 : (size_t)c->world->size;
}

static void memory(const struct context *c, struct buffers *b)
{
    buffers_add(b, &guideline_of(c->run)->scratch, b->kind, scratch_bytes(c, b->bytes));
    buffers_add(b, NULL, &memory_host, 2 * parts_of(c) * sizeof(int));
}

/* The name of number i of the operations; NULL: there are fewer. */
static const char *name_of(const struct report *report, int i)
{
    const struct report_column *column = &report->headline[i];

    return strcmp(column->column.key, "ratio") != 0 ? column->column.heading : NULL;
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    struct guideline *g = guideline_of(c->run);
    const size_t parts = parts_of(c);
    int n = 0;

    while ((g->name[n] = name_of(c->bench->report, n)) != NULL)
        n++;
    g->far = memory_is_far(b->kind);
    g->state = 1;
    part_times_begin(&g->times, n, ROUNDS_KEPT);
    g->time = world_keep((size_t)(n + 2) * ROUNDS_KEPT, sizeof *g->time, "samples");
    g->parts.counts = world_keep(2 * parts, sizeof *g->parts.counts, "the parts of a vector");
    g->parts.displs = g->parts.counts + parts;
    if (c->world->rank == 0)
        g->blame = world_keep((size_t)c->world->size, sizeof *g->blame, "the slowest ranks");
    return EXIT_OK;
}

static void end(const struct context *c)
{
    lines_end(&guideline_of(c->run)->lines);
    collective_end(c);
}

/* --- A row ------------------------------------------------------------------------- */

static void row(const struct context *c)
{
    const struct flow *flow = c->bench->flow;
    struct guideline *g = guideline_of(c->run);

    c->run->turns = g->times.parts;
    c->run->turn_names = g->name;
    if (parts_of(c) > 0)
        arrays_split(&g->parts, (int)c->run->count, c->run->nranks, flow->dealt == FLOW_WHOLE);
}

static void forget(struct bench_run *r, bool before, bool batch)
{
    part_times_forget(&guideline_of(r)->times, before, batch);
}

int guidelines_draw(struct bench_run *r)
{
    struct guideline *g = guideline_of(r);

    part_times_iteration(&g->times);
    if (r->turn > 0) {
        g->order[0] = r->turn - 1;
        return 1;
    }
    schedule_order(g->order, g->times.parts, &g->state, 0);
    return g->times.parts;
}

void guidelines_keep(struct bench_run *r)
{
    struct part_times *t = &guideline_of(r)->times;
    const int timed = r->turn > 0 ? r->turn - 1 : 0;

    t->sum = part_times_of(t, timed)[t->kept];
    if (r->turn > 0)
        bench_leave_out(r, r->iterations.mark + t->sum, clock_now());
    else
        part_times_leave_rest(t, &r->iterations);
}

/* Bring the rounds that were late on no rank together: on rank 0 time[o * ROUNDS_KEPT + k]
   becomes the time of operation o in round k on its slowest rank, in s.  Returns their
   number. */
static int gather(struct guideline *g, MPI_Comm comm)
{
    const int n = part_times_agree(&g->times, comm);

    for (int o = 0; o < g->times.parts; o++) {
        double *time = g->time + (size_t)o * ROUNDS_KEPT;

        for (int k = 0; k < n; k++)
            time[k] = clock_seconds(part_times_of(&g->times, o)[k]);
        over_ranks_slowest(comm, time, n, time, g->blame);
    }
    return n;
}

/* A line for the end, unless all is well. */
static void say(struct guideline *g, const struct context *c, const struct result *result)
{
    const struct judgement *j = &g->judgement;
    const struct guideline_ratio *best = &j->ratio[j->best];
    FILE *to;

    g->rows++;
    g->violated += j->is == GUIDELINE_VIOLATED;
    g->undecided += j->is == GUIDELINE_UNDECIDED;
    if (j->is == GUIDELINE_HOLDS)
        return;
    to = lines_about(&g->lines, c, j->is == GUIDELINE_VIOLATED ? "Violated" : "Undecided", result);
    if (j->rounds == 0) {
        fputs("all iterations were late;\n", to);
        return;
    }
    fprintf(to, "by=%s; %.2f times, ", g->name[j->best], best->median);
    if (best->has_interval)
        fprintf(to, "%.2f to %.2f;\n", best->low, best->high);
    else
        fputs("too few iterations for an interval;\n", to);
}

static void measure(struct measure *m, struct result *result)
{
    const struct context *c = m->context;
    struct guideline *g = guideline_of(c->run);
    const int operations = g->times.parts;
    int n;

    measure_pass(m, result, settings_budget(m->context->settings));
    n = gather(g, c->world->comm);
    if (c->world->rank != 0)
        return;
    g->judgement =
        judgement_of(g->time, operations, n, ROUNDS_KEPT, fmax(c->clock->tick_s, 1e-9),
                     settings_of(c->settings)->margin, g->time + (size_t)operations * ROUNDS_KEPT);
    result->own_headline = true;
    result->headline_s = g->judgement.time_s[0];
    say(g, c, result);
}

static void record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct guideline *g = guideline_of(c->run);
    const struct judgement *j = &g->judgement;

    if (what->result == NULL)
        return;
    const struct fields object = fields_object(*to, "guideline");
    const struct fields list = fields_list(object, "operations");

    for (int o = 0; o < j->n && j->rounds > 0; o++) {
        const struct fields one = fields_object(list, NULL);
        const struct guideline_ratio *ratio = &j->ratio[o];

        fields_text(one, "name", g->name[o]);
        fields_us(one, "median_us", j->time_s[o]);
        fields_real(one, "ratio", o > 0 ? ratio->median : NAN);
        fields_real(one, "ratio_low", ratio->has_interval ? ratio->low : NAN);
        fields_real(one, "ratio_high", ratio->has_interval ? ratio->high : NAN);
    }
    fields_int(object, "iterations", j->rounds);
    fields_text(object, "best", g->name[j->best]);
    fields_text(object, "verdict", verdict_words[j->is]);
}

/* --- The end ------------------------------------------------------------------------ */

static enum exit_code print(FILE *to, const struct context *c, const struct rows *rows)
{
    struct guideline *g = guideline_of(c->run);

    if (g->rows == 0)
        return EXIT_OK;
    lines_print(&g->lines, to);
    fprintf(to, "# Guideline: rows=%d; violated=%d; undecided=%d; margin=%g%%;\n", g->rows,
            g->violated, g->undecided, 100 * settings_of(c->settings)->margin);
    if (!settings_of(c->settings)->gate || g->violated == 0)
        return EXIT_OK;
    return message_print(E36_VIOLATED, "a mock-up is faster; rows=%d; violated=%d;", g->rows,
                         g->violated);
}

/* --- Tables -------------------------------------------------------------------- */

/* Too few rounds for an interval. */
static bool has_no_interval(const struct settings *s)
{
    const long rounds = settings_most_iterations(s);
    size_t lower, upper;

    return !stats_ranks_tau((size_t)rounds, 0.5, 1, &lower, &upper);
}

static void explain(FILE *to, const struct bench_run *r, const struct settings *s)
{
    collective_operation_line(to, r, s);
    fputs("# Times in us: median over iterations, of the slowest rank of each\n"
          "# Ratio: median over iterations of first column / fastest mock-up, "
          "with its 95% interval\n",
          to);
}

/* Names that need more than a column. */
enum { LONG = 26 };

#define TIME(key, operation, name, width)                                                          \
    {                                                                                              \
        { key, name, width }, COLUMN_US(struct guideline, judgement.time_s[operation])             \
    }
#define NATIVE(name)        TIME("native_us", 0, name, 0)
#define NATIVE_LONG(name)   TIME("native_us", 0, name, LONG)
#define MOCKUP_1(name)      TIME("mockup_1_us", 1, name, 0)
#define MOCKUP_2(name)      TIME("mockup_2_us", 2, name, 0)
#define MOCKUP_2_LONG(name) TIME("mockup_2_us", 2, name, LONG)
#define MOCKUP_3(name)      TIME("mockup_3_us", 3, name, 0)

#define TABLE(name, ...)                                                                           \
    static const struct report_column name##_columns[] = {                                         \
        __VA_ARGS__,                                                                               \
        { { "ratio", "Ratio", 0 }, COLUMN_OF(struct guideline, judgement.shown.median) },          \
        { { "ratio_low", "CI95 Low", 0 },                                                          \
          COLUMN_OF(struct guideline, judgement.shown.low),                                        \
          .empty = has_no_interval },                                                              \
        { { "ratio_high", "CI95 High", 0 },                                                        \
          COLUMN_OF(struct guideline, judgement.shown.high),                                       \
          .empty = has_no_interval },                                                              \
        { .value = NULL },                                                                         \
    };                                                                                             \
    const struct report report_##name##_guideline = {                                              \
        .unit = "us",                                                                              \
        .sample = "a call of the operation, and of each mock-up, on every "                        \
                  "rank, in random order; all ranks are synchronized before "                      \
                  "each",                                                                          \
        .printed = "us of each, median over iterations of the slowest rank; "                      \
                   "and the median over iterations of operation / mock-up, "                       \
                   "for the mock-up where it is greatest, with its 95% "                           \
                   "interval",                                                                     \
        .headline = name##_columns,                                                                \
        .preamble = explain,                                                                       \
    }

TABLE(allgather, NATIVE("allgather"), MOCKUP_1("gather+bcast"), MOCKUP_2("allgatherv"));
TABLE(allreduce, NATIVE("allreduce"), MOCKUP_1("reduce+bcast"),
      MOCKUP_2_LONG("reduce_scatter+allgather"));
TABLE(alltoall, NATIVE("alltoall"), MOCKUP_1("alltoallv"));
TABLE(bcast, NATIVE("bcast"), MOCKUP_1("scatter+allgather"));
TABLE(gather, NATIVE("gather"), MOCKUP_1("gatherv"), MOCKUP_2("allgather"));
TABLE(reduce, NATIVE("reduce"), MOCKUP_1("allreduce"), MOCKUP_2_LONG("reduce_scatter+gather"));
TABLE(reduce_scatter_block, NATIVE_LONG("reduce_scatter_block"), MOCKUP_1("reduce+scatter"),
      MOCKUP_2("reduce_scatter"), MOCKUP_3("allreduce"));
TABLE(scan, NATIVE("scan"), MOCKUP_1("exscan"));
TABLE(scatter, NATIVE("scatter"), MOCKUP_1("scatterv"), MOCKUP_2("bcast"));

/* --- The family ---------------------------------------------------------------- */

const struct family guidelines_family = {
    .name = "guidelines",
    FAMILY_OPTIONS(options, defaults),
    .refuse = collective_refuse,
    .lacks_row = lacks_row,
    .state = sizeof(struct guideline),
    .begin = collective_begin,
    .memory = memory,
    .ready = ready,
    .end = end,
    .row = row,
    .forget = forget,
    .measure = measure,
    .print = print,
    .record = record,
};
