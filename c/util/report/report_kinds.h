/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_kinds.h - the reports that programs of no family print, and what those
 *                  of families are made of.
 */
#ifndef REPORT_KINDS_H
#define REPORT_KINDS_H

#include "report.h"

extern const struct report
    report_half_round_trip, /* half an iteration, of pairs */
    report_round_trip,      /* the same of two ranks */
    report_exchange, /* a message each way at once: the whole iteration */
    report_self,     /* a message to oneself */
    report_bandwidth, report_both_ways; /* payload of a window by its time */

/* --- For the reports of families ----------------------------------------- */

/* For .printed of bandwidths. */
#define MB_PER_S "MB/s (10^6 bytes of payload per second"

extern const struct report_column report_latency_columns[],
    report_bandwidth_columns[];

/* OMB's further columns of latencies, with -f. */
#define REPORT_EXTREMES                                                        \
    { { "latency_min_us", "Min Latency(us)", 0 },                              \
      report_mean_min,                                                         \
      .full = true },                                                          \
        { { "latency_max_us", "Max Latency(us)", 0 },                          \
          report_mean_max,                                                     \
          .full = true },                                                      \
    {                                                                          \
        { "iterations", "Iterations", TABLE_COUNT_WIDTH }, report_iterations,  \
            .full = true                                                       \
    }

/* Cells of columns. */
struct cell report_mean(const struct result *r);
struct cell report_mean_min(const struct result *r);
struct cell report_mean_max(const struct result *r);
struct cell report_iterations(const struct result *r);
struct cell report_messages_per_s(const struct result *r);

#endif
