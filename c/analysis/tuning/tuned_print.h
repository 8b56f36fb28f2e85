/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned_print.h - what was chosen and what it gains: a table for people, JSON for programs.
 */
#ifndef TUNED_PRINT_H
#define TUNED_PRINT_H

#include "text/document.h"
#include "tuning.h"

/* Add a row for each range of sizes in sequence that have one algorithm, with the figures of the
   size that gains least in new runs; then, each in a sentence, how many sizes were dropped
   and why. */
void tuned_add(struct document *d, const struct tune_place *place, size_t n);

/* All sizes of n places, whatever was chosen, as doc/tune.schema.json has it; output is the
   file of rules or variables, NULL: none.  False: it could not be written. */
bool tuned_json(FILE *to, enum tune_library library,
                const struct tune_place *place, size_t n, const char *output);

#endif
