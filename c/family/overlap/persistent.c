/* SPDX-License-Identifier: BSD-3-Clause */
#include "persistent.h"

#include "base/fields.h"
#include "collective/bus.h"
#include "report/report_kinds.h"
#include "sampling/measure.h"

static const struct option_row options[] = { COLLECTIVE_OPTIONS,
                                             PERSISTENT_OPTIONS,
                                             { 0 } };
static const struct overlap_settings defaults = { .target = COMPUTE_NOT };

static bool computes(const struct settings *s)
{
    return overlap_settings(s)->target != COMPUTE_NOT;
}

void persistent_refuse(const struct context *c, struct refusal *r)
{
    if (overlap_settings(c->settings)->tests > 0 && !computes(c->settings))
        refusal_because(r, E12_USAGE,
                        "-t needs --compute: without it there is no "
                        "computation to call MPI_Test in");
    collective_refuse(c, r);
}

void persistent_measure(struct measure *m, struct result *result)
{
    if (computes(m->context->settings))
        overlap_measure(m, result);
    else
        collective_measure(m, result);
}

void persistent_record(const struct context *c, const struct recorded *what,
                       struct fields *to)
{
    if (computes(c->settings))
        overlap_record(c, what, to);
    collective_record(c, what, to);
}

const struct report_column *persistent_columns(const struct bench *b,
                                               const struct settings *s)
{
    (void)b;
    if (!computes(s))
        return NULL;
    return s->full ? report_overlap_full : report_overlap_columns;
}

void persistent_overall_line(FILE *to, const struct bench_run *r,
                             const struct settings *s)
{
    if (computes(s))
        report_overall_line(to, r, s);
    else
        collective_operation_line(to, r, s);
}

static struct cell bandwidth(const struct bench *b, const struct result *r,
                             int column)
{
    const struct overlap *o = r->family;

    return bus_cell(b, r, o->parts.pure > 0 ? o->parts.pure : r->mean, column);
}

const struct report report_persistent = { REPORT_PERSISTENT,
                                          .more = bus_columns,
                                          .more_value = bandwidth,
                                          .more_help = bus_help };
const struct report report_persistent_alone = { REPORT_PERSISTENT,
                                                .no_type_line = true };

const struct family persistent_family = {
    .name = "overlap",
    .options = options,
    .defaults = &defaults,
    .settings = sizeof defaults,
    COLLECTIVE_HOOKS,
    .plan = overlap_plan,
    .refuse = persistent_refuse,
    .state = sizeof(struct overlap),
    .describe = overlap_describe_collective,
    .forget = overlap_forget,
    .measure = persistent_measure,
    .print = overlap_print,
    .record = persistent_record,
};
