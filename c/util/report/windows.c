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

int windows_row(const struct result *result)
{
    return is_last(result) ? end_line(result) : 0;
}

int windows_end(const struct rows *rows, int first, int last, bool rates)
{
    const struct result *r = &rows->result[last - 1];
    const int printed = is_last(r) ? 0 : end_line(r);

    if (!rates)
        return printed;
    puts("\n# Message Rate Profile");
    windows_heading(stdout);
    for (int i = first; i < last; i += VARY_WINDOWS)
        print_line(&rows->result[i], true);
    return printed;
}
