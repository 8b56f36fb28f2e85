/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_rma.h - the tables of one-sided programs.
 *
 * With flush_local a time ends with local completion: the table says so.
 */
#ifndef REPORT_RMA_H
#define REPORT_RMA_H

struct report;

extern const struct report report_rma_latency, /* latency of one pair */
    report_rma_latency_alone, /* the same without the line of the type */
    report_rma_latency_of_pairs, report_rma_bandwidth, report_rma_both_ways,
    report_rma_bandwidth_of_pairs,
    report_rma_hot_spot; /* bandwidth of all peers, and of each */

#endif
