/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crossover.h - from which size on MPI's own path is better or worse than copies by
 *               hand.
 *
 * Of programs whose messages are staged.  A size decides where the medians of the two
 * are farther apart than the half-widths of their 95 % intervals together; others keep
 * what was before them.  How often it changes is said as well.
 */
#ifndef CROSSOVER_H
#define CROSSOVER_H

#include <stdio.h>

#include "base/fields.h"
#include "report/rows.h"

struct crossover {
    size_t bytes; /* of the last change; without one 0 */
    int changes;  /* from size to size */
    bool direct;  /* is better from there on */
    int decided;  /* sizes that did; 0: neither is better */
};

/* By operation 0 against the best of the others, at every size that was measured;
   false: there is none. */
bool crossover_find(const struct rows *rows, struct crossover *c);

/* In a line that begins with #. */
void crossover_print(FILE *to, const struct crossover *c);

/* As the object "crossover". */
void crossover_record(struct fields to, const struct crossover *c);

#endif
