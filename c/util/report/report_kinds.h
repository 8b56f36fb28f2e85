/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_kinds.h - the few lines that some kinds of benchmarks print beside their tables,
 *                  word for word as OMB's, where it has them.
 */
#ifndef REPORT_KINDS_H
#define REPORT_KINDS_H

#include "report.h"
#include "loop.h"

/* Between title and heading. */
void report_pairs_line(FILE *to, const struct bench_run *r,
                       const struct settings *s);
void report_pairs_line_both_ways(FILE *to, const struct bench_run *r,
                                 const struct settings *s);
void report_overall_line(FILE *to, const struct bench_run *r,
                         const struct settings *s);
void report_thread_lines(FILE *to, const struct bench_run *r,
                         const struct settings *s);
void report_process_lines(FILE *to, const struct bench_run *r,
                          const struct settings *s);
void report_topology_lines(FILE *to, const struct bench_run *r,
                           const struct settings *s);

/* Instead of a table. */
void report_init_line(FILE *to, const struct result *r);
void report_hello_line(FILE *to, const struct result *r);

#endif
