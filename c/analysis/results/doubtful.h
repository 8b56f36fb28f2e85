/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doubtful.h - rows whose value may well be right for what ran, and says little of the
 *              machine: the benchmark marks them ("doubtful" in doc/json.md), and a verdict
 *              that rests on them says so.
 */
#ifndef DOUBTFUL_H
#define DOUBTFUL_H

#include "run_rows.h"

/* Why the row of a variant is doubtful, of which run[0..n-1] are all runs: the reason that
   most of them give, in the words of their files, which own the text.  NULL: it is not,
   since fewer than half of the runs are.  Files from before there were such marks have
   none. */
const char *doubtful_row(const struct run_row *run, size_t n);

enum { DOUBTFUL_NAMED = 3, DOUBTFUL_WHY = 80 };

/* Those among the rows of a table or a class; all bytes zero before the first row. */
struct doubtful {
    size_t rows, n;
    struct row_id first[DOUBTFUL_NAMED];
    char why[DOUBTFUL_WHY]; /* each reason once: "disturbed, few iterations" */
};

/* Count a row; why comes from doubtful_row. */
void doubtful_add(struct doubtful *d, const struct row_id *id, const char *why);

/* The sentence on the variant of this name: "4 of 17 rows of new say little of the machine
   (disturbed): latency 8 MPI_CHAR, ..., and 1 more"; "" if no row is doubtful. */
const char *doubtful_words(const struct doubtful *d, const char *of,
                           char text[WHY]);

#endif
