/* SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.h"

#include <math.h>

#include "bench.h"
#include "report/plausible.h"
#include "report/rows.h"

/* --- The table ----------------------------------------------------------------- */

static double message_rate(const struct result *r)
{
    return r->mean > 0 ? r->messages / r->mean : 0;
}

static struct cell message_rate_cell(const struct result *r)
{
    return cell_real(message_rate(r));
}

static const struct report_column rate_columns[] = {
    { { "bandwidth_mb_per_s", "MB/s", 0 }, report_mean },
    { { "messages_per_s", "Messages/s", 0 }, message_rate_cell, .rate = true },
    { .value = NULL },
};

static void pairs_and_window(FILE *to, const struct bench_run *r,
                             const struct settings *s, const char *direction)
{
    if (s->vary_window)
        fprintf(to,
                "# [ pairs: %d ] [ window size: varied ]\n\n"
                "# %s-directional Bandwidth (MB/sec)\n",
                r->pairs, direction);
    else
        fprintf(to, "# [ pairs: %d ] [ window size: %d ]\n", r->pairs,
                r->window);
}

static void pairs_line(FILE *to, const struct bench_run *r,
                       const struct settings *s)
{
    pairs_and_window(to, r, s, "Uni");
}

static void pairs_line_both_ways(FILE *to, const struct bench_run *r,
                                 const struct settings *s)
{
    pairs_and_window(to, r, s, "Bi");
}

const struct report report_message_rate = {
    .unit = "MB/s",
    .sample = "one window and its acknowledgement, on every sender",
    .printed = MB_PER_S ", sum of all pairs), payload / mean time of the "
                        "senders; and messages per second",
    .is_rate = true,
    .headline = rate_columns,
    .compact = true,
    .preamble = pairs_line,
};
const struct report report_rate_both_ways = {
    .unit = "MB/s",
    .sample = "one window in either direction, on the first rank of each pair",
    .printed = MB_PER_S ", sum of all pairs and both directions), payload / "
                        "mean time of the first ranks; and messages per second",
    .is_rate = true,
    .both_ways = true,
    .headline = rate_columns,
    .compact = true,
    .preamble = pairs_line_both_ways,
};

/* --- With -V a column for each window -------------------------------------------- */

/* Of number 0 to VARY_WINDOWS - 1. */
static int window_of(int number)
{
    return 1 << number;
}

static void add(struct rows *rows, const struct row *row)
{
    struct row one = *row;

    one.figure = NAN;
    for (int i = 0; i < VARY_WINDOWS; i++) {
        one.window = window_of(i);
        rows_add(rows, &one);
    }
}

static void heading(FILE *to)
{
    fputs("#      ", to);
    for (int i = 0; i < VARY_WINDOWS; i++)
        fprintf(to, "  %10d", window_of(i));
    fputc('\n', to);
    fflush(to);
}

/* The rows of a size, of which first is the first. */
static void print_line(const struct row *first, bool rates)
{
    printf("%-7zu", first->bytes);
    for (int i = 0; i < VARY_WINDOWS; i++)
        if (isfinite(first[i].figure))
            printf("  %10.2f", rates ? first[i].rate : first[i].figure);
        else
            printf("  %10s", "-");
    putchar('\n');
    fflush(stdout);
}

/* Print the line of a row, the last of it that was measured; 1 if it has a
   figure. */
static int end_line(const struct row *row)
{
    bool shown = isfinite(row->figure);

    for (; row->window > window_of(0); row--)
        shown |= isfinite(row[-1].figure);
    print_line(row, false);
    return shown;
}

static bool is_last(const struct row *row)
{
    return row->window == window_of(VARY_WINDOWS - 1);
}

static int print(struct row *row, const struct result *result)
{
    if (!plausible_is_nonsense(result->suspect)) {
        row->figure = result_figure(result, result->mean);
        row->rate = message_rate(result);
    }
    return is_last(row) ? end_line(row) : 0;
}

static int end(const struct rows *rows, int first, int last, bool rates)
{
    const struct row *row = &rows->row[last - 1];
    const int printed = is_last(row) ? 0 : end_line(row);

    if (!rates)
        return printed;
    puts("\n# Message Rate Profile");
    heading(stdout);
    for (int i = first; i < last; i += VARY_WINDOWS)
        print_line(&rows->row[i], true);
    return printed;
}

static const struct row_lines lines = {
    .add = add,
    .heading = heading,
    .print = print,
    .end = end,
};

const struct family pairs_family = { .name = "pairs", .lines = &lines };
