/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_overlap.h - the tables of programs that compute beside their operation.
 */
#ifndef REPORT_OVERLAP_H
#define REPORT_OVERLAP_H

#include "family.h"
#include "report/report.h"
#include "report/rows.h"

extern const struct report
    report_overlap,               /* overall, computation, pure, hidden */
    report_overlap_alone,         /* the same without sizes and types */
    report_persistent,            /* as report_collective, or overlap */
    report_persistent_alone,      /* the same without sizes and types */
    report_persistent_round_trip, /* as report_round_trip, or overlap */
    report_overlap_bandwidth,     /* beside a computation, and its share */
    report_progress,              /* a message whose sender computes */
    report_overhead;              /* the calls of a message, on either side */

/* --- For reports of families that begin with this one ------------------------ */

extern const struct report_column report_overlap_columns[];

void report_overall_line(FILE *to, const struct bench_run *r,
                         const struct settings *s);

#define REPORT_OVERLAP                                                         \
    .unit = "us", .sample = "start, computation and wait, on every rank",      \
    .printed =                                                                 \
        "us, means over iterations, then over ranks; overlap in percent of "   \
        "the pure time",                                                       \
    .headline = report_overlap_columns, .preamble = report_overall_line,       \
    .managed_in_title = true

const struct report_column *report_persistent_columns(const struct bench *b,
                                                      const struct settings *s);
#define REPORT_PERSISTENT                                                      \
    .unit = "us",                                                              \
    .sample = "start and wait, on every rank, after all ranks were "           \
              "synchronized; with --compute a computation between them",       \
    .printed = "us, mean over iterations, then over ranks",                    \
    .headline = collective_headline, .columns = report_persistent_columns,     \
    .preamble = report_overall_line

/* --- For the record ----------------------------------------------------------- */

/* OMB's overlap in percent, unclipped:
   100 - 100 (overall - computation) / pure. */
double overlap_percent(const struct result *r);

/* --- How much of the processor is left while the bandwidth is full ------------- */

struct overlap_parts;

/* Keep what the row says of it; and a hook of struct family: print the lines. */
void processor_left_note(const struct overlap_parts *parts,
                         struct result *result);
enum exit_code processor_left_print(FILE *to, const struct context *c,
                                    const struct rows *rows);

/* The results of the measured rows that differ from that one in the parameter alone, by rising
   parameter, whatever order they ran in; how many. */
int rows_by_parameter(const struct rows *rows, const struct row *like,
                      const struct result *result[PARAMETER_MAX]);

#endif
