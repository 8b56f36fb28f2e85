/* SPDX-License-Identifier: BSD-3-Clause */
#include "vary.h"

#include <math.h>

void vary_add(struct sweep *s, enum element element, size_t bytes)
{
    for (int i = 0; i < VARY_WINDOWS; i++)
        s->row[s->rows++] = (struct row){ .element = element,
                                          .bytes = bytes,
                                          .window = vary_window(i) };
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

void vary_print(struct sweep *s, struct row *row, const struct result *result)
{
    const bool shown = !plausible_is_nonsense(result->suspect);

    row->figure = shown ? result_figure(result, result->mean) : NAN;
    row->rate = shown ? report_message_rate_value(result).real : NAN;
    s->printed += shown;
    if (row->window == vary_window(VARY_WINDOWS - 1))
        print_line(row - VARY_WINDOWS + 1, false);
}

void vary_profile(const struct sweep *s, int first, int last)
{
    if (!s->settings->print_rate)
        return;
    puts("\n# Message Rate Profile");
    vary_heading(stdout);
    for (int i = first; i + VARY_WINDOWS <= last; i += VARY_WINDOWS)
        print_line(&s->row[i], true);
}
