/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "job/world.h"
#include "memory/memory.h"
#include "record.h"
#include "report/plausible.h"
#include "report/windows.h"

static bool is_root(const struct context *c)
{
    return c->world->rank == 0;
}

/* Is a row known by its ranks in place of its size? */
static bool is_by_ranks(const struct context *c)
{
    return c->bench->parameter.kind == PARAMETER_RANKS;
}

/* What stands in the first column; NULL: there is none. */
static const char *first_column(const struct bench *b)
{
    return b->parameter.kind == PARAMETER_RANKS ? "Ranks"
           : bench_is_sized(b)                  ? "Size"
                                                : NULL;
}

/* What a row has besides its type and size, in words: "put others=2". */
static void kind_of(const struct context *c, const struct result *r, char *kind,
                    size_t room)
{
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    const bool windows = c->settings->vary_window;
    const char *operation = c->bench->operations[r->row->operation].name;
    const char *key = p->name != NULL              ? p->key
                      : windows                    ? "window"
                      : p->kind == PARAMETER_RANKS ? "ranks"
                                                   : NULL;
    const long value = p->name != NULL ? r->row->parameter
                       : windows       ? c->run->window
                                       : c->run->nranks;

    if (operation == NULL)
        operation = "";
    if (key == NULL)
        snprintf(kind, room, "%s", operation);
    else
        snprintf(kind, room, "%s%s%s=%ld", operation,
                 operation[0] != '\0' ? " " : "", key, value);
}

/* --- Sinks ---------------------------------------------------------------------- */

static void print_row(struct output *o, const struct result *r,
                      const struct cell *cells)
{
    const struct context *c = o->context;

    if (c->settings->vary_window) {
        o->printed += windows_row(r);
    } else if (bench_has_rows(c->bench) && !plausible_is_nonsense(r->suspect)) {
        table_print_row(stdout, o->table.column, cells, o->table.n,
                        first_column(c->bench) != NULL,
                        is_by_ranks(c) ? (size_t)r->ranks : r->row->bytes);
        o->printed++;
    }
}

static void draw_row(struct output *o, const struct result *r,
                     const struct cell *cells)
{
    char kind[48];

    (void)cells;
    if (o->graph.script == NULL || r->series == NULL)
        return;
    kind_of(o->context, r, kind, sizeof kind);
    graph_row(&o->graph, r, kind);
}

static const struct sink table_sink = { .row = print_row },
                         graph_sink = { .row = draw_row };
static const struct sink *const sinks[] = { &table_sink, &csv_sink,
                                            &record_sink, &graph_sink };
enum { SINKS = sizeof sinks / sizeof *sinks };

/* Its file; NULL: it has none, or none was asked for. */
static const char *file_of(const struct output *o, const struct sink *sink)
{
    const char *settings = (const char *)o->context->settings;

    return sink->name != NULL ? *(const char *const *)(settings + sink->option)
                              : NULL;
}

static void give(struct output *o, const struct result *r,
                 const struct cell *cells)
{
    for (int i = 0; i < SINKS; i++) {
        if (sinks[i]->name != NULL && file_of(o, sinks[i]) == NULL)
            continue;
        if (o->rows == 0 && sinks[i]->begin != NULL)
            sinks[i]->begin(o);
        sinks[i]->row(o, r, cells);
    }
    o->rows++;
}

/* EXIT_OK, or E21's code; said.  Of a run that was refused a file is written only if nothing
   is lost. */
static enum exit_code end_sink(struct output *o, const struct sink *sink,
                               enum exit_code code, bool complete)
{
    const char *file = file_of(o, sink);
    const bool due =
        file != NULL && (o->rows > 0 || code == EXIT_OK ||
                         (sink == &record_sink && o->json.to != NULL) ||
                         fresh_file_is_new(file) || fresh_file_is_stream(file));

    return !due || sink->end(o, code, complete)
               ? EXIT_OK
               : message_print(E21_NOT_WRITTEN, o->context->bench->name,
                               "%s %s: %s", sink->name, file, strerror(errno));
}

/* --- The run --------------------------------------------------------------------- */

static enum exit_code check_files(const struct context *c)
{
    const struct settings *s = c->settings;
    enum { FILES = 3 };
    static const char *const option[FILES] = { "--json", "--csv", "-P" };
    const char *const path[FILES] = { s->json, s->csv,
                                      s->nevents > 0 ? s->events_file : NULL };
    const int wrong = fresh_files_wrong(path, FILES);

    if (wrong < FILES)
        return message_print(errno == 0 ? E12_USAGE : E17_FILE, c->bench->name,
                             "%s %s: %s", option[wrong], path[wrong],
                             errno == 0 ? "another option names the same file"
                                        : strerror(errno));
    for (int i = 0; i < FILES; i++)
        if (graph_names(s, path[i]))
            return message_print(E12_USAGE, c->bench->name,
                                 "%s %s: -G gives this ending to drawings",
                                 option[i], path[i]);
    return EXIT_OK;
}

enum exit_code output_open(struct output *o, const struct context *c)
{
    enum exit_code code = EXIT_OK;

    if (!is_root(c)) /* the launcher counts otherwise */
        record_forget(o);
    if (is_root(c))
        code = graph_open(&o->graph, c, &o->table);
    if (is_root(c) && code == EXIT_OK)
        code = record_open(o);
    if (is_root(c) && code == EXIT_OK)
        code = check_files(c);
    return world_told(c->world, code);
}

void output_begin(struct output *o, const struct context *c)
{
    report_table(&o->table, c->bench, c->settings);
    o->begun = true;
    if (is_root(c))
        record_head(o);
}

void output_title(const struct context *c)
{
    if (!is_root(c))
        return;
    printf("# %s\n", c->identity);
    report_title(stdout, c);
}

void output_heading(struct output *o, const struct context *c,
                    const struct row *row)
{
    if (is_root(c))
        report_heading(stdout, c, &o->table, first_column(c->bench), row);
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
static void say_row(const struct context *c, const char *what,
                    const struct result *result)
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

void output_row(struct output *o, const struct context *c,
                struct result *result)
{
    struct cell cells[REPORT_COLUMNS];

    if (!is_root(c))
        return;
    const struct plausible_limits limits = limits_of(c);

    result->suspect = plausible_check(result, c->clock, &limits);
    result->share_of_limit = plausible_share(result, &limits);
    report_cells(&o->table, result, cells);
    say_doubt(c, result);
    doubts_add(&o->doubts, result);
    give(o, result, cells);
}

void output_block(struct output *o, const struct context *c,
                  const struct rows *rows, int first, int last)
{
    if (!is_root(c))
        return;
    if (c->settings->vary_window)
        o->printed += windows_end(rows, first, last, c->settings->print_rate);
    while (last > first && rows->result[last - 1].verified.wrong == 0)
        last--;
    if (last > first)
        printf("DATA VALIDATION ERROR: %s exited with status %d on message "
               "size %zu.\n",
               c->bench->name, messages[E14_WRONG_DATA].code,
               rows->row[last - 1].bytes);
}

struct result output_result(const struct context *c, int ranks, double mean_s,
                            double least_s, double most_s)
{
    struct result result = { .ranks = ranks,
                             .nodes = c->placement->nodes,
                             .mean = mean_s,
                             .mean_min = least_s,
                             .mean_max = most_s,
                             .laps = 1,
                             .stride = 1,
                             .precise = true,
                             .family = c->run->family };

    report_figure(c, &result);
    return result;
}

void output_alone(struct output *o, const struct context *c,
                  const struct row *row, const struct result *result)
{
    struct cell cells[REPORT_COLUMNS];

    output_heading(o, c, row);
    if (!is_root(c))
        return;
    report_cells(&o->table, result, cells);
    table_print_row(stdout, o->table.column, cells, o->table.n, false, 0);
}

void output_record(struct output *o, const struct context *c,
                   const struct result *result)
{
    struct cell cells[REPORT_COLUMNS];

    if (!is_root(c))
        return;
    report_cells(&o->table, result, cells);
    give(o, result, cells);
}

/* The rows that --total left no time for, as they would have been headed. */
static void print_left_out(FILE *to, const struct context *c,
                           const struct rows *rows)
{
    if (rows->left_out == 0)
        return;
    fprintf(to, " left out: %d of %d rows; --total was over;", rows->left_out,
            rows->n);
    rows_name(to, c, rows->row + rows->n - rows->left_out, rows->left_out);
}

/* Who asks for more than one learns how many there were. */
static void print_verified(FILE *to, const struct context *c,
                           const struct rows *rows)
{
    struct verified sum = { .checked = 0 };

    rows_add_up(rows, &sum);
    if (c->settings->verify.given && sum.checked > 0)
        fprintf(to, " verified: checked=%ld; wrong=%ld;", sum.checked,
                sum.wrong);
}

/* What a reader of the table has to be told is one line on standard error, since many take
   the last line of a table for a row. */
static void say_after(const struct output *o, const struct context *c,
                      const struct rows *rows)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const to = open_memstream(&text, &bytes);

    if (to == NULL)
        world_no_memory("the line after the table");
    print_verified(to, c, rows);
    print_left_out(to, c, rows);
    doubts_print(to, &o->doubts);
    fclose(to);
    if (bytes > 0) {
        fflush(stdout);
        fprintf(stderr, "# %s:%s\n", c->bench->name, text);
    }
    free(text);
}

static enum exit_code print_after(struct output *o, const struct context *c,
                                  const struct rows *rows)
{
    const struct family *family = bench_family(c->bench);
    enum exit_code code = EXIT_OK;

    if (family->print != NULL)
        code = family->print(stdout, c, rows);
    say_after(o, c, rows);
    record_left_out(o, rows);
    if (family->record != NULL)
        family->record(c, &(struct recorded){ .rows = rows }, &o->document);
    return code;
}

enum exit_code output_after(struct output *o, const struct context *c,
                            const struct rows *rows, enum exit_code code)
{
    const enum exit_code now = is_root(c) ? print_after(o, c, rows) : EXIT_OK;

    code = code == EXIT_OK ? now : code;
    if (is_root(c) && code == EXIT_OK && o->printed == 0)
        code = message_print(E19_EMPTY, c->bench->name,
                             "no row has a plausible value");
    return code;
}

enum exit_code output_flush(const char *program, enum exit_code code)
{
    const bool fails_now = fflush(stdout) != 0;

    if (!fails_now && !ferror(stdout))
        return code;
    message_print(E21_NOT_WRITTEN, program, "standard output: %s",
                  fails_now ? strerror(errno) : "not all was taken");
    return code == EXIT_OK ? messages[E21_NOT_WRITTEN].code : code;
}

enum exit_code output_close(struct output *o, const struct context *c,
                            enum exit_code code, bool complete)
{
    enum exit_code written = EXIT_OK, one;

    if (is_root(c)) {
        for (int i = 0; o->begun && i < SINKS; i++) {
            one = end_sink(o, sinks[i], code, complete && code == EXIT_OK);
            written = one != EXIT_OK ? one : written;
        }
        record_refuse(o, code);
        code = output_flush(c->bench->name, code == EXIT_OK ? written : code);
    }
    return world_told(c->world, code);
}
