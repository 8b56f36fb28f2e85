/* SPDX-License-Identifier: BSD-3-Clause */
/* record_row.h - the rows of --json, and what families add to the document. */
#ifndef RECORD_ROW_H
#define RECORD_ROW_H

#include "family.h"
#include "fields.h"

/* What the family adds to a part of the document. */
void record_of_family(const struct context *c, struct recorded what, struct fields to);

/* The operation of a row; NULL: the program has but one, or no rows. */
const char *record_operation(const struct context *c, const struct row *row);

/* All of a row of the document, with its samples if raw; and which block of rows it is, of
   programs that have several. */
void record_row_fields(const struct context *c, const struct result *r, bool raw,
                       struct fields row);
void record_block(const struct context *c, const struct row *row, struct fields to);

#endif
