/* SPDX-License-Identifier: BSD-3-Clause */
#include "windows.h"

#include "plausible.h"

void windows_add(struct rows *rows, const struct row *like)
{
    struct row row = *like;

    for (row.window = 1; row.window < 1 << VARY_WINDOWS; row.window *= 2)
        rows_add(rows, &row);
}

void windows_heading(FILE *to)
{
    fputs("#      ", to);
    for (int i = 0; i < VARY_WINDOWS; i++)
        fprintf(to, "  %10d", 1 << i);
    fputc('\n', to);
    fflush(to);
}

/* The rows of a size, of which first is the first. */
static void print_line(const struct row *first, bool rates)
{
    printf("%-7zu", first->bytes);
    for (int i = 0; i < VARY_WINDOWS; i++)
        if (first[i].shown > 0)
            printf("  %10.2f", rates ? first[i].rate : first[i].shown);
        else
            printf("  %10s", "-");
    putchar('\n');
    fflush(stdout);
}

/* Print the line of a row, the last of it that was measured; 1 if it has a
   figure. */
static int end_line(const struct row *row)
{
    bool shown = row->shown > 0;

    for (; row->window > 1; row--)
        shown |= row[-1].shown > 0;
    print_line(row, false);
    return shown;
}

static bool is_last(const struct row *row)
{
    return row->window == 1 << (VARY_WINDOWS - 1);
}

int windows_row(struct row *row, const struct result *result)
{
    if (plausible_is_nonsense(result->suspect))
        row->shown = 0;
    row->rate = result_messages_per_s(result);
    return is_last(row) ? end_line(row) : 0;
}

int windows_end(const struct rows *rows, int first, int last, bool rates)
{
    const struct row *row = &rows->row[last - 1];
    const int printed = is_last(row) ? 0 : end_line(row);

    if (!rates)
        return printed;
    puts("\n# Message Rate Profile");
    windows_heading(stdout);
    for (int i = first; i < last; i += VARY_WINDOWS)
        print_line(&rows->row[i], true);
    return printed;
}
