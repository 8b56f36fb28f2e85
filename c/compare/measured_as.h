/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured_as.h - how launches were measured, kept apart from them: what decides whether
 *                 others can be held against what they have told.
 */
#ifndef MEASURED_AS_H
#define MEASURED_AS_H

#include "comparison.h"

/* An array with an object for each benchmark in each place; NULL: memory is short. */
json_t *measured_as_of(const struct subject *s);

/* The same as documents without rows, for comparison_alike; name stands for them in
   sentences.  NULL is none.  False: *wrong says what is wrong. */
bool measured_as_read(struct subject *s, json_t *array, const char *name,
                      const char **wrong);

#endif
