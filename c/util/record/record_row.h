/* SPDX-License-Identifier: BSD-3-Clause */
/* record_row.h - a row of the JSON document. */
#ifndef RECORD_ROW_H
#define RECORD_ROW_H

#include "record.h"

/* Into an empty object. */
void record_row_fields(const struct record *record, const struct context *c,
                       const struct report_table *table, const struct result *r,
                       const struct cell *cells, struct fields row);

/* Which block of rows it is, of programs that have several. */
void record_block(const struct record *record, const char *operation,
                  long parameter, struct fields to);

#endif
