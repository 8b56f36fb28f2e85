/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/stats.h"
#include "bench.h"
#include "job/placement.h"
#include "job/world.h"

/* --- Ranks in one ring -------------------------------------------------------- */

/* A rank's messages in a round, in and out. */
static void in_and_out(const struct context *c, struct result *result)
{
    result->messages = 2.0 * c->bench->flow->sends(c->run);
}

static struct cell slowest_rank_rate(const struct result *r)
{
    return cell_real(r->mean_max > 0 ? r->messages * (double)r->moved / r->mean_max / 1e6 : 0);
}

static const struct report_column ring_columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    REPORT_EXTREMES,
    { { "bandwidth_mb_per_s", "MB/s per Rank", 0 }, slowest_rank_rate },
    { .value = NULL },
};

#define OF_SLOWEST "MB/s (10^6 bytes per second, in and out) of the slowest rank"

#define RING                                                                                       \
    .unit = "us", .printed = "us, mean over iterations, then over ranks; and " OF_SLOWEST,         \
    .figure = in_and_out, .headline = ring_columns

const struct report report_ring = {
    RING,
    .sample = "one MPI_Sendrecv on every rank, after all ranks were "
              "synchronized",
};
const struct report report_neighbor_exchange = {
    RING,
    .sample = "two messages sent and two received on every rank, after all "
              "ranks were synchronized",
};

/* --- Many patterns --------------------------------------------------------------- */

/* What so many quarters of the patterns do not exceed. */
#define QUARTER(n) COLUMN_OF(struct patterns, quarter[n])

static const struct report_column rings_columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    REPORT_EXTREMES,
    { { "bandwidth_mb_per_s", "MB/s per Rank", 0 }, slowest_rank_rate },
    { { "median_ring_us", "Median Ring(us)", 0 }, QUARTER(2) },
    { { "worst_ring_us", "Worst Ring(us)", 0 }, QUARTER(4) },
    { .value = NULL },
};

static void mean_of_rings(const struct context *c, struct result *result)
{
    const int n = patterns_of(c->run)->n;

    result->scale = 1.0 / n;
    result->messages = 2.0 * n;
}

const struct report report_random_rings = {
    .unit = "us",
    .sample = "one MPI_Sendrecv on every rank in each ring, after all ranks "
              "were synchronized; the sum over the rings",
    .printed = "us of one ring, mean over rings, iterations and ranks; "
               "median ring and worst ring; and " OF_SLOWEST,
    .figure = mean_of_rings,
    .headline = rings_columns,
};

/* Bandwidth of a pair in both directions, in that time. */
static double pair_rate(const struct patterns *p, double time_s)
{
    return time_s > 0 ? 2 * (double)p->bytes / time_s / 1e6 : 0;
}

static const struct report_column bisection_columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, report_mean },
    { { "matching_25_mb_per_s", "25% Matching", 0 }, QUARTER(1) },
    { { "matching_50_mb_per_s", "Median Matching", 0 }, QUARTER(2) },
    { { "matching_75_mb_per_s", "75% Matching", 0 }, QUARTER(3) },
    { { "slowest_pair_mb_per_s", "Slowest Pair", 0 }, COLUMN_OF(struct patterns, slowest_pair) },
    { .value = NULL },
};

static void sum_of_pairs(const struct context *c, struct result *result)
{
    const struct patterns *p = patterns_of(c->run);

    result->messages = 2.0 * p->n * p->pairs;
}

const struct report report_bisection = {
    .unit = "MB/s",
    .sample = "one message each way between the ranks of all pairs, after all "
              "ranks were synchronized; the sum over the matchings",
    .printed = MB_PER_S ", sum of all pairs and both directions), payload / mean time "
                        "of the ranks; the quartiles of the matchings; and the "
                        "slowest pair",
    .is_rate = true,
    .both_ways = true,
    .figure = sum_of_pairs,
    .headline = bisection_columns,
};

/* --- Options ------------------------------------------------------------------- */

struct patterns_settings {
    enum schedule kind;
    int asked; /* rings, or random matchings */
    int seed;
};

static const struct choice pattern_words[] = {
    { "halves", SCHEDULE_HALVES, "rank i and rank i + P/2" },
    { "shift", SCHEDULE_SHIFT, "P - 1 matchings, in which each rank meets each other rank once" },
    { "random:R", SCHEDULE_RANDOM, "R random matchings, 1 to 1024" },
    { 0 },
};

/* halves, shift or random:R. */
static const char *parse_pattern(void *settings, const char *text)
{
    struct patterns_settings *s = settings;
    const char *number;
    const struct choice *word = choice_before_colon(pattern_words, text, &number);
    long asked;

    if (word == NULL || (word->value == SCHEDULE_RANDOM) == (number == NULL))
        return choice_none;
    s->kind = (enum schedule)word->value;
    if (number == NULL)
        return NULL;
    if (!number_is(number, 1, SCHEDULE_MOST, &asked))
        return "has a number of random matchings that is not from 1 to 1024";
    s->asked = (int)asked;
    return NULL;
}

static void record_pattern(struct fields to, const char *name, const void *settings)
{
    const struct patterns_settings *s = settings;
    char text[32];

    snprintf(text, sizeof text, "random:%d", s->asked);
    fields_text(to, name, s->kind == SCHEDULE_RANDOM ? text : choice_word(pattern_words, s->kind));
}

static bool is_regular(const struct settings *s)
{
    const struct patterns_settings *own = s->family;

    return own->kind != SCHEDULE_RANDOM;
}

#define FIELD(name) .offset = offsetof(struct patterns_settings, name)

static const struct option_row ring_options[] = {
    { 0, "rings", "R", .group = OPTIONS_FLIGHT, .common = true, .help = "random rings; 1 to 1024",
      .fallback = "8", .kind = OPTION_INT, FIELD(asked), .min = 1, .max = SCHEDULE_MOST,
      .json = "rings" },
    SEED_OPTION(struct patterns_settings, seed, .moot = NULL),
    { 0 },
};
static const struct option_row matching_options[] = {
    { 0, "pattern", "HOW", .group = OPTIONS_FLIGHT, .common = true,
      .help = "who exchanges messages with whom", .fallback = "halves", .kind = OPTION_SPECIAL,
      .choices = pattern_words, .parse = parse_pattern, .json = "pattern",
      .record = record_pattern },
    SEED_OPTION(struct patterns_settings, seed, .moot = is_regular,
                .moot_because = "without --pattern=random:R no order is random"),
    { 0 },
};
static const struct patterns_settings ring_defaults = { SCHEDULE_RINGS, 8, 1 };
static const struct patterns_settings matching_defaults = { SCHEDULE_HALVES, 1, 1 };

static void refuse(const struct context *c, struct refusal *r)
{
    const struct patterns_settings *own = c->settings->family;
    const int ranks = c->known >= KNOWN_RANKS ? c->world->size : 0;
    const int n = ranks > 0 ? schedule_patterns(own->kind, own->asked, ranks) : 0;

    if (n > SCHEDULE_MOST)
        refusal_because(r, E12_USAGE,
                        "--pattern=shift: %d ranks need %d matchings; at most "
                        "%d are possible; use --pattern=random:R",
                        ranks, n, SCHEDULE_MOST);
}

/* --- Before the rows -------------------------------------------------------------- */

static void describe(const struct context *c)
{
    const struct patterns_settings *s = c->settings->family;
    struct bench_run *r = c->run;
    struct patterns *p = patterns_of(r);

    p->n = schedule_patterns(s->kind, s->asked, r->nranks);
    p->pairs = s->kind == SCHEDULE_RINGS ? 0 : r->nranks / 2;
    r->sender = r->rank < schedule_active(s->kind, r->nranks);
}

/* An element for each pattern. */
static void *room_for(const struct patterns *p, size_t element)
{
    return world_keep((size_t)p->n, element, "the partners of a rank");
}

static enum exit_code begin(const struct context *c)
{
    const struct patterns_settings *s = c->settings->family;
    const struct world *world = c->world;
    struct patterns *p = patterns_of(c->run);

    p->peers = room_for(p, sizeof *p->peers);
    p->value = room_for(p, sizeof *p->value);
    p->sorted = room_for(p, sizeof *p->sorted);
    schedule_fill(s->kind, (unsigned long)s->seed, p->n, world->rank, world->size, p->peers);
    part_times_begin(&p->times, p->n, PART_TIMES_KEPT);
    /* In a random order any two ranks may be neighbors. */
    if (s->kind != SCHEDULE_HALVES)
        c->talk->among = world->comm;
    return EXIT_OK;
}

/* --- A row ------------------------------------------------------------------------ */

/* The values of a row, from the times of all its patterns.  Collective. */
static void gather(struct patterns *p, const struct bench_run *r)
{
    /* A rank without partners is not active. */
    const bool active = r->sender;
    double longest = 0;

    p->known = part_times_agree(&p->times, r->comm) > 0;
    for (int k = 0; k < p->n; k++) {
        struct pattern_value *v = &p->value[k];
        const double mine = part_times_median(&p->times, k);

        v->time_s = over_ranks_spread(r->comm, mine, active).mean;
        v->slowest = over_ranks_longest(r->comm, active ? mine : -1, p->peers[k].to);
        longest = fmax(longest, v->slowest.time);
        v->value = p->pairs > 0 ? p->pairs * pair_rate(p, v->time_s) : 1e6 * v->time_s;
        p->sorted[k] = v->value;
    }
    stats_sort(p->sorted, (size_t)p->n);
    for (int i = 0; i <= 4; i++)
        p->quarter[i] = p->known ? stats_quantile(p->sorted, (size_t)p->n, 0.25 * i) : NAN;
    p->slowest_pair = p->known ? pair_rate(p, longest) : NAN;
}

static void measure(struct measure *m, struct result *result)
{
    struct patterns *p = patterns_of(m->context->run);

    measure_pass(m, result, settings_budget(m->context->settings));
    p->bytes = result->moved;
    gather(p, m->context->run);
}

static void record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct patterns *p = patterns_of(c->run);

    if (what->result == NULL)
        return;
    const struct fields list = fields_list(*to, "patterns");

    for (int k = 0; p->known && k < p->n; k++) {
        const struct pattern_value *v = &p->value[k];
        const struct fields one = fields_object(list, NULL);

        fields_real(one, "value", v->value);
        fields_int(one, "slowest_rank", v->slowest.rank);
        fields_int(one, "sends_to", v->slowest.partner);
        fields_us(one, "slowest_us", v->slowest.time);
    }
}

/* --- What is sent where ----------------------------------------------------------- */

static int two_blocks(const struct bench_run *r)
{
    return 2;
}

static int next_then_previous(const struct bench_run *r, int i)
{
    return i == 0 ? ring_next(r) : ring_previous(r);
}

static int previous_then_next(const struct bench_run *r, int i)
{
    return i == 0 ? ring_previous(r) : ring_next(r);
}

/* The two blocks from one rank to another, of two ranks, differ. */
static int which_block(const struct bench_run *r, int i)
{
    return i;
}

const struct flow flow_ring = {
    .sends = flow_one_block,
    .to = next_then_previous,
    .receives = flow_one_block,
    .from = previous_then_next,
};
const struct flow flow_neighbor_exchange = {
    .sends = two_blocks,
    .to = next_then_previous,
    .receives = two_blocks,
    .from = previous_then_next,
    .slot = which_block,
    .window = true,
};

static int blocks(const struct bench_run *r)
{
    const int left = patterns_of(r)->n - patterns_first(r);

    if (!r->sender)
        return 0;
    return left < PATTERNS_APART ? left : PATTERNS_APART;
}

static int turns(const struct bench_run *r)
{
    return (patterns_of(r)->n + PATTERNS_APART - 1) / PATTERNS_APART;
}

static int to_in_pattern(const struct bench_run *r, int i)
{
    return patterns_of(r)->peers[patterns_first(r) + i].to;
}

static int from_in_pattern(const struct bench_run *r, int i)
{
    return patterns_of(r)->peers[patterns_first(r) + i].from;
}

const struct flow flow_patterns = {
    .sends = blocks,
    .to = to_in_pattern,
    .receives = blocks,
    .from = from_in_pattern,
    .slot = which_block,
    .window = true,
    .turns = turns,
};

/* --- The families ----------------------------------------------------------------- */

#define HOOKS                                                                                      \
    .name = "patterns", .settings = sizeof(struct patterns_settings),                              \
    .state = sizeof(struct patterns), .describe = describe, .begin = begin,                        \
    .forget = schedule_forget, .measure = measure, .record = record

const struct family rings_family = {
    HOOKS,
    .options = ring_options,
    .defaults = &ring_defaults,
};
const struct family matchings_family = {
    HOOKS,
    .options = matching_options,
    .defaults = &matching_defaults,
    .refuse = refuse,
};
