/* SPDX-License-Identifier: BSD-3-Clause */
#include "whole.h"

#include "nas.h"
#include "report/report_kinds.h"

static const struct whole *whole_of(const struct result *r)
{
    const struct nas *nas = r->family;

    return &nas->whole;
}

static struct cell rate(const struct result *r)
{
    return cell_real(1e-6 * whole_of(r)->operations / whole_of(r)->run.max);
}

static struct cell verdict(const struct result *r)
{
    return cell_word(result_verdict_word(r->verdict, false));
}

static const struct report_column columns[] = {
    { { "run_s", "       Run Time(s)", 0, 6 },
      COLUMN_OF(struct nas, whole.run.max) },
    { { "communication_s", "In MPI(s)", 0, 6 },
      COLUMN_OF(struct nas, whole.inside.mean) },
    { { "computation_s", "Outside(s)", 0, 6 },
      COLUMN_OF(struct nas, whole.outside.mean) },
    { { "mop_per_s", "Mop/s", 0 }, rate },
    { { "validation", "Validation", 0 }, verdict },
    { { NULL, NULL, 0 }, NULL },
};

const struct report report_whole = {
    .unit = "s",
    .sample = "one run of all iterations, on every rank, after an untimed "
              "one of a single iteration",
    .printed = "s: run time of the slowest rank; time in MPI and outside, mean "
               "over ranks; Mop/s by the operations that NAS counts; then each "
               "MPI call: how often, mean over ranks, slowest rank",
    .scale = 1e-6, /* a lap is a whole run, and its time is printed in s */
    .compact = true,
    .headline = columns,
    .no_type_line = true,
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

void whole_print(FILE *to, const struct whole *w)
{
    fprintf(to, "%-20s%10s%18s%18s%18s\n", "# Part", "Calls", "Mean(s)",
            "Max(s)", "Slowest rank");
    for (int i = 0; i < w->calls; i++)
        print_share(to, &w->call[i]);
    print_share(to, &w->outside);
    print_share(to, &w->run);
    fflush(to);
}

/* --- JSON ---------------------------------------------------------------------- */

static void record_share(const struct share *share, const char *name,
                         struct fields to)
{
    const struct fields part = fields_object(to, name);

    fields_real(part, "mean_s", share->mean);
    fields_real(part, "max_s", share->max);
    fields_int(part, "slowest", share->slowest);
    if (share->calls > 0)
        fields_int(part, "calls", share->calls);
}

void whole_record(const struct whole *w, struct fields to)
{
    const struct fields object = fields_object(to, "application");

    fields_text(object, "class", w->class);
    fields_text(object, "size", w->size);
    fields_int(object, "iterations", w->iterations);
    fields_real(object, "operations", w->operations);
    record_share(&w->run, w->run.name, object);
    record_share(&w->inside, w->inside.name, object);
    record_share(&w->outside, w->outside.name, object);
    const struct fields calls = fields_object(object, "calls");

    for (int i = 0; i < w->calls; i++)
        record_share(&w->call[i], w->call[i].name, calls);
}
