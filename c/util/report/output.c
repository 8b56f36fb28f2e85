/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "job/world.h"
#include "machine/placement.h"
#include "memory/memory.h"

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

/* --- -V: a line for each size, and a column for each window ----------------------- */

/* Each (size, window) is a row, measured by itself; "-" stands for what was not measured. */

/* Was it measured, and can it be? */
static bool has_figure(const struct result *r)
{
    return result_mean(r) > 0 && !plausible_is_nonsense(r->suspect);
}

/* The results of a size, of which first is the first. */
static void print_line(const struct result *first, bool rates)
{
    printf("%-7zu", first->row->bytes);
    for (int i = 0; i < VARY_WINDOWS; i++)
        if (has_figure(&first[i]))
            printf("  %10.2f", rates ? result_messages_per_s(&first[i])
                                     : result_mean(&first[i]));
        else
            printf("  %10s", "-");
    putchar('\n');
    fflush(stdout);
}

/* Print the line of a row, the last of it that was measured; 1 if it has a figure. */
static int end_line(const struct result *r)
{
    bool shown = has_figure(r);

    for (; r->row->window > 1; r--)
        shown |= has_figure(r - 1);
    print_line(r, false);
    return shown;
}

static bool is_last(const struct result *r)
{
    return r->row->window == 1 << (VARY_WINDOWS - 1);
}

static int windows_row(const struct result *result)
{
    return is_last(result) ? end_line(result) : 0;
}

static int windows_end(const struct rows *rows, int first, int last, bool rates)
{
    const struct result *r = &rows->result[last - 1];
    const int printed = is_last(r) ? 0 : end_line(r);

    if (!rates)
        return printed;
    puts("\n# Message Rate Profile");
    report_windows(stdout);
    for (int i = first; i < last; i += VARY_WINDOWS)
        print_line(&rows->result[i], true);
    return printed;
}

/* --- Rows -------------------------------------------------------------------------- */

static void print_row(struct output *o, const struct context *c,
                      const struct result *r)
{
    struct cell cells[REPORT_COLUMNS];

    if (c->settings->vary_window) {
        o->printed += windows_row(r);
    } else if (!plausible_is_nonsense(r->suspect)) {
        report_cells(&o->table, r, cells);
        table_print_row(stdout, o->table.column, cells, o->table.n,
                        first_column(c->bench) != NULL,
                        is_by_ranks(c) ? (size_t)r->ranks : r->row->bytes);
        o->printed++;
    }
}

/* --- The run --------------------------------------------------------------------- */

void output_begin(struct output *o, const struct context *c)
{
    report_table(&o->table, c->bench, c->settings);
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
    if (!is_root(c))
        return;
    const struct plausible_limits limits = limits_of(c);

    result->suspect = plausible_check(result, c->clock, &limits);
    result->share_of_limit = plausible_share(result, &limits);
    say_doubt(c, result);
    doubts_add(&o->doubts, result);
    print_row(o, c, result);
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
                             .iterations = 1,
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

void output_record(const struct context *c, const struct result *result)
{
    if (is_root(c))
        watch_measured(c, result);
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

enum exit_code output_close(const struct context *c,
                            const struct ending *ending)
{
    enum exit_code code = watch_end(c, ending);

    if (is_root(c))
        code = output_flush(c->bench->name, code);
    return world_told(c->world, code);
}
