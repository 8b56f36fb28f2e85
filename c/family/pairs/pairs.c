/* SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.h"

#include "loop.h"
#include "options/settings.h"
#include "report/report.h"

static bool prints_rates(const struct bench *b, const struct settings *s)
{
    return s->print_rate;
}

static const struct report_column rate_columns[] = {
    { { "bandwidth_mb_per_s", "MB/s", 0 }, report_mean },
    { { "messages_per_s", "Messages/s", 0 }, report_messages_per_s, .shown = prints_rates },
    { .value = NULL },
};

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
