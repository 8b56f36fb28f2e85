/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_impact.h"

#include "bench.h"
#include "impact.h"
#include "report/rows.h"

/* Parts of a row: the impact on the median, and where its interval begins; 0: none. */
enum { TIMES, LEAST };

static bool blocks_are_short(const struct settings *s)
{
    return settings_most_laps(s) < IMPACT_TAIL;
}

#define TIME(key, heading, member, ...)                                        \
    {                                                                          \
        { key, heading, 14 }, COLUMN_US(struct impact, member), __VA_ARGS__    \
    }
#define RATIO(key, heading, width, member, ...)                                \
    {                                                                          \
        { key, heading, width }, COLUMN_OF(struct impact, member), __VA_ARGS__ \
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

static void sides_line(FILE *to, const struct bench_run *r,
                       const struct settings *s)
{
    const struct impact *state = impact_of(r);
    const struct impact_settings *own = impact_settings(s);

    fprintf(to,
            "# Victims: %d ranks. Congestors: %d ranks, %s, %zu bytes. "
            "Assigned by %s with seed %d.\n",
            state->victims, state->congestors,
            choice_word(congestor_words, own->congestor), own->bytes,
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

enum exit_code impact_print(FILE *to, const struct context *c,
                            const struct rows *rows)
{
    const char *gap = "\n";

    for (const struct result *r = rows->result; r < rows->result + rows->n; r++)
        if (r->part[LEAST] > 1) {
            fprintf(to,
                    "%s# Slower: victim=%s; size=%zu; %.2f times, at least "
                    "%.2f;\n",
                    gap, c->bench->operations[r->row->operation].name,
                    r->row->bytes, r->part[TIMES], r->part[LEAST]);
            gap = "";
        }
    return EXIT_OK;
}

/* --- JSON ----------------------------------------------------------------------- */

static void record_side(const struct impact *s, int ranks, bool congests,
                        struct fields to, const char *name)
{
    const struct fields list = fields_list(to, name);

    for (int i = 0; i < ranks; i++)
        if (s->all[i] == congests)
            fields_int(list, NULL, i);
}

static void record_sides(const struct context *c, struct fields to)
{
    const struct impact *s = impact_of(c->run);
    const struct fields sides = fields_object(to, "sides");

    fields_text(sides, "dealt_by", s->units);
    record_side(s, c->world->size, false, sides, "victims");
    record_side(s, c->world->size, true, sides, "congestors");
}

static void record_ratio(const struct impact_ratio *r, struct fields to,
                         const char *name)
{
    const struct fields one = fields_known(to, name, r->known);

    fields_us(one, "alone_us", r->alone_s);
    fields_us(one, "loaded_us", r->loaded_s);
    fields_real(one, "times", r->times);
    fields_real(one, "low", r->low);
    fields_real(one, "high", r->high);
}

void impact_record(const struct context *c, const struct recorded *what,
                   struct fields *to)
{
    const struct impact *s = impact_of(c->run);

    if (what->rows != NULL)
        record_sides(c, *to);
    if (what->result == NULL)
        return;
    const struct fields impact = fields_object(*to, "impact");

    record_ratio(&s->median, impact, "median");
    record_ratio(&s->tail, impact, "p99");
    fields_int(impact, "pairs_of_blocks", IMPACT_PAIRS);
    fields_real(impact, "congestors_bytes", s->congestion.bytes);
    fields_real(impact, "congestors_mb_per_s", s->congestion.mb_per_s);
}
