/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/simulation.h"
#include "bench.h"
#include "data/memory.h"
#include "job/placement.h"
#include "job/world.h"
#include "watch.h"

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

/* As OMB has it: managed memory shows in the titles of non-blocking collectives only. */
static const char *title_mark(const struct bench *b, const struct settings *s)
{
    if (!settings_on_gpu(s))
        return "";
    if (s->device == DEVICE_MANAGED)
        return b->report->managed_in_title ? "-MANAGED" : "";
    return s->device == DEVICE_ROCM ? "-ROCM" : "-CUDA";
}

/* Without the mark for a suffix, which host memory has none of. */
static void plain_title(const struct bench *b, const struct settings *s, char text[120])
{
    const int before = (int)strcspn(b->title, "@");

    snprintf(text, 120, "%.*s%s%s", before, b->title,
             b->title[before] == '@' ? title_mark(b, s) : "",
             b->title[before] == '@' ? b->title + before + 1 : "");
}

void report_table(struct report_table *t, const struct bench *b, const struct settings *s)
{
    const bool bandwidth = b->report->is_rate;
    struct extra_column extras[COLUMNS_MAX + 1];
    int decimals = 0; /* of what is asked for besides: those of the first */

    *t = (struct report_table){ .bench = b,
                                .settings = s,
                                .check = s->check && (b->takes & TAKES_CHECK) };
    plain_title(b, s, t->title);
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

    if (c->known != NULL && !c->known(r))
        return cell_word("-");
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
    REPORT_ROUND_TRIP,
    .sample = "one round trip, seen by rank 0",
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

/* --- The table, and the lines before and after it: rank 0 writes them ------------------ */

static bool is_root(const struct context *c)
{
    return c->world->rank == 0;
}

/* Is a row known by its ranks in place of its size? */
static bool is_by_ranks(const struct context *c)
{
    return c->bench->parameter.kind == PARAMETER_RANKS;
}

/* NULL: the table has the usual form. */
static const struct report_layout *layout_of(const struct context *c)
{
    const struct report *report = c->bench->report;

    return report->layout != NULL ? report->layout(c->settings) : NULL;
}

/* What stands in the first column; NULL: there is none. */
static const char *first_column(const struct bench *b)
{
    return b->parameter.kind == PARAMETER_RANKS ? "Ranks" : bench_is_sized(b) ? "Size" : NULL;
}

/* --- A table, in the widths of OMB 7.4 ------------------------------------------------- */

static int width_of(const struct column *column, bool first_without_size)
{
    if (first_without_size)
        return 2 + (int)strlen(column->heading);
    return column->width != 0 ? column->width : TABLE_FIELD_WIDTH;
}

/* The header row: "# Size" or what else is first, and the columns; or, where first is NULL, "# "
   in front of the first heading, which then sets the width of the first column. */
static void print_header(FILE *to, const struct report_table *t, const char *first)
{
    if (first != NULL)
        fprintf(to, "# %-*s", TABLE_SIZE_WIDTH - 2, first);
    for (int i = 0; i < t->n; i++)
        if (i == 0 && first == NULL)
            fprintf(to, "# %s", t->column[i].heading);
        else if (!t->column[i].hidden)
            fprintf(to, "%*s", width_of(&t->column[i], false), t->column[i].heading);
    fputc('\n', to);
    fflush(to);
}

/* One row, flushed, so that a run that dies has shown what it finished. */
static void print_cells(FILE *to, const struct report_table *t, const struct cell *cells,
                        bool with_size, size_t size)
{
    if (with_size)
        fprintf(to, "%-*zu", TABLE_SIZE_WIDTH, size);
    for (int i = 0; i < t->n; i++) {
        const int width = width_of(&t->column[i], i == 0 && !with_size);

        if (t->column[i].hidden)
            continue;
        if (cells[i].kind == CELL_REAL && isfinite(cells[i].real))
            fprintf(to, "%*.*f", width, t->column[i].decimals > 0 ? t->column[i].decimals : 2,
                    cells[i].real);
        else if (cells[i].kind == CELL_COUNT)
            fprintf(to, "%*zu", width, cells[i].count);
        else
            fprintf(to, "%*s", width, cells[i].kind == CELL_WORD ? cells[i].word : "-");
    }
    fputc('\n', to);
    fflush(to);
}

/* Title and what stands between it and the first heading. */
static void print_title(FILE *to, const struct context *c)
{
    const struct report *report = c->bench->report;

    if (report->before != NULL)
        report->before(to, c->run, c->settings);
    if (!report->compact)
        fputc('\n', to);
    fprintf(to, "# %s%s\n", c->table->title, bench_is_of_omb(c->bench) ? " v7.4" : "");
    if (report->preamble != NULL)
        report->preamble(to, c->run, c->settings);
}

/* As OMB's one-sided programs with -d. */
static void print_places(FILE *to, const struct settings *s)
{
    const char *word[2];

    for (int i = 0; i < 2; i++)
        word[i] = s->memory[i] >= MEMORY_MANAGED  ? "MANAGED (M)"
                  : s->memory[i] >= MEMORY_DEVICE ? "DEVICE (D)"
                                                  : "HOST (H)";
    fprintf(to, "# Rank 0 Memory on %s and Rank 1 Memory on %s\n", word[0], word[1]);
}

/* Of the block that this row begins: the parameter where there is one, "# Datatype: ..." or
   "# Operation: ...", and the header row. */
static void print_heading(FILE *to, const struct context *c, const struct row *row)
{
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    const char *name = c->bench->operations[row->operation].name;

    if (p->name != NULL)
        fprintf(to, "# %s: %ld.\n", p->name, row->parameter);
    if (name != NULL)
        fprintf(to, "# Operation: %s.\n", name);
    if ((name == NULL && !c->bench->report->no_type_line) || c->settings->ntypes > 1)
        fprintf(to, "# Datatype: %s.\n",
                element_name(settings_as_omb(c->settings) && row->element == ELEMENT_SIGNED_CHAR
                                 ? ELEMENT_CHAR /* in OMB's word */
                                 : row->element));
    if (c->bench->report->one_sided && c->settings->device != DEVICE_HOST)
        print_places(to, c->settings);
    if (layout_of(c) != NULL)
        layout_of(c)->header(to);
    else
        print_header(to, c->table, first_column(c->bench));
}

/* --- The run --------------------------------------------------------------------- */

void output_title(const struct context *c)
{
    if (!is_root(c))
        return;
    printf("# %s\n", c->identity);
    print_title(stdout, c);
}

void output_heading(const struct context *c, const struct row *row)
{
    if (is_root(c))
        print_heading(stdout, c, row);
}

/* Clocks of links and cores are not exact, and turbo comes and goes. */
static const double ALLOWANCE = 1.25;

/* Why the figure cannot be right: bits of enum suspect. */
static unsigned suspicions(const struct result *r, const struct clock_facts *c,
                           const struct plausible_limits *limits)
{
    const double time = r->is_rate ? r->mean : r->mean * r->scale;
    const double moved = r->is_rate ? r->payload : (double)r->moved;
    const double sample = r->over_iterations.median * (double)r->stride;
    const double rate = time > 0 ? moved / time : 0;
    unsigned suspect = 0;

    if (r->stepped)
        suspect |= SUSPECT_STEP;
    /* Simulated networks may be free of cost. */
    if (!isfinite(time) || time < 0 || (time == 0 && !SIMULATED))
        return suspect | SUSPECT_NO_NUMBER;
    if (r->over_iterations.n > 0 && sample < 2 * c->resolution_s)
        suspect |= SUSPECT_CLOCK;
    if (limits->link > 0 && rate > ALLOWANCE * limits->link)
        suspect |= SUSPECT_LINK;
    if (limits->copy > 0 && rate > ALLOWANCE * limits->copy)
        suspect |= SUSPECT_MEMORY;
    if (r->gpu.certain)
        suspect |= SUSPECT_UNFINISHED;
    return suspect;
}

/* The printed bandwidth divided by limits->best; NAN: unknown, or no bandwidth. */
static double share_of_limit(const struct result *r, const struct plausible_limits *limits)
{
    return r->is_rate && limits->best > 0 ? 1e6 * result_headline(r) / limits->best : NAN;
}

/* The limits that apply to this program's rows. */
static struct plausible_limits limits_of(const struct context *c)
{
    struct plausible_limits limits = *c->limits;

    if (!bench_plan(c->bench, c->settings).times_transfer) {
        /* Yet what is printed as a bandwidth must not exceed the links. */
        if (!c->bench->report->is_rate || limits.link == 0)
            return (struct plausible_limits){ 0 };
        limits.copy = 0;
    }
    /* A GPU's memory is faster than what the ranks copy by themselves. */
    if (c->side[0]->on_gpu || c->side[1]->on_gpu)
        limits.copy = 0;
    return limits;
}

/* A line in front of a row begins with what it is about. */
static void say_row(const struct context *c, const char *what, const struct result *result)
{
    printf("# %s: ", what);
    if (c->settings->vary_window)
        printf("window=%d; ", c->run->window);
    if (bench_is_sized(c->bench))
        printf("size=%zu; ", result->row->bytes);
    if (is_by_ranks(c))
        printf("ranks=%d; ", result->ranks);
}

/* What is wrong, or cannot be, is said in front of the row, or in its place. */
static void say_doubt(const struct context *c, const struct result *result)
{
    char words[RESULT_WRONG_ROOM];

    if (result->verified.wrong > 0) {
        say_row(c, "wrong data", result);
        puts(result_wrong(result, words));
    }
    if (result->suspect != 0) {
        plausible_words(result->suspect, words, sizeof words);
        say_row(c, "suspect", result);
        printf("value=%g; %s;\n", result_headline(result), words);
    }
    fflush(stdout);
}

void output_row(const struct context *c, struct result *result)
{
    const struct plausible_limits limits = limits_of(c);
    struct cell cells[REPORT_COLUMNS];

    if (!is_root(c))
        return;
    result->suspect = suspicions(result, c->clock, &limits);
    result->share_of_limit = share_of_limit(result, &limits);
    say_doubt(c, result);
    if (layout_of(c) != NULL) {
        layout_of(c)->row(result);
    } else if (result_has_figure(result)) {
        report_cells(c->table, result, cells);
        print_cells(stdout, c->table, cells, first_column(c->bench) != NULL,
                    is_by_ranks(c) ? (size_t)result->ranks : result->row->bytes);
    }
}

void output_block(const struct context *c, const struct rows *rows, int first, int last)
{
    if (!is_root(c))
        return;
    if (layout_of(c) != NULL)
        layout_of(c)->block(c->settings, rows, first, last);
    while (last > first && rows->result[last - 1].verified.wrong == 0)
        last--;
    if (last > first)
        printf("DATA VALIDATION ERROR: %s exited with status %d on message size %zu.\n",
               c->bench->name, messages[E14_WRONG_DATA].code, rows->row[last - 1].bytes);
}

struct result output_result(const struct context *c, int ranks, double mean_s, double least_s,
                            double most_s)
{
    struct result result = { .ranks = ranks,
                             .nodes = c->placement->nodes,
                             .mean = mean_s,
                             .mean_min = least_s,
                             .mean_max = most_s,
                             .iterations = 1,
                             .stride = 1,
                             .precise = true,
                             .family = c->run->family };

    report_figure(c, &result);
    return result;
}

void output_alone(const struct context *c, const struct row *row, const struct result *result)
{
    struct cell cells[REPORT_COLUMNS];

    output_heading(c, row);
    if (!is_root(c))
        return;
    report_cells(c->table, result, cells);
    print_cells(stdout, c->table, cells, false, 0);
}

void output_record(const struct context *c, const struct result *result)
{
    if (is_root(c))
        watch_measured(c, result);
}

/* The rows that --total left no time for, as they would have been headed. */
static void print_left_out(FILE *to, const struct context *c, const struct rows *rows)
{
    if (rows->left_out == 0)
        return;
    fprintf(to, " left out: %d of %d rows; --total was over;", rows->left_out, rows->n);
    rows_name(to, c, rows->row + rows->n - rows->left_out, rows->left_out);
}

/* Who asks for more than one learns how many there were. */
static void print_verified(FILE *to, const struct context *c, const struct rows *rows)
{
    struct verified sum = { .checked = 0 };

    rows_add_up(rows, &sum);
    if (c->settings->verify.given && sum.checked > 0)
        fprintf(to, " verified: checked=%ld; wrong=%ld;", sum.checked, sum.wrong);
}

enum { DOUBT_NAMED = 3 }; /* sizes */

/* What makes rows doubtful for one reason, of those that were measured, if there is cause:
   " WORD: N of N rows, at SIZE; why; what to do;". */
static void print_doubt(FILE *to, const struct rows *rows, int doubt)
{
    size_t size[DOUBT_NAMED + 1]; /* one after the other that differ */
    int measured = 0, doubted = 0, sizes = 0;

    for (int i = 0; i < rows->n; i++) {
        const struct result *const r = &rows->result[i];

        if (r->iterations == 0)
            continue;
        measured++;
        if ((doubt_of(r) >> doubt & 1) == 0)
            continue;
        doubted++;
        if (sizes == 0 || (sizes <= DOUBT_NAMED && size[sizes - 1] != r->row->bytes))
            size[sizes++] = r->row->bytes;
    }
    if (doubted == 0)
        return;
    fprintf(to, " %s: %d of %d rows", doubt_words[doubt].word, doubted, measured);
    if (sizes > 1 || size[0] > 0) /* else rows have none */
        for (int i = 0; i < sizes && i < DOUBT_NAMED; i++)
            fprintf(to, "%s %zu", i == 0 ? ", at" : ",", size[i]);
    fprintf(to, "%s; %s; %s;", sizes > DOUBT_NAMED ? ", ..." : "", doubt_words[doubt].reason,
            doubt_words[doubt].advice);
}

/* What a reader of the table has to be told is one line on standard error, since many take
   the last line of a table for a row. */
static void say_after(const struct context *c, const struct rows *rows)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const to = open_memstream(&text, &bytes);

    if (to == NULL)
        world_no_memory("the line after the table");
    print_verified(to, c, rows);
    print_left_out(to, c, rows);
    for (int i = 0; i < DOUBTS; i++)
        print_doubt(to, rows, i);
    fclose(to);
    if (bytes > 0) {
        fflush(stdout);
        fprintf(stderr, "# %s:%s\n", c->bench->name, text);
    }
    free(text);
}

static bool has_figures(const struct rows *rows)
{
    int i = 0;

    while (i < rows->n && !result_has_figure(&rows->result[i]))
        i++;
    return i < rows->n;
}

enum exit_code output_after(const struct context *c, const struct rows *rows, enum exit_code code)
{
    const struct family *family = bench_family(c->bench);
    enum exit_code now = EXIT_OK;

    if (!is_root(c))
        return code;
    if (family->print != NULL)
        now = family->print(stdout, c, rows);
    say_after(c, rows);
    code = code == EXIT_OK ? now : code;
    return code != EXIT_OK || has_figures(rows)
               ? code
               : message_print(E19_EMPTY, "no row has a plausible value");
}

enum exit_code output_flush(enum exit_code code)
{
    const bool fails_now = fflush(stdout) != 0;

    if (!fails_now && !ferror(stdout))
        return code;
    message_print(E21_NOT_WRITTEN, "standard output: %s",
                  fails_now ? strerror(errno) : "not all was taken");
    return code == EXIT_OK ? messages[E21_NOT_WRITTEN].code : code;
}
