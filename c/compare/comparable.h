/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparable.h - which launches may be held against which others, and what differs between
 *                those that may.
 */
#ifndef COMPARABLE_H
#define COMPARABLE_H

#include <stdio.h>

#include "subject.h"

enum { PLACE = 80, MAY_DIFFER = 32 };

/* Fields of method and environment, as "method.start", that may differ. */
struct may_differ {
    const char *field[MAY_DIFFER];
    size_t n;
};

bool field_may_differ(const struct may_differ *may, const char *field);

/* Where the ranks and their buffers were, as "2 ranks, same-numa, H-H", but what may differ:
   launches of a benchmark in several places may stand in one folder, and are never
   mixed. */
void comparable_place(const struct result_file *f, const struct may_differ *may,
                      char place[PLACE]);

/* Are all launches of one thing?  False: why[] names two, and the field of their method
   or environment that differs and decides what is measured. */
bool comparable_subjects(const struct subject *a, const struct subject *b,
                         const struct may_differ *may, char why[WHY]);

/* The same of launches of b and those of a of the same benchmark in the same place, and of
   no others; of a subject and itself: do its launches belong together? */
bool comparable_launches(const struct subject *a, const struct subject *b,
                         const struct may_differ *may, char why[WHY]);

/* The conditions of launches, kept apart from them: what comparable_launches looks at.  An
   array with an object for each benchmark in each place. */
json_t *conditions_of(const struct subject *s);

/* The same as files without rows, for comparable_launches; name stands for them in
   sentences.  NULL is none.  False: why[] says what is wrong. */
bool conditions_read(struct subject *s, json_t *array, const char *name,
                     char why[WHY]);

/* What else differs, of the first files: a line "mpi: A / B" for each field of the
   environment; begin stands before each. */
void environment_diff(FILE *to, const struct subject *a,
                      const struct subject *b, const char *begin);

#endif
