/* SPDX-License-Identifier: BSD-3-Clause */
#include "window_columns.h"

#include <math.h>

#include "options/settings.h"
#include "plausible.h"
#include "report_kinds.h"

/* Of number 0 to VARY_WINDOWS - 1. */
static int window_of(int number)
{
    return 1 << number;
}

void window_columns_add(struct rows *rows, const struct row *row)
{
    struct row one = *row;

    one.figure = NAN;
    for (int i = 0; i < VARY_WINDOWS; i++) {
        one.window = window_of(i);
        rows_add(rows, &one);
    }
}

void window_columns_heading(FILE *to)
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

int window_columns_print(struct row *row, const struct result *result)
{
    if (!plausible_is_nonsense(result->suspect)) {
        row->figure = result_figure(result, result->mean);
        row->rate = report_message_rate_value(result).real;
    }
    return is_last(row) ? end_line(row) : 0;
}

int window_columns_end(const struct rows *rows, int first, int last, bool rates)
{
    const struct row *end = &rows->row[last - 1];
    const int printed = is_last(end) ? 0 : end_line(end);

    if (!rates)
        return printed;
    puts("\n# Message Rate Profile");
    window_columns_heading(stdout);
    for (int i = first; i < last; i += VARY_WINDOWS)
        print_line(&rows->row[i], true);
    return printed;
}
