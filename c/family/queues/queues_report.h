/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queues_report.h - the time of a message, and what an entry of its queue costs.
 *
 * The cost is the slope (slope.h) of medians over the entries that a message is
 * compared with: N; in reverse N / 2 on average, and the time is that beyond the same
 * messages in order, as N + 1 messages share a round trip.
 */
#ifndef QUEUES_REPORT_H
#define QUEUES_REPORT_H

#include <stdio.h>

#include "family.h"

struct report;

extern const struct report report_queues;

/* Hooks of struct family. */
enum exit_code queues_print(FILE *to, const struct context *c,
                            const struct rows *rows);
void queues_record(const struct context *c, const struct recorded *what,
                   struct fields *to);

#endif
