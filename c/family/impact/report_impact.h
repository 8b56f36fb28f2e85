/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_impact.h - the table of impact, its last lines, and its fields in JSON.
 *
 * Times are medians over blocks of what a block says, in us: half a round trip, a message
 * of a window, or the whole iteration of the slowest victim.  An impact is the median over
 * pairs of blocks, with its interval (impact.h).
 */
#ifndef REPORT_IMPACT_H
#define REPORT_IMPACT_H

#include <stdio.h>

#include "family.h"
#include "report/report.h"

extern const struct report report_impact;

/* Hooks of struct family. */
enum exit_code impact_print(FILE *to, const struct context *c,
                            const struct rows *rows);
void impact_record(const struct context *c, const struct recorded *what,
                   struct fields *to);

#endif
