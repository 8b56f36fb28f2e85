/* SPDX-License-Identifier: BSD-3-Clause */
/* record_row.h - a row of the JSON document, as a new object of jansson. */
#ifndef RECORD_ROW_H
#define RECORD_ROW_H

#include "record.h"

void *record_row_object(const struct record *record, const struct context *c,
                        const struct report_table *table,
                        const struct result *r, const struct cell *cells);

/* Which block of rows it is, of programs that have several: into an object. */
void record_block(void *object, const struct record *record,
                  const char *operation, long parameter);

#endif
