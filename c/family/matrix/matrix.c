/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

#include "bench.h"
#include "job/world.h"
#include "report/report_kinds.h"
#include "sampling/measure.h"

/* --- Options of pair_bw ---------------------------------------------------------- */

enum ways { WAYS_ONE, WAYS_BOTH };

struct bandwidth_settings {
    struct meetings_spec who;
    int ways, window;
};

static const struct choice ways_words[] = {
    { "one", WAYS_ONE, "one way, then the other" },
    { "both", WAYS_BOTH, "both ways at the same time" },
    { 0 },
};
static const struct choice every_words[] = {
    { "rank", EVERY_RANK, "all ranks" },
    { "node", EVERY_NODE, "the first rank of each node" },
    { "gpu", EVERY_GPU, "the first rank of each GPU; needs -d" },
    { 0 },
};

/* All rounds, if so many were not asked for. */
static void record_rounds(struct fields to, const char *name,
                          const void *rounds)
{
    const int n = *(const int *)rounds;

    fields_known_int(to, name, n > 0, n);
}

static const struct bandwidth_settings *settings_of(const struct settings *s)
{
    return s->family;
}

static bool is_regular(const struct settings *s)
{
    return settings_of(s)->who.rounds == 0;
}

#define FIELD(name) .offset = offsetof(struct bandwidth_settings, name)

static const struct option_row options[] = {
    { 'W', "window-size", "N", .group = OPTIONS_FLIGHT, .common = true,
      .help = "messages in flight", .fallback = "16", .kind = OPTION_INT,
      FIELD(window), .min = 1, .max = 1 << 20 },
    { 0, "ways", "HOW", .group = OPTIONS_FLIGHT, .common = true,
      .help = "in which directions a pair sends", .fallback = "one",
      .kind = OPTION_CHOICE, FIELD(ways), .choices = ways_words,
      .json = "ways" },
    { 0, "alone", NULL, .group = OPTIONS_FLIGHT, .common = true,
      .help = "one pair at a time; without it all pairs of a round send at the "
              "same time",
      .kind = OPTION_FLAG, FIELD(who.alone), .json = "alone" },
    { 0, "rounds", "N", .group = OPTIONS_FLIGHT, .common = true,
      .help = "at most N random rounds; no pair meets twice",
      .fallback = "all there are", .kind = OPTION_INT, FIELD(who.rounds),
      .min = 1, .max = INT_MAX, .json = "rounds", .record = record_rounds },
    SEED_OPTION(struct bandwidth_settings, who.seed, .moot = is_regular,
                .moot_because = "without --rounds no order is random"),
    { 0, "every", "WHAT", .group = OPTIONS_FLIGHT, .common = true,
      .help = "which ranks take part", .fallback = "rank",
      .kind = OPTION_CHOICE, FIELD(who.every), .choices = every_words,
      .json = "every" },
    { 0 },
};
static const struct bandwidth_settings defaults = { .who.seed = 1,
                                                    .window = 16 };

static void refuse(const struct context *c, struct refusal *r)
{
    if (settings_of(c->settings)->who.every == EVERY_GPU &&
        !settings_device_words(c->settings))
        refusal_because(r, E12_USAGE,
                        "--every=gpu needs GPU memory: add -d cuda or -d rocm");
}

/* --- What moves -------------------------------------------------------------- */

static int partner(const struct bench_run *r, int i)
{
    (void)i;
    return round_robin_partner(r->rank, r->turn - 1, r->nranks);
}

/* Of a round two messages, where this rank does not rest. */
static int one_of_each_other(const struct bench_run *r)
{
    return r->turn == 0 ? r->nranks - 1 : partner(r, 0) < 0 ? 0 : 2;
}

static int rounds_of_all(const struct bench_run *r)
{
    return round_robin_rounds(r->nranks);
}

const struct flow flow_every_pair = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = one_of_each_other,
    .from = partner,
    .turns = rounds_of_all,
};

static int window_sent(const struct bench_run *r)
{
    return meetings_own(&matrix_of(r)->meetings) > 0 ? r->window : 0;
}

static int partner_of_meeting(const struct bench_run *r, int i)
{
    (void)i;
    return meetings_partner(&matrix_of(r)->meetings, r->turn - 1);
}

static int window_received(const struct bench_run *r)
{
    return r->turn > 0 && partner_of_meeting(r, 0) < 0 ? 0 : window_sent(r);
}

static int rounds(const struct bench_run *r)
{
    return matrix_of(r)->meetings.rounds;
}

const struct flow flow_windows_of_pairs = {
    .sends = window_sent,
    .to = flow_anyone,
    .receives = window_received,
    .from = partner_of_meeting,
    .slot = flow_in_window,
    .window = true,
    .turns = rounds,
};

/* --- What is printed --------------------------------------------------------- */

static void half_of_each(const struct context *c, struct result *result)
{
    result->scale = 0.5 / (c->run->nranks - 1);
}

static const struct report_column latency_columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    REPORT_EXTREMES,
    { .value = NULL },
};

const struct report report_pair_matrix = {
    .unit = "us",
    .sample = "a round trip with each other rank, on every rank, added up",
    .printed = "half of one, in us, mean over partners, iterations and ranks",
    .figure = half_of_each,
    .headline = latency_columns,
};

/* A rank that meets fewer others than most has as much less time in an iteration. */
static void one_direction(const struct context *c, struct result *result)
{
    const struct meetings *m = &matrix_of(c->run)->meetings;
    const double partners = (double)m->rounds * (m->n / 2) * 2 / m->n;

    result->messages = partners * c->run->window;
}

static const struct report_column columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, report_mean },
    { { "slowest_pair_mb_per_s", "Slowest Pair", 0 },
      COLUMN_OF(struct matrix, report.pair_mb_per_s) },
    { { "slowest_tenth_mb_per_s", "Slowest Tenth", 0 },
      COLUMN_OF(struct matrix, report.tenth_mb_per_s) },
    { .value = NULL },
};
const struct report report_pair_bandwidth = {
    .unit = "MB/s",
    .sample = "a window to each other rank and its acknowledgement, on every "
              "rank, added up",
    .printed = MB_PER_S ", one direction), payload / mean time of the pairs; "
                        "the slowest pair; and the slowest tenth of the row of "
                        "any pair",
    .is_rate = true,
    .figure = one_direction,
    .headline = columns,
};

/* --- The families ---------------------------------------------------------------- */

static void take_part(const struct context *c)
{
    struct matrix *m = matrix_of(c->run);

    m->both = settings_of(c->settings)->ways == WAYS_BOTH;
    c->run->window = settings_of(c->settings)->window;
    c->run->pairs = settings_of(c->settings)->who.alone ? 1 : m->meetings.n / 2;
    c->run->sender = meetings_own(&m->meetings) > 0;
}

static void describe(const struct context *c)
{
    meetings_describe(&matrix_of(c->run)->meetings,
                      &settings_of(c->settings)->who, c->run->rank,
                      c->run->nranks);
    take_part(c);
}

static enum exit_code begin(const struct context *c)
{
    const enum exit_code code = meetings_begin(
        &matrix_of(c->run)->meetings, &settings_of(c->settings)->who, c);

    take_part(c);
    c->talk->among = matrix_of(c->run)->meetings.comm;
    return code;
}

/* Ranks that take part: pair_matrix has no meetings, and all do. */
static int partners_of(const struct context *c)
{
    const int meet = matrix_of(c->run)->meetings.n;

    return meet > 0 ? meet : c->world->size;
}

static void memory(const struct context *c, struct buffers *b)
{
    buffers_add(b, NULL, &memory_host, all_pairs_samples(partners_of(c)));
    if (c->world->rank == 0)
        buffers_add(b, &matrix_of(c->run)->pairs, &memory_host,
                    all_pairs_bytes(partners_of(c)));
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    struct matrix *m = matrix_of(c->run);

    (void)b;
    if (c->world->rank == 0)
        all_pairs_begin(&m->report.pairs, partners_of(c), m->pairs.base);
    m->report.messages = c->bench->report->is_rate ? c->run->window : 0;
    return world_agree_memory(
        c->world, c->bench->name,
        part_times_begin(&m->times, partners_of(c), PART_TIMES_KEPT),
        "buffers or samples");
}

static void forget(struct bench_run *r, bool before, bool batch)
{
    part_times_forget(&matrix_of(r)->times, before, batch);
}

static void measure(struct measure *measure, struct result *result)
{
    const struct context *c = measure->context;
    struct matrix *m = matrix_of(c->run);
    const MPI_Comm comm = m->meetings.n > 0 ? m->meetings.comm : c->run->comm;

    measure_pass(measure, result, measure_budget(measure));
    if (m->meetings.place >= 0)
        matrix_report_row(&m->report, c, comm, &m->times, result);
}

static enum exit_code print(FILE *to, const struct context *c,
                            const struct rows *rows)
{
    (void)rows;
    matrix_report_print(&matrix_of(c->run)->report, to,
                        c->placement->oversubscribed);
    return EXIT_OK;
}

static void record(const struct context *c, const struct recorded *what,
                   struct fields *to)
{
    if (what->result != NULL)
        matrix_report_record(&matrix_of(c->run)->report, c->settings->raw, *to);
}

static void end(const struct context *c)
{
    struct matrix *m = matrix_of(c->run);

    matrix_report_end(&m->report);
    part_times_end(&m->times);
    meetings_end(&m->meetings);
}

#define HOOKS                                                                  \
    .name = "matrix", .state = sizeof(struct matrix), .memory = memory,        \
    .ready = ready, .forget = forget, .measure = measure, .print = print,      \
    .record = record, .end = end

const struct family matrix_family = { HOOKS };
const struct family bandwidth_family = {
    HOOKS,
    .options = options,
    .defaults = &defaults,
    .settings = sizeof defaults,
    .refuse = refuse,
    .describe = describe,
    .begin = begin,
};
