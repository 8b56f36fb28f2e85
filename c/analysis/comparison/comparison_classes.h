/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_classes.h - the rows of a comparison by benchmark, place and size class: the only
 *                        unit of verdict.
 *
 * Rows of one run move together, as they share its memory, processes and connections.  So
 * a class has one value for each run: the geometric mean of its rows' times.  The ratio of
 * a class is the median, over all pairs of runs, of the geometric mean of its rows' ratios.
 * Verdicts (verdict.h) of all classes of a comparison are settled together: at most one
 * comparison in 20 has a class that is faster or slower wrongly.
 */
#ifndef COMPARISON_CLASSES_H
#define COMPARISON_CLASSES_H

#include "comparison.h"

/* Where size classes end if nothing else is said. */
#define SIZE_LIMITS_DEFAULT                                                    \
    {                                                                          \
        .limit = { 256, 8192, 131072 }, .n = 3                                 \
    }

/* Read SIZE,SIZE,... with suffixes as K, or "rows": each row is a class.  NULL, or what is
   wrong with the text. */
const char *size_limits_read(struct size_limits *limits, const char *text);

/* Fill c->class from the rows of c.  A class is judged by the rows that all of its runs have: others would count in some runs
   only.  If there is no such row, a run counts with those it has, each relative to the row's
   mean over all runs of both variants. */
void comparison_classes_make(struct comparison *c);

/* The rows of the class, and those that are doubtful for either variant. */
struct doubtful comparison_class_doubtful(const struct comparison *c,
                                          const struct comparison_class *of);

enum { CLASS_LABEL = 2 * ROW_KEY };

/* The sizes of a class, as a row of a table says them: "to 256B", "to 8KiB", "above
   128KiB"; "-" without a size; the key of a row by itself. */
const char *comparison_class_label(const struct comparison *c,
                                   const struct comparison_class *of,
                                   char text[CLASS_LABEL]);

/* The sizes of classes first to last, neighbors of one benchmark and place, as a sentence
   says them, up to the largest size that was measured: "to 8KiB", "above 256B to 8KiB", "at 8B"; "" for all sizes. */
const char *comparison_class_sizes(const struct comparison *c, size_t first,
                                   size_t last, char text[CLASS_LABEL]);

/* The end of the classes with the same benchmark and place, the first of which is first. */
size_t comparison_classes_end(const struct comparison *c, size_t first);

#endif
