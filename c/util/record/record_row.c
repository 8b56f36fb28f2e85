/* SPDX-License-Identifier: BSD-3-Clause */
#include "record_row.h"

#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "report/plausible.h"

/* [low, high] in microseconds, or null. */
static void interval(struct fields to, const char *name, bool known,
                     double low_s, double high_s)
{
    struct fields list;

    if (!known) {
        fields_null(to, name);
        return;
    }
    list = fields_list(to, name);
    fields_real(list, NULL, 1e6 * low_s);
    fields_real(list, NULL, 1e6 * high_s);
}

static void columns_of(const struct report_table *table,
                       const struct cell *cells, struct fields to)
{
    for (int i = 0; i < table->n; i++) {
        const char *const key = table->column[i].key;

        if (cells[i].kind == CELL_REAL)
            fields_real(to, key, cells[i].real);
        else if (cells[i].kind == CELL_COUNT)
            fields_int(to, key, (long long)cells[i].count);
        else
            fields_text(to, key,
                        strcmp(cells[i].word, "-") == 0 ? NULL : cells[i].word);
    }
}

/* Times of an iteration, and the figures made of them, over the iterations. */
static void over_laps(const struct record *record, const struct result *r,
                      struct fields to)
{
    static const double shown[] = { 1, 5, 25, 50, 75, 90, 95, 99, 99.9 };
    const struct stats *s = &r->over_laps;
    struct fields percentiles, intervals;

    fields_text(to, "population",
                record->bench->timed == TIMED_RANK_0 ? "rank 0"
                                                     : "slowest rank");
    fields_int(to, "n", (long long)s->n);
    fields_us(to, "mean_us", s->mean);
    fields_us(to, "stddev_us", s->stddev);
    fields_us(to, "median_us", s->median);
    fields_us(to, "min_us", s->min);
    fields_us(to, "max_us", s->max);
    percentiles = fields_object(to, "percentiles_us");
    intervals = fields_object(to, "percentiles_ci95_us");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const double p = shown[i] / 100;
        double low = 0, high = 0;
        char name[16];
        const bool known = series_interval(r->series, p, &low, &high);

        snprintf(name, sizeof name, "%g", shown[i]);
        fields_us(percentiles, name, series_quantile(r->series, p));
        interval(intervals, name, known, low, high);
    }
    fields_real(to, "tau", s->tau);
    fields_real(to, "n_effective", (double)s->n / s->tau);
    fields_real(to, "half_width", stats_half_width(s));
    interval(to, "ci95_us", s->has_interval, s->ci_low, s->ci_high);
}

static void raw_of(const struct result *r, struct fields list)
{
    for (size_t i = 0; i < r->series->kept; i++)
        fields_real(list, NULL, 1e6 * r->series->value[i]);
}

static void warmup_of(const struct result *r, struct fields to)
{
    const struct warmup *w = &r->warmup;
    const bool fixed = r->stop == STOP_COUNT;

    fields_int(to, "iterations", w->laps);
    fields_us(to, "first_iteration_us", w->first_s);
    fields_us(to, "last_iteration_us", fixed ? NAN : w->last_s);
    if (fixed)
        fields_null(to, "settled");
    else
        fields_flag(to, "settled", w->settled);
}

static void shape_of(const struct result *r, struct fields to)
{
    const struct series_shape *s = &r->shape;
    struct fields part;

    fields_int(to, "samples", (long long)r->series->kept);
    part = fields_object(to, "outliers");
    fields_us(part, "below_us", s->outliers.from);
    fields_us(part, "above_us", s->outliers.to);
    fields_int(part, "low", (long long)s->outliers.low);
    fields_int(part, "high", (long long)s->outliers.high);
    fields_real(part, "share", s->outliers.share);
    if (!s->drift.known) {
        fields_null(to, "drift");
        return;
    }
    part = fields_object(to, "drift");
    fields_real(part, "last_to_first", s->drift.ratio);
    fields_real(part, "p", s->drift.p);
    fields_flag(part, "drifts", s->drift.drifts);
}

static void blame_of(struct fields to, const char *name,
                     const struct blame *blame, int ranks)
{
    struct fields object;

    if (blame->rank < 0) {
        fields_null(to, name);
        return;
    }
    object = fields_object(to, name);
    fields_int(object, "rank", blame->rank);
    fields_real(object, "share", blame->share);
    fields_flag(object, "straggler", result_is_straggler(blame, ranks));
}

/* "global"; null: there is no global clock. */
static void global_of(const struct result *r, const struct context *c,
                      struct fields to)
{
    static const struct blame nobody = { .rank = -1 };
    const struct global_times *g = &r->global;
    const bool shown = g->measured && g->trusted;

    if (c->sync == NULL) {
        fields_null(to, "global");
        return;
    }
    to = fields_object(to, "global");
    fields_flag(to, "trusted", g->trusted);
    fields_us(to, "residual_us", g->residual_s);
    fields_us(to, "residual_bound_us", g->bound_s);
    fields_us(to, "completion_us", shown ? g->completion_s : NAN);
    fields_us(to, "start_skew_us", shown ? g->skew_s : NAN);
    fields_us(to, "start_skew_p95_us", shown ? g->skew_p95_s : NAN);
    blame_of(to, "last_to_start", shown ? &g->last_start : &nobody, r->ranks);
}

static void interference_of(const struct steadiness *s, struct fields to)
{
    fields_int(to, "ranks_moved", s->moved);
    fields_int(to, "ranks_rebound", s->rebound);
    fields_int(to, "preempted", s->preempted);
    fields_real(to, "throttled_s", s->throttled_s);
    fields_real(to, "speed", s->speed);
    fields_flag(to, "speed_changed", s->speed_changed);
}

static void suspect_of(const struct result *r, struct fields list)
{
    char words[80];

    for (unsigned bit = 1; bit <= r->suspect; bit *= 2)
        if ((r->suspect & bit) != 0)
            fields_text(list, NULL, plausible_words(bit, words, sizeof words));
}

void record_block(const struct record *record, const char *operation,
                  long parameter, struct fields to)
{
    const struct bench *b = record->bench;

    if (operation != NULL)
        fields_text(to, "operation", operation);
    if (b->parameter.name != NULL)
        fields_int(to, bench_parameter(b, record->settings)->key, parameter);
}

/* "gpu"; null: no buffer of the row is a GPU's. */
static void gpu_of(const struct result *r, struct fields to)
{
    if (r->gpu.known)
        fields_us(fields_object(to, "gpu"), "left_us", r->gpu.left_s);
    else
        fields_null(to, "gpu");
}

static void counters_of(const struct result *r, struct fields to)
{
    for (int i = 0; i < r->nevents; i++) {
        const struct event_count *event = &r->events[i];
        struct fields object;

        if (!isfinite(event->total)) {
            fields_null(to, event->name);
            continue;
        }
        object = fields_object(to, event->name);
        fields_real(object, "total", event->total);
        fields_real(object, "per_iteration", event->total / (double)r->laps);
    }
}

/* What a row has been sent; null: it has no size. */
static void size_of(const struct result *r, bool sized, struct fields row)
{
    if (sized) {
        fields_int(row, "bytes", (long long)r->bytes);
        fields_int(row, "count", (long long)r->count);
        fields_text(row, "datatype", element_name(r->type));
    } else {
        fields_null(row, "bytes");
        fields_null(row, "count");
        fields_null(row, "datatype");
    }
}

/* What only rows with samples have. */
static void sampled(const struct record *record, const struct context *c,
                    const struct result *r, struct fields row)
{
    warmup_of(r, fields_object(row, "warmup"));
    fields_int(row, "late_iterations", r->late);
    shape_of(r, fields_object(row, "shape"));
    blame_of(row, "slowest", &r->slowest, r->ranks);
    global_of(r, c, row);
    interference_of(&r->steady, fields_object(row, "steady"));
    gpu_of(r, row);
    if (r->nevents > 0)
        counters_of(r, fields_object(row, "counters"));
    if (record->settings->raw)
        raw_of(r, fields_list(row, "raw_us"));
}

void record_row_fields(const struct record *record, const struct context *c,
                       const struct report_table *table, const struct result *r,
                       const struct cell *cells, struct fields row)
{
    static const char *const verdict[] = { "not checked", "pass", "fail" };
    const struct bench *b = record->bench;
    const char *const unit = b->report->unit;
    struct fields over_ranks;

    fields_text(row, "benchmark", b->name);
    fields_int(row, "ranks", c->run->nranks);
    fields_int(row, "nodes", r->nodes);
    fields_int(row, "window", c->run->window);
    fields_text(row, "source", c->side[0]->letter);
    fields_text(row, "destination", c->side[1]->letter);
    fields_real(row, "value", unit != NULL ? result_headline(r) : NAN);
    fields_text(row, "unit", unit);
    columns_of(table, cells, fields_object(row, "columns"));
    fields_int(row, "iterations", r->laps);
    fields_int(row, "warmup_iterations", r->warmup.laps);
    fields_int(row, "stride", r->stride);
    fields_text(row, "stop", result_stop_word(r->stop));
    fields_flag(row, "precise", r->precise);
    fields_real(row, "elapsed_s", r->elapsed_s);
    fields_text(row, "verified", verdict[r->verdict]);
    size_of(r, bench_is_sized(b), row);
    over_ranks = fields_object(row, "over_ranks");
    fields_int(over_ranks, "n", r->ranks);
    fields_us(over_ranks, "mean_us", r->mean);
    fields_us(over_ranks, "min_us", r->mean_min);
    fields_us(over_ranks, "max_us", r->mean_max);
    record_block(record, r->operation, r->parameter, row);
    if (r->series != NULL)
        over_laps(record, r, fields_object(row, "over_iterations"));
    if (b->family != NULL && b->family->record_row != NULL)
        b->family->record_row(c, r, &row);
    suspect_of(r, fields_list(row, "suspect"));
    if (r->series != NULL)
        sampled(record, c, r, row);
}
