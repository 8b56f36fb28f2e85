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

/* What tells a row of so many ranks and messages in flight from the others of its program, also in
   words that stay the same: who compares results joins rows by them.  Ranks that take part are a
   parameter of some programs, and are in the key of all. */
void record_which(const struct context *c, const struct row *of, int ranks, int window,
                  struct fields row);

/* All of a row of the document, with its samples if raw. */
void record_row_fields(const struct context *c, const struct result *r, bool raw,
                       struct fields row);

#endif
