/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <string.h>

#include "bench.h"
#include "result.h"

struct cell cell_real(double value)
{
    return (struct cell){ .kind = CELL_REAL, .real = value };
}

struct cell cell_count(size_t count)
{
    return (struct cell){ .kind = CELL_COUNT, .count = count };
}

struct cell cell_word(const char *word)
{
    struct cell cell = { .kind = CELL_WORD };

    snprintf(cell.word, sizeof cell.word, "%s", word);
    return cell;
}

static const struct report_column *base_columns(const struct report_table *t)
{
    const struct report *r = t->bench->report;
    const struct report_column *other =
        r->columns != NULL ? r->columns(t->bench, t->settings) : NULL;

    return other != NULL ? other : r->headline;
}

static bool is_shown(const struct report_table *t, const struct report_column *c)
{
    return (!c->full || t->settings->full) && (c->shown == NULL || c->shown(t->bench, t->settings));
}

static struct cell if_known(bool known, double value)
{
    return known ? cell_real(value) : cell_word("-");
}

/* "3(87%)" */
static struct cell culprit(const struct blame *blame)
{
    char text[40] = "-";

    if (blame->rank >= 0)
        snprintf(text, sizeof text, "%d(%.0f%%)", blame->rank, 100 * blame->share);
    return cell_word(text);
}

/* What is known of the time of an iteration; returns the next place in the list. */
static struct extra_column *add_times(const struct result *r, struct extra_column *to)
{
    const struct stats *s = &r->over_iterations;
    /* A long time is a small rate: low and high change places. */
    const double low_s = r->is_rate ? s->ci_high : s->ci_low;
    const double high_s = r->is_rate ? s->ci_low : s->ci_high;
    const double min_s = r->is_rate ? s->max : s->min;
    const double max_s = r->is_rate ? s->min : s->max;
    const struct extra_column times[] = {
        { "median", "median over iterations", "Median(us)", "Median(MB/s)",
          cell_real(result_figure(r, s->median)) },
        { "ci_low", "lower end of its 95% confidence interval", "CI95 Low(us)", "CI95 Low(MB/s)",
          if_known(s->has_interval, result_figure(r, low_s)) },
        { "ci_high", "upper end of that interval", "CI95 High(us)", "CI95 High(MB/s)",
          if_known(s->has_interval, result_figure(r, high_s)) },
        { "half_width", "wider half of that interval, in percent of the median", "Half Width(%)",
          "Half Width(%)", if_known(s->has_interval && s->median > 0, 100 * stats_half_width(s)) },
        { "tau", "autocorrelation time: this many samples count as one", "Tau", "Tau",
          if_known(s->n > 1, s->tau) },
        { "n_eff", "effective number of samples: samples / tau", "Eff. Samples", "Eff. Samples",
          if_known(s->n > 1, (double)s->n / s->tau) },
        { "min", "minimum over iterations", "Iter. Min(us)", "Iter. Min(MB/s)",
          cell_real(result_figure(r, min_s)) },
        { "max", "maximum over iterations", "Iter. Max(us)", "Iter. Max(MB/s)",
          cell_real(result_figure(r, max_s)) },
        { "stddev", "standard deviation over iterations, in percent", "Std Dev(%)", "Std Dev(%)",
          if_known(s->mean > 0, 100 * s->stddev / s->mean) },
        { "completion", "mean over iterations of the slowest rank's time", "Completion(us)",
          "Completion(MB/s)", cell_real(result_figure(r, s->mean)) },
    };

    memcpy(to, times, sizeof times);
    return to + sizeof times / sizeof *times;
}

/* What else is known of the iterations, and of what went on meanwhile. */
static struct extra_column *add_facts(const struct result *r, struct extra_column *to)
{
    const struct drift *d = &r->shape.drift;
    const struct global_times *g = &r->global;
    const struct disturbance *b = &r->disturbed;
    /* Of each iteration; only a trusted global clock tells. */
    const bool told = g->measured && g->trusted;
    const struct extra_column facts[] = {
        { "iterations", "timed iterations", "Iterations", "Iterations",
          cell_count((size_t)r->iterations) },
        { "samples", "samples; a sample is one or several iterations", "Samples", "Samples",
          cell_count(r->over_iterations.n) },
        { "stop", "why the row ended: precision, enough, budget or count", "Stop", "Stop",
          cell_word(result_stop_word(r->stop)) },
        { "disturbed", "disturbed batches, in percent of those that the value is made of",
          "Disturbed(%)", "Disturbed(%)",
          if_known(b->watched,
                   100.0 * (double)(b->found - b->left_out) / (double)(b->batches - b->left_out)) },
        { "outliers", "samples far from the median, in percent (modified z > 14.8)", "Outliers(%)",
          "Outliers(%)", cell_real(100 * r->shape.outliers.share) },
        { "drift", "change of the median from first to last third, in percent", "Drift(%)",
          "Drift(%)", if_known(d->known, 100 * (d->ratio - 1)) },
        { "slowest_rank",
          "rank that is slowest most often, and in what percentage of the iterations",
          "Slowest Rank", "Slowest Rank", culprit(&r->slowest) },
        { "global", "median time from the first start to the last end, on synchronized clocks",
          "Global(us)", "Global(MB/s)", if_known(told, result_figure(r, g->completion_s)) },
        { "skew", "median time from the first start to the last, on synchronized clocks",
          "Start Skew(us)", "Start Skew(us)", if_known(told, 1e6 * g->skew_s) },
        { "late", "iterations discarded because a rank was late (--start=clock)", "Late Iterations",
          "Late Iterations", cell_count((size_t)r->late) },
        { "residual", "error of the synchronized clocks after the row", "Residual(us)",
          "Residual(us)", if_known(g->synchronised, 1e6 * g->residual_s) },
        { "speed", "speed of a core after the row, in percent of that before", "Speed(%)",
          "Speed(%)", cell_real(100 * r->steady.speed) },
    };

    memcpy(to, facts, sizeof facts);
    return to + sizeof facts / sizeof *facts;
}

/* The columns that --columns can add to the table of that program, with their values in a row,
   and a NULL name after the last; r is NULL: without values. */
static void list_extras(const struct bench *b, const struct result *r,
                        struct extra_column extra[COLUMNS_MAX + 1])
{
    static const struct result none;
    const struct extra_column *more = b->report->more;

    extra = add_times(r != NULL ? r : &none, extra);
    extra = add_facts(r != NULL ? r : &none, extra);
    for (int i = 0; more != NULL && more[i].name != NULL; i++) {
        *extra = more[i];
        if (r != NULL)
            extra->value = b->report->more_value(b, r, i);
        extra++;
    }
    extra->name = NULL;
}

void report_table(struct report_table *t, const struct bench *b, const struct settings *s)
{
    const bool bandwidth = b->report->is_rate;
    struct extra_column extras[COLUMNS_MAX + 1];
    int decimals = 0; /* of what is asked for besides: those of the first */

    *t = (struct report_table){ .bench = b,
                                .settings = s,
                                .check = s->check && (b->takes & TAKES_CHECK) };
    if (report_is_column(base_columns(t)))
        decimals = base_columns(t)->column.decimals;
    for (const struct report_column *c = base_columns(t); report_is_column(c); c++)
        if (is_shown(t, c)) {
            t->column[t->n] = c->column;
            t->column[t->n++].hidden = c->empty != NULL && c->empty(s);
        }
    if (t->check)
        t->column[t->n++] = (struct column){ "validation", "Validation", 0 };
    for (int i = 0; i < s->npercentiles; i++) {
        const char *what = bandwidth ? " Tail BW(MB/s)" : " Tail Lat(us)";
        /* As in OMB, the blanks in front of two digits stay where there are
           more, and the heading of P100 is 19 wide above values of 18. */
        const int blanks = TABLE_FIELD_WIDTH - (int)strlen(what) - 3;

        snprintf(t->key[i], sizeof t->key[i], "p%g", s->percentiles[i]);
        snprintf(t->text[i], sizeof t->text[i], "%*sP%g%s", blanks, "", s->percentiles[i], what);
        t->column[t->n++] = (struct column){ t->key[i], t->text[i], 0, decimals };
    }
    if (s->derived.kind != TYPEMAP_WHOLE)
        t->column[t->n++] = (struct column){ "transmit_bytes", "Transmit Size", 0 };
    list_extras(b, NULL, extras);
    for (int i = 0; i < s->ncolumns; i++) {
        const struct extra_column *extra = &extras[s->columns[i]];

        t->column[t->n++] =
            (struct column){ extra->name, bandwidth ? extra->bandwidth : extra->latency, 0,
                             decimals };
    }
}

void report_figure(const struct context *c, struct result *result)
{
    const struct report *report = c->bench->report;
    const int senders = c->bench->timed == TIMED_SENDERS ? c->run->pairs : 1;

    result->is_rate = report->is_rate;
    result->scale = report->scale > 0 ? report->scale : 1;
    if (report->is_rate)
        result->messages = (report->both_ways ? 2.0 : 1.0) * c->run->window * senders;
    if (report->figure != NULL)
        report->figure(c, result);
    if (report->is_rate)
        result->payload = result->messages * (double)result->moved;
}

void report_column_words(const struct bench *b, struct choice word[COLUMNS_MAX + 1])
{
    struct extra_column extra[COLUMNS_MAX + 1];
    int n = 0;

    for (list_extras(b, NULL, extra); extra[n].name != NULL; n++)
        word[n] = (struct choice){ extra[n].name, n, extra[n].meaning };
    word[n] = (struct choice){ 0 };
}

/* Percentile p (0 to 100) over iterations; of a bandwidth the low tail: P99 is the rate that 99 %
   of the iterations reach. */
static double percentile(const struct result *r, double p)
{
    return result_figure(r, series_quantile(r->series, p / 100));
}

static struct cell value_of(const struct report_column *c, const struct result *r)
{
    const char *state = r->family;

    return c->times > 0 ? cell_real(c->times * *(const double *)(state + c->at)) : c->value(r);
}

void report_cells(const struct report_table *t, const struct result *r, struct cell *cells)
{
    struct extra_column extras[COLUMNS_MAX + 1];

    for (const struct report_column *c = base_columns(t); report_is_column(c); c++)
        if (is_shown(t, c))
            *cells++ = value_of(c, r);
    if (t->check)
        *cells++ = cell_word(result_verdict(r, t->bench->report->one_sided));
    for (int i = 0; i < t->settings->npercentiles; i++)
        *cells++ = cell_real(percentile(r, t->settings->percentiles[i]));
    if (t->settings->derived.kind != TYPEMAP_WHOLE)
        *cells++ = cell_count(r->moved);
    if (t->settings->ncolumns > 0)
        list_extras(t->bench, r, extras);
    for (int i = 0; i < t->settings->ncolumns; i++)
        *cells++ = extras[t->settings->columns[i]].value;
}

/* As OMB has it: managed memory shows in the titles of non-blocking collectives only. */
static const char *title_mark(const struct bench *b, const struct settings *s)
{
    if (!settings_on_gpu(s))
        return "";
    if (s->device == DEVICE_MANAGED)
        return b->report->managed_in_title ? "-MANAGED" : "";
    return s->device == DEVICE_ROCM ? "-ROCM" : "-CUDA";
}

void report_plain_title(const struct bench *b, const struct settings *s, char text[120])
{
    const int before = (int)strcspn(b->title, "@");

    snprintf(text, 120, "%.*s%s%s", before, b->title,
             b->title[before] == '@' ? title_mark(b, s) : "",
             b->title[before] == '@' ? b->title + before + 1 : "");
}

/* --- The reports of no family: each formula stands next to the words that claim it ------ */

struct cell report_mean(const struct result *r)
{
    return cell_real(result_mean(r));
}

struct cell report_mean_min(const struct result *r)
{
    return cell_real(result_figure(r, r->mean_min));
}

struct cell report_mean_max(const struct result *r)
{
    return cell_real(result_figure(r, r->mean_max));
}

struct cell report_iterations(const struct result *r)
{
    return cell_count((size_t)r->iterations);
}

/* --- Latencies -------------------------------------------------------------- */

struct cell report_messages_per_s(const struct result *r)
{
    return cell_real(result_messages_per_s(r));
}

const struct report_column report_latency_columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    { .value = NULL },
};

const struct report report_half_round_trip = {
    .unit = "us",
    .sample = "one round trip, seen by the first rank of a pair",
    .printed = "half of it, in us, mean over iterations and pairs",
    .scale = 0.5,
    .headline = report_latency_columns,
};
const struct report report_round_trip = {
    .unit = "us",
    .sample = "one round trip, seen by rank 0",
    .printed = "half of it, in us, mean over iterations",
    .scale = 0.5,
    .headline = report_latency_columns,
};
const struct report report_exchange = {
    .unit = "us",
    .sample = "one message each way at once, seen by rank 0",
    .printed = "us until both have arrived, mean over iterations",
    .headline = report_latency_columns,
};
static const struct report_column self_columns[] = {
    { { "latency_us", "Avg Latency(us)", .decimals = 4 }, report_mean },
    { .value = NULL },
};

const struct report report_self = {
    .unit = "us",
    .sample = "one message of each rank to itself",
    .printed = "us per message, mean over iterations, then over ranks",
    .headline = self_columns,
};

/* --- Bandwidths: an iteration is a window of messages on each sender ---------------- */

const struct report_column report_bandwidth_columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, report_mean },
    { .value = NULL },
};

const struct report report_bandwidth = {
    .unit = "MB/s",
    .sample = "one window of messages and its acknowledgement",
    .printed = MB_PER_S ", one direction), payload / mean time",
    .is_rate = true,
    .headline = report_bandwidth_columns,
};
const struct report report_both_ways = {
    .unit = "MB/s",
    .sample = "one window of messages in either direction",
    .printed = MB_PER_S ", sum of both directions), payload / mean time",
    .is_rate = true,
    .both_ways = true,
    .headline = report_bandwidth_columns,
};
