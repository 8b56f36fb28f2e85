/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "bench.h"
#include "counters/counters.h"
#include "data/memory.h"
#include "devices/devices.h"
#include "job/world.h"
#include "report/report.h"
#include "report/result.h"

/* [low, high] in microseconds, or null. */
static void interval(struct fields to, const char *name, bool known, double low_s, double high_s)
{
    struct fields list;

    if (!known) {
        fields_text(to, name, NULL);
        return;
    }
    list = fields_list(to, name);
    fields_us(list, NULL, low_s);
    fields_us(list, NULL, high_s);
}

/* Cells under the keys of their columns. */
static void cells_of(const struct column *column, const struct cell *cell, int n, struct fields to)
{
    for (int i = 0; i < n; i++) {
        const char *const key = column[i].key, *const word = cell[i].word;
        const bool known = word[0] != '\0' && strcmp(word, "-") != 0;

        if (cell[i].kind == CELL_REAL)
            fields_real(to, key, cell[i].real);
        else if (cell[i].kind == CELL_COUNT)
            fields_int(to, key, (long long)cell[i].count);
        else
            fields_text(to, key, known ? word : NULL);
    }
}

/* Times of an iteration, and the figures made of them, over the iterations. */
static void over_iterations(const struct bench *b, const struct result *r, struct fields to)
{
    static const double shown[] = { 1, 5, 25, 50, 75, 90, 95, 99, 99.9 };
    const struct stats *s = &r->over_iterations;
    struct fields percentiles, intervals;

    fields_text(to, "population", b->timed == TIMED_RANK_0 ? "rank 0" : "slowest rank");
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
    fields_real(to, "tau", s->n > 1 ? s->tau : NAN);
    fields_real(to, "n_effective", s->n > 1 ? (double)s->n / s->tau : NAN);
    fields_real(to, "half_width", stats_half_width(s));
    interval(to, "ci95_us", s->has_interval, s->ci_low, s->ci_high);
}

static void warmup_of(const struct result *r, struct fields to)
{
    const struct warmup *w = &r->warmup;
    const bool fixed = r->stop == STOP_COUNT;

    fields_int(to, "iterations", w->iterations);
    fields_us(to, "first_iteration_us", w->first_s);
    fields_us(to, "last_iteration_us", fixed ? NAN : w->last_s);
    if (fixed)
        fields_text(to, "settled", NULL);
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
    part = fields_known(to, "drift", s->drift.known);
    fields_real(part, "last_to_first", s->drift.ratio);
    fields_real(part, "p", s->drift.p);
    fields_flag(part, "drifts", s->drift.drifts);
}

static void blame_of(struct fields to, const char *name, bool known, const struct blame *blame,
                     int ranks)
{
    to = fields_known(to, name, known && blame->rank >= 0);
    fields_int(to, "rank", blame->rank);
    fields_real(to, "share", blame->share);
    fields_flag(to, "straggler", result_is_straggler(blame, ranks));
}

/* "global"; null: there is no global clock. */
static void global_of(const struct result *r, const struct context *c, struct fields to)
{
    const struct global_times *g = &r->global;
    const bool shown = g->measured && g->trusted;

    to = fields_known(to, "global", c->sync != NULL);
    fields_flag(to, "trusted", g->trusted);
    fields_us(to, "residual_us", g->residual_s);
    fields_us(to, "residual_bound_us", g->bound_s);
    fields_us(to, "completion_us", shown ? g->completion_s : NAN);
    fields_us(to, "start_skew_us", shown ? g->skew_s : NAN);
    fields_us(to, "start_skew_p95_us", shown ? g->skew_p95_s : NAN);
    blame_of(to, "last_to_start", shown, &g->last_start, r->ranks);
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

/* null: what a rank lost, another of the job may have had. */
static void disturbed_of(const struct disturbance *d, struct fields to)
{
    to = fields_known(to, "disturbed", d->watched);
    fields_int(to, "batches", d->batches);
    fields_int(to, "found", d->found);
    fields_int(to, "left_out", d->left_out);
}

static void suspect_of(const struct result *r, struct fields list)
{
    char words[80];

    for (unsigned bit = 1; bit <= r->suspect; bit *= 2)
        if ((r->suspect & bit) != 0)
            fields_text(list, NULL, plausible_words(bit, words, sizeof words));
}

static void doubts_of(const struct result *r, struct fields list)
{
    const unsigned doubts = doubt_of(r);

    for (int i = 0; i < DOUBTS; i++)
        if ((doubts >> i & 1) != 0)
            fields_text(list, NULL, doubt_words[i].word);
}

void record_of_family(const struct context *c, struct recorded what, struct fields to)
{
    if (bench_family(c->bench)->record != NULL)
        c->bench->family->record(c, &what, &to);
}

/* What only rows with samples have. */
static void sampled(const struct context *c, const struct result *r, bool with_raw,
                    struct fields row)
{
    struct fields raw;

    warmup_of(r, fields_object(row, "warmup"));
    fields_int(row, "late_iterations", r->late);
    shape_of(r, fields_object(row, "shape"));
    blame_of(row, "slowest", true, &r->slowest, r->ranks);
    global_of(r, c, row);
    interference_of(&r->steady, fields_object(row, "steady"));
    disturbed_of(&r->disturbed, row);
    /* null: no buffer of the row is a GPU's. */
    fields_us(fields_known(row, "gpu", r->gpu.known), "left_us", r->gpu.left_s);
    counters_record(r, row);
    if (!with_raw)
        return;
    raw = fields_list(row, "raw_us");
    for (size_t i = 0; i < r->series->kept; i++)
        fields_us(raw, NULL, r->series->value[i]);
}

/* A whole number stays as it is, if JSON's library has room for it. */
static void digits(struct fields row, const char *name, const char *text)
{
    const char *end;
    long whole;

    if (number_is(text, LONG_MIN, LONG_MAX, &whole))
        fields_int(row, name, whole);
    else
        fields_real(row, name, number_real(text, &end));
}

static void verified_of(const struct result *r, struct fields row)
{
    const struct verified *v = &r->verified;

    fields_text(row, "verified", v->checked == 0 ? "not checked" : v->wrong == 0 ? "pass" : "fail");
    fields_int(row, "checked", v->checked);
    fields_int(row, "wrong", v->wrong);
    row = fields_known(row, "first_wrong", v->counted != NULL);
    fields_int(row, "iteration", v->iteration);
    fields_int(row, "rank", v->rank);
    fields_known_int(row, "from_rank", v->first.from >= 0, v->first.from);
    fields_text(row, "operation", v->operation);
    fields_known_int(row, "root", v->root >= 0, v->root);
    fields_int(row, "block", v->first.block);
    fields_int(row, "at", (long long)v->first.element);
    fields_text(row, "counts", v->counted);
    digits(row, "expected", v->first.expected);
    digits(row, "got", v->first.got);
    fields_int(row, "ranks_wrong", v->ranks_wrong);
}

/* A row is recorded when it has ended. */
static void ended(struct fields row)
{
    struct timespec now;
    struct tm utc;
    char second[24], text[40];

    clock_gettime(CLOCK_REALTIME, &now);
    strftime(second, sizeof second, "%Y-%m-%dT%H:%M:%S", gmtime_r(&now.tv_sec, &utc));
    snprintf(text, sizeof text, "%s.%03ldZ", second, now.tv_nsec / 1000000);
    fields_text(row, "ended", text);
}

void record_which(const struct context *c, const struct row *of, int ranks, int window,
                  struct fields row)
{
    const bool sized = bench_is_sized(c->bench);
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    const char *operation =
        bench_has_rows(c->bench) ? c->bench->operations[of->operation].name : NULL;
    char key[256];
    int n = 0;

    if (sized)
        n += snprintf(key + n, sizeof key - (size_t)n, "%zu %s ", of->bytes,
                      element_name(of->element));
    if (operation != NULL)
        n += snprintf(key + n, sizeof key - (size_t)n, "%s ", operation);
    if (window > 1)
        n += snprintf(key + n, sizeof key - (size_t)n, "window=%d ", window);
    if (p->name != NULL && p->kind != PARAMETER_SUBSETS && p->kind != PARAMETER_RANKS)
        n += snprintf(key + n, sizeof key - (size_t)n, "%s=%ld ", p->key, (long)of->parameter);
    snprintf(key + n, sizeof key - (size_t)n, "ranks=%d", ranks);
    fields_text(row, "row", key);
    fields_int(row, "ranks", ranks);
    fields_int(row, "window", window);
    fields_known_int(row, "bytes", sized, sized ? (long long)of->bytes : 0);
    fields_text(row, "datatype", sized ? element_name(of->element) : NULL);
    fields_text(row, "unit", c->bench->report->unit);
    if (operation != NULL)
        fields_text(row, "operation", operation);
    if (p->name != NULL)
        fields_int(row, p->key, of->parameter);
}

void record_row_fields(const struct context *c, const struct result *r, bool raw, struct fields row)
{
    const struct report_table *const table = c->table;
    struct cell cells[REPORT_COLUMNS];
    const struct bench *b = c->bench;
    const char *const unit = b->report->unit;
    const bool sized = bench_is_sized(b);
    struct fields over_ranks;

    report_cells(table, r, cells);
    fields_text(row, "benchmark", b->name);
    record_which(c, r->row, c->run->nranks, c->run->window, row);
    fields_int(row, "nodes", r->nodes);
    fields_int(row, "slots", c->run->recv_stride > 0 ? c->run->slots : 1);
    fields_known_int(row, "count", sized,
                     sized ? (long long)(r->row->bytes / element_size(r->row->element)) : 0);
    fields_text(row, "source", c->side[0]->letter);
    fields_text(row, "destination", c->side[1]->letter);
    fields_real(row, "value", unit != NULL ? result_headline(r) : NAN);
    fields_real(row, "median", unit != NULL ? result_median(r) : NAN);
    cells_of(table->column, cells, table->n, fields_object(row, "columns"));
    fields_int(row, "iterations", r->iterations);
    fields_int(row, "warmup_iterations", r->warmup.iterations);
    fields_int(row, "stride", r->stride);
    fields_text(row, "stop", result_stop_word(r->stop));
    fields_flag(row, "precise", r->precise);
    fields_real(row, "elapsed_s", r->elapsed_s);
    ended(row);
    verified_of(r, row);
    over_ranks = fields_object(row, "over_ranks");
    fields_int(over_ranks, "n", r->ranks);
    fields_us(over_ranks, "mean_us", r->mean);
    fields_us(over_ranks, "min_us", r->mean_min);
    fields_us(over_ranks, "max_us", r->mean_max);
    if (r->series != NULL)
        over_iterations(b, r, fields_object(row, "over_iterations"));
    record_of_family(c, (struct recorded){ .part = RECORDED_ROW, .result = r, .raw = raw }, row);
    suspect_of(r, fields_list(row, "suspect"));
    doubts_of(r, fields_list(row, "doubtful"));
    fields_real(row, "share_of_limit", r->share_of_limit > 0 ? r->share_of_limit : NAN);
    carriers_record(row);
    if (r->series != NULL)
        sampled(c, r, raw, row);
}
