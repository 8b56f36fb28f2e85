/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hotspot.h - messages between rank 0 and each of the others that take part:
 *             hotspot_send, hotspot_recv.
 */
#ifndef HOTSPOT_H
#define HOTSPOT_H

#include "data/flow.h"
#include "options/settings.h"
#include "report/report.h"

/* Ranks that a hot spot talks to: 1, 2, 4, ... and all others. */
#define HOTSPOT_PEERS                                                                              \
    {                                                                                              \
        .name = "Peers", .key = "peers", .option = "peers", .argument = "N[,N...]",                \
        .value = { PARAMETER_DOUBLING, 1 << 10, 1 << 11, 1 << 12, 1 << 14, 1 << 16, 1 << 30 },     \
        .help = "peers of rank 0; for each number a section of the table",                         \
        .fallback = "1,2,4,... and all", .kind = PARAMETER_PARTNERS, .least = 1                    \
    }

/* 1 on each of the others that take part. */
int hotspot_one_of_others(const struct bench_run *r);

extern const struct flow flow_hot_send, /* a block from rank 0 to every other */
    flow_hot_recv;                      /* a block from every other to rank 0 */

/* Time of a message; and the bandwidth of all together, and of each. */
extern const struct report report_hot_spot;

#endif
