/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparable.h - which runs may be compared with which others, and what differs
 *                between those that may.
 */
#ifndef COMPARABLE_H
#define COMPARABLE_H

#include <stdio.h>

#include "variant.h"

enum { PLACE = 80, MAY_DIFFER = 32 };

/* Fields of method and environment, as "method.start", that may differ. */
struct may_differ {
    const char *field[MAY_DIFFER];
    size_t n;
    const char *how; /* ends a refusal, followed by the field that differs:
                        how to permit that; NULL: it cannot be permitted */
};

/* Add the field that --allow names.  false: why[] says why there can be no such
   field, or that there are too many. */
bool may_differ_add(struct may_differ *may, const char *field, char why[WHY]);

/* Does every field stand in some result?  false: why[] names one that does not,
   and so is misspelt. */
bool may_differ_is_met(const struct may_differ *may, const struct variant *s,
                       int variants, char why[WHY]);

/* The end of a refusal, for programs that have --allow. */
#define PERMIT_WITH_ALLOW "; to permit it, add --allow "

/* The value of "method.start" or the like; NULL: the file has none. */
const json_t *comparable_field(const struct result_file *f, const char *field);

bool field_may_differ(const struct may_differ *may, const char *field);

/* The place of the ranks and their buffers, as "2 ranks, same-numa, H-H",
   without fields that may differ.  One folder may have runs of a benchmark in
   several places; they are never mixed. */
void comparable_place(const struct result_file *f, const struct may_differ *may,
                      char place[PLACE]);

/* Do the runs of b measure the same as those of a?  The runs of each belong together
   (comparable_runs).  false: why[] names two that do not, and the field of their method or
   environment that differs and decides what is measured. */
bool comparable_variants(const struct variant *a, const struct variant *b,
                         const struct may_differ *may, char why[WHY]);

/* The same question for runs of b and those runs of a that have the same
   benchmark and place.  With a variant and itself: do its runs belong
   together? */
bool comparable_runs(const struct variant *a, const struct variant *b,
                     const struct may_differ *may, char why[WHY]);

/* The conditions of the runs, without the runs: what comparable_runs reads.
   An array with an object for each benchmark in each place. */
json_t *conditions_of(const struct variant *s);

/* The conditions as files without rows, for comparable_runs; name stands
   for the file in sentences.  An array of NULL has no conditions.  false: why[]
   says what is wrong. */
bool conditions_read(struct variant *s, json_t *array, const char *name,
                     char why[WHY]);

#endif
