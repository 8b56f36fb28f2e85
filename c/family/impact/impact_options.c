/* SPDX-License-Identifier: BSD-3-Clause */
#include "impact.h"

#include <limits.h>

#include "base/element.h"
#include "base/sizes.h"
#include "bench.h"
#include "record/fields.h"

/* --- Options ------------------------------------------------------------------- */

enum { EACH = -1 }; /* all words of a list */

static const struct choice victim_words[] = {
    { "all", EACH, "each of these" },
    { "latency", VICTIM_LATENCY, "pairs of ranks, one message at a time" },
    { "bw", VICTIM_BW, "pairs of ranks, a window of messages (-W)" },
    { "allreduce", VICTIM_ALLREDUCE, "MPI_Allreduce of all victims" },
    { "ring", VICTIM_RING, "MPI_Sendrecv with the next victim" },
    { 0 },
};

static const struct choice congestor_words[] = {
    { "incast", CONGESTOR_INCAST, "all congestors send to one of them" },
    { "outcast", CONGESTOR_OUTCAST, "one congestor sends to all others" },
    { "alltoall", CONGESTOR_ALLTOALL, "MPI_Alltoall of all congestors" },
    { "put", CONGESTOR_PUT, "incast with MPI_Put" },
    { "none", CONGESTOR_NONE, "nothing; every impact must then be 1" },
    { 0 },
};

static const char *add_victim(void *settings, int victim)
{
    struct impact_settings *s = settings;
    const unsigned more = victim == EACH ? ~0U : 1U << victim, known = s->victims & more;

    s->victims |= more;
    return known == more ? "names a victim twice" : NULL;
}

static void record_victims(struct fields to, const char *name, const void *settings)
{
    const unsigned asked = ((const struct impact_settings *)settings)->victims;
    const struct fields list = fields_list(to, name);

    for (const struct choice *c = victim_words; c->word != NULL; c++)
        if (c->value != EACH && (asked == 0 || (asked >> c->value & 1) != 0))
            fields_text(list, NULL, c->word);
}

static void record_share(struct fields to, const char *name, const void *share)
{
    fields_real(to, name, 100 * *(const double *)share);
}

static bool is_alone(const struct settings *s)
{
    return impact_settings(s)->congestor == CONGESTOR_NONE;
}

#define FIELD(name) .offset = offsetof(struct impact_settings, name)

static const struct option_row options[] = {
    { 0, "victim", "WHAT[,WHAT...]", .group = OPTIONS_FLIGHT, .common = true,
      .help = "what victims do; for each a section of the table; repeatable", .fallback = "all",
      .kind = OPTION_LIST, .choices = victim_words, .add = add_victim, .json = "victim",
      .record = record_victims },
    { 0, "congestor", "WHAT", .group = OPTIONS_FLIGHT, .common = true,
      .help = "what congestors do; victims are measured meanwhile", .fallback = "incast",
      .kind = OPTION_CHOICE, .choices = congestor_words, FIELD(congestor), .json = "congestor" },
    { 0, "congestors", "PERCENT", .group = OPTIONS_FLIGHT, .common = true,
      .help = "share of nodes or groups that congest; either side "
              "has at least two ranks",
      .fallback = "80%", .kind = OPTION_PERCENT, FIELD(share), .json = "congestors_percent",
      .record = record_share },
    { 0, "congestor-size", "SIZE", .group = OPTIONS_FLIGHT, .common = true,
      .help = "size of a message of congestors", .fallback = "64K", .kind = OPTION_SIZE,
      FIELD(bytes), .min = 4, .max = 1 << 30, .json = "congestor_bytes", .moot = is_alone,
      .moot_because = "--congestor=none sends nothing" },
    { 0, "congestor-window", "N", .group = OPTIONS_FLIGHT,
      .help = "messages between two congestors in flight", .fallback = "8", .kind = OPTION_INT,
      FIELD(window), .min = 1, .max = 1 << 16, .json = "congestor_window", .moot = is_alone,
      .moot_because = "--congestor=none sends nothing" },
    { 0, "groups", "N", .group = OPTIONS_FLIGHT, .common = true,
      .help = "groups of consecutive ranks; they take the place of nodes; "
              "without it on one node each rank is a group",
      .fallback = "one per node", .kind = OPTION_INT, FIELD(groups), .min = 2, .max = 1 << 30 },
    { 0, "seed", "N", .group = OPTIONS_FLIGHT, .common = true,
      .help = "seed of the random choice of victims; the same seed gives the "
              "same victims",
      .fallback = "1", .kind = OPTION_INT, FIELD(seed), .min = 1, .max = INT_MAX,
      .json = "pattern_seed" },
    { 0 },
};
static const struct impact_settings defaults = {
    .share = 0.8, .bytes = 64 * KiB, .window = 8, .seed = 1
};

static void refuse(const struct context *c, struct refusal *r)
{
    const struct impact_settings *own = impact_settings(c->settings);

    if (own->bytes % element_size(c->bench->element) != 0)
        refusal_because(r, E12_USAGE,
                        "--congestor-size must be a multiple of 4, the bytes "
                        "of an MPI_INT");
    if (c->known < KNOWN_RANKS)
        return;
    if (own->groups > 0 && c->world->size % own->groups != 0)
        refusal_because(r, E02_WRONG_RANKS, "groups must be of equal size; ranks=%d; groups=%d;",
                        c->world->size, own->groups);
    if (!flow_is_countable(c->world->size, own->window))
        refusal_because(r, E12_USAGE, "--congestor-window: more messages than MPI can count");
}

static const char *lacks_row(const struct context *c, const struct row *row)
{
    const unsigned asked = impact_settings(c->settings)->victims;

    return asked == 0 || (asked >> row->operation & 1) != 0 ? NULL : row_unasked;
}

/* Parts of a row: the impact on the median, and where its interval begins; 0: none. */
enum { TIMES, LEAST };

static bool blocks_are_short(const struct settings *s)
{
    return settings_most_iterations(s) < IMPACT_TAIL;
}

#define TIME(key, heading, member, ...)                                                            \
    {                                                                                              \
        { key, heading, 14 }, COLUMN_US(struct impact, member), __VA_ARGS__                        \
    }
#define RATIO(key, heading, width, member, ...)                                                    \
    {                                                                                              \
        { key, heading, width }, COLUMN_OF(struct impact, member), __VA_ARGS__                     \
    }
#define TAIL .empty = blocks_are_short

static const struct report_column columns[] = {
    TIME("loaded_us", "Loaded(us)", median.loaded_s, ),
    TIME("alone_us", "Alone(us)", median.alone_s, ),
    RATIO("impact", "Impact", 10, median.times, ),
    RATIO("impact_low", "Low", 10, median.low, ),
    RATIO("impact_high", "High", 10, median.high, ),
    TIME("loaded_p99_us", "P99 Loaded", tail.loaded_s, TAIL),
    TIME("alone_p99_us", "P99 Alone", tail.alone_s, TAIL),
    RATIO("impact_p99", "P99 Impact", 12, tail.times, TAIL),
    RATIO("impact_p99_low", "P99 Low", 10, tail.low, TAIL),
    RATIO("impact_p99_high", "P99 High", 10, tail.high, TAIL),
    { { "congestors_mb_per_s", "Congestors MB/s", 17 },
      COLUMN_OF(struct impact, congestion.mb_per_s) },
    { .value = NULL },
};

static void time_of_victim(const struct context *c, struct result *result)
{
    const struct bench_run *r = c->run;

    result->scale = r->operation == VICTIM_LATENCY ? 0.5
                    : r->operation == VICTIM_BW    ? 1.0 / r->window
                                                   : 1;
}

static void sides_line(FILE *to, const struct bench_run *r, const struct settings *s)
{
    const struct impact *state = impact_of(r);
    const struct impact_settings *own = impact_settings(s);
    char bytes[32] = "";

    if (own->congestor != CONGESTOR_NONE)
        snprintf(bytes, sizeof bytes, ", %zu bytes", own->bytes);
    fprintf(to,
            "# Victims: %d ranks. Congestors: %d ranks, %s%s. "
            "Assigned by %s with seed %d.\n",
            state->victims, state->congestors, choice_word(congestor_words, own->congestor), bytes,
            state->units, own->seed);
}

const struct report report_impact = {
    .unit = "us",
    .sample = "one iteration of the slowest victim: a round trip, a window "
              "and its acknowledgement, or a call",
    .printed = "us of half a round trip, a message of a window, or a call, "
               "alone and under load; the ratio, its 99% interval; MB/s that "
               "all congestors sent",
    .figure = time_of_victim,
    .headline = columns,
    .no_type_line = true,
    .preamble = sides_line,
};

/* --- After the table ------------------------------------------------------------ */

static enum exit_code print(FILE *to, const struct context *c, const struct rows *rows)
{
    const char *gap = "\n";

    for (const struct result *r = rows->result; r < rows->result + rows->n; r++)
        if (r->part[LEAST] > 1) {
            fprintf(to,
                    "%s# Slower: victim=%s; size=%zu; %.2f times, at least "
                    "%.2f;\n",
                    gap, c->bench->operations[r->row->operation].name, r->row->bytes,
                    r->part[TIMES], r->part[LEAST]);
            gap = "";
        }
    return EXIT_OK;
}

/* --- JSON ----------------------------------------------------------------------- */

static void record_side(const struct impact *s, int ranks, bool congests, struct fields to,
                        const char *name)
{
    const struct fields list = fields_list(to, name);

    for (int i = 0; i < ranks; i++)
        if (s->all[i] == congests)
            fields_int(list, NULL, i);
}

static void record_ratio(const struct impact_ratio *r, struct fields to, const char *name)
{
    const struct fields one = fields_known(to, name, r->known);

    fields_us(one, "alone_us", r->alone_s);
    fields_us(one, "loaded_us", r->loaded_s);
    fields_real(one, "times", r->times);
    fields_real(one, "low", r->low);
    fields_real(one, "high", r->high);
}

static void record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct impact *s = impact_of(c->run);

    if (what->rows != NULL) {
        const struct fields sides = fields_object(*to, "sides");

        fields_text(sides, "dealt_by", s->units);
        record_side(s, c->world->size, false, sides, "victims");
        record_side(s, c->world->size, true, sides, "congestors");
    }
    if (what->result == NULL)
        return;
    const struct fields impact = fields_object(*to, "impact");

    record_ratio(&s->median, impact, "median");
    record_ratio(&s->tail, impact, "p99");
    fields_int(impact, "pairs_of_blocks", IMPACT_PAIRS);
    fields_real(impact, "congestors_bytes", s->congestion.bytes);
    fields_real(impact, "congestors_mb_per_s", s->congestion.mb_per_s);
}

/* --- The family ------------------------------------------------------------------ */

const struct family impact_family = {
    .name = "impact",
    FAMILY_OPTIONS(options, defaults),
    .example.ranks = 4,
    .refuse = refuse,
    .lacks_row = lacks_row,
    .state = sizeof(struct impact),
    .describe = impact_describe,
    .begin = impact_deal,
    .memory = impact_memory,
    .ready = impact_ready,
    .end = impact_release,
    .row = impact_row,
    .measure = impact_measure,
    .print = print,
    .record = record,
};
