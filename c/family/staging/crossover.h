/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crossover.h - from which size on direct transfers are faster or slower than
 *               staged copies.
 *
 * This is for programs with staged messages.  A size decides if the medians of
 * the two differ by more than the half-widths of their 95% intervals together;
 * other sizes keep the result of the size before.  The number of changes is
 * reported too.
 */
#ifndef CROSSOVER_H
#define CROSSOVER_H

#include <stdio.h>

#include "base/fields.h"
#include "report/rows.h"

struct crossover {
    size_t bytes; /* size of the last change; 0: there is none */
    int changes;  /* number of changes from one size to the next */
    bool direct;  /* direct is faster from there on */
    int decided;  /* number of sizes that decide; 0: neither is faster */
    size_t until; /* the other is faster up to here; none is in between */
};

/* Compare operation 0 with the best of the others, at every measured size.
   false: there is no such size. */
bool crossover_find(const struct rows *rows, struct crossover *c);

/* Print it as a line that begins with #. */
void crossover_print(FILE *to, const struct crossover *c);

/* Write it as the object "crossover". */
void crossover_record(struct fields to, const struct crossover *c);

#endif
