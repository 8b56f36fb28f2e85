/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs that run once print. */
#include <string.h>

#include "report/report.h"

static struct cell seconds(double value)
{
    return (struct cell){ .kind = CELL_REAL, .real = value };
}

static struct cell run(const struct result *r)
{
    return seconds(r->whole->run.max);
}

static struct cell inside(const struct result *r)
{
    return seconds(r->whole->inside.mean);
}

static struct cell outside(const struct result *r)
{
    return seconds(r->whole->outside.mean);
}

static struct cell rate(const struct result *r)
{
    return seconds(1e-6 * r->whole->operations / r->whole->run.max);
}

static struct cell verdict(const struct result *r)
{
    return (struct cell){ .kind = CELL_WORD,
                          .word = result_verdict_word(r->verdict, false) };
}

static const struct report_column columns[] = {
    { { "run_s", "       Run Time(s)", 0, 6 }, run },
    { { "communication_s", "In MPI(s)", 0, 6 }, inside },
    { { "computation_s", "Outside(s)", 0, 6 }, outside },
    { { "mop_per_s", "Mop/s", 0 }, rate },
    { { "validation", "Validation", 0 }, verdict },
    { { NULL, NULL, 0 }, NULL },
};

const struct report report_whole = {
    .unit = "s",
    .sample = "one run of all iterations, on every rank, behind an untimed "
              "one of a single iteration",
    .printed = "s: run time of the slowest rank; time in MPI and outside, mean "
               "over ranks; Mop/s by the operations that NAS counts; then each "
               "MPI call: how often, mean over ranks, slowest rank",
    .scale = 1e-6,
    .headline = columns,
    .no_type_line = true,
    .own = true,
};

static void print_share(FILE *to, const struct share *share)
{
    fprintf(to, "%-20s", share->name);
    if (share->calls > 0)
        fprintf(to, "%10ld", share->calls);
    else
        fprintf(to, "%10s", "-");
    fprintf(to, "%18.6f%18.6f%18d\n", share->mean, share->max, share->slowest);
}

void report_shares(FILE *to, const struct whole *w)
{
    fprintf(to, "%-20s%10s%18s%18s%18s\n", "# Part", "Calls", "Mean(s)",
            "Max(s)", "Slowest rank");
    for (int i = 0; i < w->calls; i++)
        print_share(to, &w->call[i]);
    print_share(to, &w->outside);
    print_share(to, &w->run);
    fflush(to);
}
