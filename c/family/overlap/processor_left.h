/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processor_left.h - how much of the processor is left to an application while the
 *                    bandwidth is still full, by size.
 */
#ifndef PROCESSOR_LEFT_H
#define PROCESSOR_LEFT_H

#include "family.h"
#include "report/rows.h"

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
