/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include <errno.h>
#include <string.h>

#include "job/world.h"
#include "memory/memory.h"
#include "report/plausible.h"
#include "report/windows.h"

static bool is_root(const struct context *c)
{
    return c->world->rank == 0;
}

enum exit_code output_open(struct output *o, const struct context *c)
{
    enum exit_code code = EXIT_OK;

    if (is_root(c))
        code = graph_open(&o->graph, c, &o->table);
    if (is_root(c) && code == EXIT_OK)
        code = record_open(&o->record, c, &o->table);
    return world_agree(c->world, code);
}

void output_begin(struct output *o, const struct context *c)
{
    report_table(&o->table, c->bench, c->settings);
    if (is_root(c))
        record_begin(&o->record);
}

void output_title(const struct context *c)
{
    if (!is_root(c))
        return;
    printf("# %s\n", c->identity);
    report_title(stdout, c);
}

/* What stands in the first column; NULL: there is none. */
static const char *first_column(const struct bench *b)
{
    return b->parameter.kind == PARAMETER_RANKS ? "Ranks"
           : bench_is_sized(b)                  ? "Size"
                                                : NULL;
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

/* What cannot be is said in front of the row, or in its place. */
static void say_suspect(const struct context *c, const struct result *result)
{
    char words[200];

    if (result->suspect == 0)
        return;
    plausible_words(result->suspect, words, sizeof words);
    printf("# suspect: ");
    if (c->settings->vary_window)
        printf("window=%d; ", c->run->window);
    if (bench_is_sized(c->bench))
        printf("size=%zu; ", result->bytes);
    if (c->bench->parameter.kind == PARAMETER_RANKS)
        printf("ranks=%d; ", result->ranks);
    printf("value=%g; %s;\n", result_headline(result), words);
    fflush(stdout);
}

/* What a row has besides its type and size, in words: "put others=2". */
static void kind_of(const struct context *c, const struct result *r, char *kind,
                    size_t room)
{
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    const bool windows = c->settings->vary_window;
    const char *operation = r->operation != NULL ? r->operation : "";
    const char *key = p->name != NULL              ? p->key
                      : windows                    ? "window"
                      : p->kind == PARAMETER_RANKS ? "ranks"
                                                   : NULL;
    const long value = p->name != NULL ? r->parameter
                       : windows       ? c->run->window
                                       : c->run->nranks;

    if (key == NULL)
        snprintf(kind, room, "%s", operation);
    else
        snprintf(kind, room, "%s%s%s=%ld", operation,
                 r->operation != NULL ? " " : "", key, value);
}

void output_row(struct output *o, const struct context *c, struct row *row,
                struct result *result)
{
    const bool by_ranks = c->bench->parameter.kind == PARAMETER_RANKS;
    struct cell cells[REPORT_COLUMNS];
    char kind[48];

    if (!is_root(c))
        return;
    const struct plausible_limits limits = limits_of(c);

    result->suspect = plausible_check(result, c->clock, &limits);
    result->share_of_limit = plausible_share(result, &limits);
    report_cells(&o->table, result, cells);
    say_suspect(c, result);
    if (c->settings->vary_window) {
        o->printed += windows_row(row, result);
    } else if (!plausible_is_nonsense(result->suspect)) {
        table_print_row(stdout, o->table.column, cells, o->table.n,
                        first_column(c->bench) != NULL,
                        by_ranks ? (size_t)result->ranks : result->bytes);
        o->printed++;
    }
    doubts_add(&o->doubts, result);
    record_row(&o->record, result, cells);
    kind_of(c, result, kind, sizeof kind);
    graph_row(&o->graph, result, kind);
}

void output_block(struct output *o, const struct context *c,
                  const struct rows *rows, int first, int last)
{
    const struct row *row = &rows->row[last - 1];

    if (!is_root(c))
        return;
    if (c->settings->vary_window)
        o->printed += windows_end(rows, first, last, c->settings->print_rate);
    if (row->verdict == VERDICT_FAIL)
        printf("DATA VALIDATION ERROR: %s exited with status %d on message "
               "size %zu.\n",
               c->bench->name, messages[E14_WRONG_DATA].code, row->bytes);
}

void output_record(struct output *o, const struct context *c,
                   const struct result *result)
{
    struct cell cells[REPORT_COLUMNS];

    if (!is_root(c))
        return;
    report_cells(&o->table, result, cells);
    record_row(&o->record, result, cells);
}

/* The rows that --total left no time for, as they would have been headed. */
static void say_left_out(const struct context *c, const struct rows *rows)
{
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    const bool by_ranks = c->bench->parameter.kind == PARAMETER_RANKS;
    const struct row *const first = rows->row + rows->n - rows->left_out;

    printf("# left out: %d of %d rows; --total was over;", rows->left_out,
           rows->n);
    for (const struct row *row = first; row < rows->row + rows->n; row++) {
        const char *name = c->bench->operations[row->operation].name;
        const bool begins = row == first || !row_same_block(row, row - 1);

        if (begins && c->settings->ntypes > 1)
            printf(" datatype=%s;", element_name(row->element));
        if (begins && name != NULL)
            printf(" operation=%s;", name);
        if (begins && p->name != NULL)
            printf(" %s=%ld;", p->key, row->parameter);
        if (by_ranks)
            printf("%s%d", begins ? " ranks=" : ",", row->ranks);
        else if (bench_is_sized(c->bench) &&
                 (begins || row->bytes != row[-1].bytes)) /* -V: often */
            printf("%s%zu", begins ? " size=" : ",", row->bytes);
        if (row + 1 == rows->row + rows->n || !row_same_block(row, row + 1))
            putchar(';');
    }
    putchar('\n');
}

static enum exit_code print_after(struct output *o, const struct context *c,
                                  const struct rows *rows)
{
    const struct family *family = bench_family(c->bench);
    enum exit_code code = EXIT_OK;

    if (!settings_as_omb(c->settings)) /* OMB does not say it */
        doubts_print(stdout, &o->doubts);
    if (rows->left_out > 0)
        say_left_out(c, rows);
    record_left_out(&o->record, rows);
    if (family->print != NULL)
        code = family->print(stdout, c, rows);
    if (family->record != NULL)
        family->record(c, &(struct recorded){ .rows = rows }, &o->record.root);
    return code;
}

enum exit_code output_after(struct output *o, const struct context *c,
                            const struct rows *rows, enum exit_code code)
{
    if (is_root(c)) {
        const enum exit_code now = print_after(o, c, rows);

        code = code == EXIT_OK ? now : code;
        if (code == EXIT_OK && o->printed == 0)
            code = message_print(E19_EMPTY, c->bench->name,
                                 "no row has a plausible value");
    }
    return world_agree(c->world, code);
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
    if (is_root(c)) {
        const enum exit_code written =
            record_finish(&o->record, code, complete && code == EXIT_OK);

        code = output_flush(c->bench->name, code == EXIT_OK ? written : code);
    }
    return world_agree(c->world, code);
}
