/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "bench.h"
#include "job/world.h"
#include "machine/placement.h"
#include "sampling/measure.h"

/* --- Options ------------------------------------------------------------------- */

struct patterns_settings {
    enum schedule kind;
    int asked; /* rings, or random matchings */
    int seed;
};

static const struct choice pattern_words[] = {
    { "halves", SCHEDULE_HALVES, "rank i and rank i + P/2" },
    { "shift", SCHEDULE_SHIFT,
      "P - 1 matchings, in which each rank meets each other rank once" },
    { "random:R", SCHEDULE_RANDOM, "R random matchings, 1 to 1024" },
    { 0 },
};

/* halves, shift or random:R. */
static const char *parse_pattern(void *settings, const char *text)
{
    struct patterns_settings *s = settings;
    const char *number;
    const struct choice *word =
        choice_before_colon(pattern_words, text, &number);
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

static void record_pattern(struct fields to, const char *name,
                           const void *settings)
{
    const struct patterns_settings *s = settings;
    char text[32];

    snprintf(text, sizeof text, "random:%d", s->asked);
    fields_text(to, name,
                s->kind == SCHEDULE_RANDOM
                    ? text
                    : choice_word(pattern_words, s->kind));
}

static const struct patterns_settings *settings_of(const struct settings *s)
{
    return s->family;
}

static bool is_regular(const struct settings *s)
{
    return settings_of(s)->kind != SCHEDULE_RANDOM;
}

#define FIELD(name) .offset = offsetof(struct patterns_settings, name)

static const struct option_row ring_options[] = {
    { 0, "rings", "R", .group = OPTIONS_FLIGHT, .common = true,
      .help = "random rings; 1 to 1024", .fallback = "8", .kind = OPTION_INT,
      FIELD(asked), .min = 1, .max = SCHEDULE_MOST, .json = "rings" },
    SEED_OPTION(struct patterns_settings, seed, .moot = NULL),
    { 0 },
};
static const struct option_row matching_options[] = {
    { 0, "pattern", "HOW", .group = OPTIONS_FLIGHT, .common = true,
      .help = "who exchanges messages with whom", .fallback = "halves",
      .kind = OPTION_SPECIAL, .choices = pattern_words, .parse = parse_pattern,
      .json = "pattern", .record = record_pattern },
    SEED_OPTION(struct patterns_settings, seed, .moot = is_regular,
                .moot_because =
                    "without --pattern=random:R no order is random"),
    { 0 },
};
static const struct patterns_settings ring_defaults = { SCHEDULE_RINGS, 8, 1 };
static const struct patterns_settings matching_defaults = { SCHEDULE_HALVES, 1,
                                                            1 };

static void refuse(const struct context *c, struct refusal *r)
{
    const struct patterns_settings *own = settings_of(c->settings);
    const int ranks = c->world != NULL ? c->world->size : 0;
    const int n =
        ranks > 0 ? schedule_patterns(own->kind, own->asked, ranks) : 0;

    if (n > SCHEDULE_MOST)
        refusal_because(r, E12_USAGE,
                        "--pattern=shift: %d ranks need %d matchings; at most "
                        "%d are possible; use --pattern=random:R",
                        ranks, n, SCHEDULE_MOST);
}

/* --- Before the rows -------------------------------------------------------------- */

static void describe(const struct context *c)
{
    const struct patterns_settings *s = settings_of(c->settings);
    struct bench_run *r = c->run;
    struct patterns *p = patterns_of(r);

    p->n = schedule_patterns(s->kind, s->asked, r->nranks);
    p->pairs = s->kind == SCHEDULE_RINGS ? 0 : r->nranks / 2;
    r->sender = r->rank < schedule_active(s->kind, r->nranks);
}

static enum exit_code begin(const struct context *c)
{
    const struct patterns_settings *s = settings_of(c->settings);
    const struct world *world = c->world;
    struct patterns *p = patterns_of(c->run);

    p->peers = malloc((size_t)p->n * sizeof *p->peers);
    if (p->peers == NULL ||
        !schedule_fill(s->kind, (unsigned long)s->seed, p->n, world->rank,
                       world->size, p->peers) ||
        !part_times_begin(&p->times, p->n, PART_TIMES_KEPT) ||
        !pattern_report_begin(&p->report, p->n, p->pairs))
        world_no_memory("the partners of a rank");
    /* In a random order any two ranks may be neighbors. */
    if (s->kind != SCHEDULE_HALVES)
        c->talk->among = world->comm;
    return EXIT_OK;
}

static void end(const struct context *c)
{
    struct patterns *p = patterns_of(c->run);

    pattern_report_end(&p->report);
    part_times_end(&p->times);
    free(p->peers);
    p->peers = NULL;
}

/* --- A row ------------------------------------------------------------------------ */

static void forget(struct bench_run *r, bool before, bool batch)
{
    part_times_forget(&patterns_of(r)->times, before, batch);
}

static void measure(struct measure *m, struct result *result)
{
    const struct context *c = m->context;
    struct patterns *p = patterns_of(c->run);

    measure_pass(m, result, measure_budget(m));
    pattern_report_row(&p->report, c->run->comm, &p->times, p->peers,
                       c->run->sender, result);
}

static void record(const struct context *c, const struct recorded *what,
                   struct fields *to)
{
    if (what->result != NULL)
        pattern_report_record(&patterns_of(c->run)->report, *to);
}

/* --- What is sent where ----------------------------------------------------------- */

static int two_blocks(const struct bench_run *r)
{
    (void)r;
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
    (void)r;
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

#define HOOKS                                                                  \
    .name = "patterns", .settings = sizeof(struct patterns_settings),          \
    .state = sizeof(struct patterns), .describe = describe, .begin = begin,    \
    .end = end, .forget = forget, .measure = measure, .record = record

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
