/* SPDX-License-Identifier: BSD-3-Clause */
#include "window_columns.h"

#include <math.h>

void window_columns_add(struct sweep *s, enum element element, size_t bytes)
{
    for (int i = 0; i < VARY_WINDOWS; i++)
        s->row[s->rows++] = (struct row){ .element = element,
                                          .bytes = bytes,
                                          .window = vary_window(i),
                                          .figure = NAN };
}

void vary_heading(FILE *to)
{
    fputs("#      ", to);
    for (int i = 0; i < VARY_WINDOWS; i++)
        fprintf(to, "  %10d", vary_window(i));
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

/* Print the line of a row, the last of it that was measured. */
static void end_line(struct sweep *s, const struct row *row)
{
    bool shown = isfinite(row->figure);

    for (; row->window > vary_window(0); row--)
        shown |= isfinite(row[-1].figure);
    print_line(row, false);
    s->printed += shown;
}

static bool is_last(const struct row *row)
{
    return row->window == vary_window(VARY_WINDOWS - 1);
}

void window_columns_print(struct sweep *s, struct row *row, const struct result *result)
{
    if (!plausible_is_nonsense(result->suspect)) {
        row->figure = result_figure(result, result->mean);
        row->rate = report_message_rate_value(result).real;
    }
    if (is_last(row))
        end_line(s, row);
}

void window_columns_end(struct sweep *s, int first, int last)
{
    if (!is_last(&s->row[last - 1]))
        end_line(s, &s->row[last - 1]);
    if (!s->settings->print_rate)
        return;
    puts("\n# Message Rate Profile");
    vary_heading(stdout);
    for (int i = first; i < last; i += VARY_WINDOWS)
        print_line(&s->row[i], true);
}
