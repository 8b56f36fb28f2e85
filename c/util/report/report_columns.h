/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that reports consist of; each array ends with a NULL value. */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "report.h"

#define MB_PER_S "MB/s (10^6 bytes of payload per second"

extern const struct report_column report_latency_columns[],
    report_collective_full[], report_bandwidth_columns[], report_rate_columns[],
    report_overlap_columns[], report_overlap_full[], report_overhead_columns[],
    report_overhead_full[], report_overlap_bandwidth_columns[],
    report_rma_latency_columns[], report_hot_spot_columns[],
    report_rma_hot_spot_columns[];

#endif
