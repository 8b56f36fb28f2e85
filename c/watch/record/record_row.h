/* SPDX-License-Identifier: BSD-3-Clause */
/* record_row.h - a row of the JSON document. */
#ifndef RECORD_ROW_H
#define RECORD_ROW_H

#include "bench.h"
#include "fields.h"
#include "report/result.h"

/* All of a row. */
void record_row_fields(const struct context *c, const struct result *r,
                       struct fields row);

/* Its operation; NULL: the program has but one, or no rows. */
const char *record_operation(const struct context *c, const struct row *row);

/* Which block of rows it is, of programs that have several. */
void record_block(const struct context *c, const struct row *row,
                  struct fields to);

#endif
