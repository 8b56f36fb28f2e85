/* SPDX-License-Identifier: BSD-3-Clause */
#include "record_row.h"

#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "report/plausible.h"

#ifdef HAVE_JANSSON
#    include <jansson.h>

/* Not a number has no place in JSON. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *time_us(double seconds)
{
    return number(1e6 * seconds);
}

static json_t *columns_of(const struct report_table *table,
                          const struct cell *cells)
{
    json_t *columns = json_object();

    for (int i = 0; i < table->n; i++)
        json_object_set_new(columns, table->column[i].key,
                            cells[i].kind == CELL_REAL ? number(cells[i].real)
                            : cells[i].kind == CELL_COUNT
                                ? json_integer((json_int_t)cells[i].count)
                            : strcmp(cells[i].word, "-") == 0
                                ? json_null()
                                : json_string(cells[i].word));
    return columns;
}

/* Times of a lap, and the figures made of them, over the laps. */
static json_t *over_laps(const struct record *record, const struct result *r)
{
    static const double shown[] = { 1, 5, 25, 50, 75, 90, 95, 99, 99.9 };
    const struct stats *s = &r->over_laps;
    json_t *percentiles = json_object(), *intervals = json_object(), *object;
    double low, high;
    char name[16];

    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        snprintf(name, sizeof name, "%g", shown[i]);
        json_object_set_new(
            percentiles, name,
            time_us(series_quantile(r->series, shown[i] / 100)));
        json_object_set_new(
            intervals, name,
            series_interval(r->series, shown[i] / 100, &low, &high)
                ? json_pack("[o, o]", time_us(low), time_us(high))
                : json_null());
    }
    object = json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "population",
                       record->bench->timed == TIMED_RANK_0 ? "rank 0"
                                                            : "slowest rank",
                       "n", (json_int_t)s->n, "mean_us", time_us(s->mean),
                       "stddev_us", time_us(s->stddev), "median_us",
                       time_us(s->median), "min_us", time_us(s->min), "max_us",
                       time_us(s->max), "percentiles_us", percentiles);
    json_object_set_new(object, "percentiles_ci95_us", intervals);
    json_object_set_new(object, "tau", number(s->tau));
    json_object_set_new(object, "n_effective", number((double)s->n / s->tau));
    json_object_set_new(object, "half_width", number(stats_half_width(s)));
    json_object_set_new(
        object, "ci95_us",
        s->has_interval
            ? json_pack("[o, o]", time_us(s->ci_low), time_us(s->ci_high))
            : json_null());
    return object;
}

static json_t *raw_of(const struct result *r)
{
    json_t *raw = json_array();

    for (size_t i = 0; i < r->series->kept; i++)
        json_array_append_new(raw, time_us(r->series->value[i]));
    return raw;
}

static json_t *warmup_of(const struct result *r)
{
    const struct warmup *w = &r->warmup;
    const bool fixed = r->stop == STOP_COUNT;

    return json_pack("{s:I, s:o, s:o, s:o}", "laps", (json_int_t)w->laps,
                     "first_lap_us", time_us(w->first_s), "last_lap_us",
                     fixed ? json_null() : time_us(w->last_s), "settled",
                     fixed ? json_null() : json_boolean(w->settled));
}

static json_t *drift_object(const struct drift *d)
{
    if (!d->known)
        return json_null();
    return json_pack("{s:f, s:f, s:b}", "last_to_first", d->ratio, "p", d->p,
                     "drifts", d->drifts);
}

static json_t *shape_of(const struct result *r)
{
    const struct series_shape *s = &r->shape;

    return json_pack(
        "{s:I, s:{s:o, s:o, s:I, s:I, s:f}, s:o}", "samples",
        (json_int_t)r->series->kept, "outliers", "below_us",
        time_us(s->outliers.from), "above_us", time_us(s->outliers.to), "low",
        (json_int_t)s->outliers.low, "high", (json_int_t)s->outliers.high,
        "share", s->outliers.share, "drift", drift_object(&s->drift));
}

static json_t *blame_of(const struct blame *blame, int ranks)
{
    if (blame->rank < 0)
        return json_null();
    return json_pack("{s:i, s:f, s:b}", "rank", blame->rank, "share",
                     blame->share, "straggler",
                     result_is_straggler(blame, ranks));
}

static json_t *global_of(const struct result *r, const struct context *c)
{
    const struct global_times *g = &r->global;
    const bool shown = g->measured && g->trusted;

    if (c->sync == NULL)
        return json_null();
    return json_pack(
        "{s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "trusted", g->trusted,
        "residual_us", time_us(g->residual_s), "residual_bound_us",
        time_us(g->bound_s), "completion_us",
        shown ? time_us(g->completion_s) : json_null(), "start_skew_us",
        shown ? time_us(g->skew_s) : json_null(), "start_skew_p95_us",
        shown ? time_us(g->skew_p95_s) : json_null(), "last_to_start",
        shown ? blame_of(&g->last_start, r->ranks) : json_null());
}

static json_t *interference_of(const struct steadiness *s)
{
    return json_pack("{s:i, s:i, s:I, s:f, s:o, s:b}", "ranks_moved", s->moved,
                     "ranks_rebound", s->rebound, "preempted",
                     (json_int_t)s->preempted, "throttled_s", s->throttled_s,
                     "speed", number(s->speed), "speed_changed",
                     s->speed_changed);
}

static json_t *suspect_of(const struct result *r)
{
    json_t *reasons = json_array();

    for (unsigned bit = 1; bit <= r->suspect; bit *= 2) {
        char words[80];

        if ((r->suspect & bit) != 0)
            json_array_append_new(reasons, json_string(plausible_words(
                                               bit, words, sizeof words)));
    }
    return reasons;
}

void record_block(void *object, const struct record *record,
                  const char *operation, long parameter)
{
    const struct bench *b = record->bench;

    if (operation != NULL)
        json_object_set_new(object, "operation", json_string(operation));
    if (b->parameter.name != NULL)
        json_object_set_new(object, bench_parameter(b, record->settings)->key,
                            json_integer(parameter));
}

/* Null: no buffer of the row is a GPU's. */
static json_t *gpu_of(const struct result *r)
{
    if (!r->gpu.known)
        return json_null();
    return json_pack("{s:f}", "left_us", 1e6 * r->gpu.left_s);
}

static json_t *counters_of(const struct result *r)
{
    json_t *all = json_object();

    for (int i = 0; i < r->nevents; i++) {
        const double n = r->events[i].total;

        json_object_set_new(all, r->events[i].name,
                            isfinite(n)
                                ? json_pack("{s:f, s:f}", "total", n, "per_lap",
                                            n / (double)r->laps)
                                : json_null());
    }
    return all;
}

void *record_row_object(const struct record *record, const struct context *c,
                        const struct report_table *table,
                        const struct result *r, const struct cell *cells)
{
    static const char *const verdict[] = { "not checked", "pass", "fail" };
    const bool sized = bench_is_sized(record->bench);
    const char *const unit = record->bench->report->unit;
    json_t *row = json_pack(
        "{s:s, s:i, s:i, s:i, s:s, s:s, s:o, s:s?, s:o, s:I, s:I, s:I, s:s, "
        "s:b, s:o, s:s}",
        "benchmark", record->bench->name, "ranks", c->run->nranks, "nodes",
        r->nodes, "window", c->run->window, "source", c->side[0]->letter,
        "destination", c->side[1]->letter, "value",
        unit != NULL ? number(result_headline(r)) : json_null(), "unit", unit,
        "columns", columns_of(table, cells), "laps", (json_int_t)r->laps,
        "warmup_laps", (json_int_t)r->warmup.laps, "stride",
        (json_int_t)r->stride, "stop", result_stop_word(r->stop), "precise",
        r->precise, "elapsed_s", number(r->elapsed_s), "verified",
        verdict[r->verdict]);

    json_object_set_new(
        row, "bytes", sized ? json_integer((json_int_t)r->bytes) : json_null());
    json_object_set_new(
        row, "count", sized ? json_integer((json_int_t)r->count) : json_null());
    json_object_set_new(row, "datatype",
                        sized ? json_string(element_name(r->type))
                              : json_null());
    json_object_set_new(row, "over_ranks",
                        json_pack("{s:i, s:o, s:o, s:o}", "n", r->ranks,
                                  "mean_us", time_us(r->mean), "min_us",
                                  time_us(r->mean_min), "max_us",
                                  time_us(r->mean_max)));
    record_block(row, record, r->operation, r->parameter);
    if (r->series != NULL)
        json_object_set_new(row, "over_laps", over_laps(record, r));
    if (record->bench->family != NULL &&
        record->bench->family->record_row != NULL)
        record->bench->family->record_row(c, r, &(struct fields){ row });
    json_object_set_new(row, "suspect", suspect_of(r));
    if (r->series == NULL)
        return row;
    json_object_set_new(row, "warmup", warmup_of(r));
    json_object_set_new(row, "late_laps", json_integer((json_int_t)r->late));
    json_object_set_new(row, "shape", shape_of(r));
    json_object_set_new(row, "slowest", blame_of(&r->slowest, r->ranks));
    json_object_set_new(row, "global", global_of(r, c));
    json_object_set_new(row, "steady", interference_of(&r->steady));
    json_object_set_new(row, "gpu", gpu_of(r));
    if (r->nevents > 0)
        json_object_set_new(row, "counters", counters_of(r));
    if (record->settings->raw)
        json_object_set_new(row, "raw_us", raw_of(r));
    return row;
}
#endif
