/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/simulation.h"
#include "data/memory.h"
#include "job/placement.h"
#include "job/world.h"

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
    char title[120];

    if (report->before != NULL)
        report->before(to, c->run, c->settings);
    if (!report->compact)
        fputc('\n', to);
    report_plain_title(c->bench, c->settings, title);
    fprintf(to, "# %s%s\n", title, bench_is_of_omb(c->bench) ? " v7.4" : "");
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

/* --- Rows -------------------------------------------------------------------------- */

static void print_row(const struct context *c, const struct result *r)
{
    struct cell cells[REPORT_COLUMNS];

    if (layout_of(c) != NULL) {
        layout_of(c)->row(r);
    } else if (result_has_figure(r)) {
        report_cells(c->table, r, cells);
        print_cells(stdout, c->table, cells, first_column(c->bench) != NULL,
                    is_by_ranks(c) ? (size_t)r->ranks : r->row->bytes);
    }
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
    if (!is_root(c))
        return;
    const struct plausible_limits limits = limits_of(c);

    result->suspect = suspicions(result, c->clock, &limits);
    result->share_of_limit = share_of_limit(result, &limits);
    say_doubt(c, result);
    print_row(c, result);
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

/* What a row makes doubtful for one reason, if there is cause. */
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

/* For each reason " WORD: N of N rows, at SIZE; why; what to do;", of those that were measured. */
static void print_doubts(FILE *to, const struct rows *rows)
{
    for (int i = 0; i < DOUBTS; i++)
        print_doubt(to, rows, i);
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
    print_doubts(to, rows);
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
