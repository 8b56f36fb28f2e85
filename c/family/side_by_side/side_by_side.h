/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * side_by_side.h - after the last block: what the operations of a program with sizes
 *                  say together.
 */
#ifndef SIDE_BY_SIDE_H
#define SIDE_BY_SIDE_H

#include <stdio.h>

#include "family.h"
#include "options/settings.h"
#include "report/result.h"

/* What each operation took for each size at that value of the parameter, 0: there is none,
   and how much more than the first, in lines that begin with #; on rank 0. */
void side_by_side(FILE *to, const struct context *c, const struct rows *rows, long parameter);

/* The result of an operation whose row differs from that row in nothing else; NULL: there is
   none. */
const struct result *result_beside(const struct rows *rows, const struct row *like, int operation);

/* The results of the measured rows that differ from that one in the parameter alone, by rising
   parameter, whatever order they ran in; how many. */
int rows_by_parameter(const struct rows *rows, const struct row *like,
                      const struct result *result[PARAMETER_MAX]);

#endif
