/* SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.h"

#include "loop.h"
#include "options/settings.h"

static bool prints_rates(const struct bench *b, const struct settings *s)
{
    return s->print_rate;
}

static const struct report_column rate_columns[] = {
    { { "bandwidth_mb_per_s", "MB/s", 0 }, report_mean },
    { { "messages_per_s", "Messages/s", 0 }, report_messages_per_s, .shown = prints_rates },
    { .value = NULL },
};

/* --- -V: a line for each size, and a column for each window.  Each (size, window) is a row, measured
   by itself; "-" stands for what was not measured --- */

/* The header row of -V: a column for each window. */
static void print_windows(FILE *to)
{
    fputs("#      ", to);
    for (int i = 0; i < VARY_WINDOWS; i++)
        fprintf(to, "  %10d", 1 << i);
    fputc('\n', to);
    fflush(to);
}

/* The results of a size, of which first is the first. */
static void print_line(const struct result *first, bool rates)
{
    printf("%-7zu", first->row->bytes);
    for (int i = 0; i < VARY_WINDOWS; i++)
        if (result_has_figure(&first[i]))
            printf("  %10.2f", rates ? result_messages_per_s(&first[i]) : result_mean(&first[i]));
        else
            printf("  %10s", "-");
    putchar('\n');
    fflush(stdout);
}

static bool ends_line(const struct result *r)
{
    return r->row->window == 1 << (VARY_WINDOWS - 1);
}

/* Print the line of a row, the last of it that was measured. */
static void end_line(const struct result *r)
{
    while (r->row->window > 1)
        r--;
    print_line(r, false);
}

static void end_windows(const struct settings *s, const struct rows *rows, int first, int last)
{
    if (!ends_line(&rows->result[last - 1]))
        end_line(&rows->result[last - 1]);
    if (!s->print_rate)
        return;
    puts("\n# Message Rate Profile");
    print_windows(stdout);
    for (int i = first; i < last; i += VARY_WINDOWS)
        print_line(&rows->result[i], true);
}

static void row_of_windows(const struct result *r)
{
    if (ends_line(r))
        end_line(r);
}

static const struct report_layout *layout(const struct settings *s)
{
    static const struct report_layout windows = { .header = print_windows,
                                                  .row = row_of_windows,
                                                  .block = end_windows };

    return s->vary_window ? &windows : NULL;
}

/* --- What stands above the table --- */

static void pairs_and_window(FILE *to, const struct bench_run *r, const struct settings *s,
                             const char *direction)
{
    if (s->vary_window)
        fprintf(to,
                "# [ pairs: %d ] [ window size: varied ]\n\n"
                "# %s-directional Bandwidth (MB/sec)\n",
                r->pairs, direction);
    else
        fprintf(to, "# [ pairs: %d ] [ window size: %d ]\n", r->pairs, r->window);
}

static void pairs_line(FILE *to, const struct bench_run *r, const struct settings *s)
{
    pairs_and_window(to, r, s, "Uni");
}

static void pairs_line_both_ways(FILE *to, const struct bench_run *r, const struct settings *s)
{
    pairs_and_window(to, r, s, "Bi");
}

#define RATES                                                                                      \
    .unit = "MB/s", .is_rate = true, .headline = rate_columns, .layout = layout, .compact = true

const struct report report_message_rate = {
    RATES,
    .sample = "one window and its acknowledgement, on every sender",
    .printed = MB_PER_S ", sum of all pairs), payload / mean time of the "
                        "senders; and messages per second",
    .preamble = pairs_line,
};
const struct report report_rate_both_ways = {
    RATES,
    .sample = "one window in either direction, on the first rank of each pair",
    .printed = MB_PER_S ", sum of all pairs and both directions), payload / "
                        "mean time of the first ranks; and messages per second",
    .both_ways = true,
    .preamble = pairs_line_both_ways,
};
