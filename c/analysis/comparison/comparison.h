/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison.h - runs of two variants: the ratio of each row, and a verdict for each class.
 */
#ifndef COMPARISON_H
#define COMPARISON_H

#include <stdio.h>

#include "results/run_rows.h"
#include "text/tool_options.h"
#include "verdicts/verdict.h"

/* It has no verdict: that is of its class. */
struct comparison_row {
    struct row_id id;
    double figure[2]; /* median over runs, of the median over iterations */
    size_t runs[2];   /* runs that have the row */
    size_t first_run; /* number of its first run in what run_rows_of found */
    const char *doubtful[2]; /* of doubtful_row, for each variant */
    struct time_ratio ratio;
};

/* A row that cannot be compared. */
struct comparison_lone {
    struct row_id id;
    const char *lacks
        [2]; /* why, of each variant: "suspect"; NULL: it has runs of the row */
};

/* What is judged: the rows of one benchmark and place whose sizes are of one size class, or
   a row by itself.  Rows move together from run to run, so a run has one value for all of
   them, the geometric mean of their times, and the verdict is that of the runs. */
struct comparison_class {
    size_t first, end; /* these rows of the comparison */
    int size; /* number of the size class, from 0; -1: a row by itself, or rows without a
                 size */
    size_t runs[2]; /* runs that have any of the rows */
    /* It is judged by the rows that all of these runs have, so many, or by all of its rows if
       there is none; so many runs lack others, of which this is the first. */
    size_t judged, incomplete;
    const char *lacking;
    struct verdict verdict;
};

/* Where size classes end, in bytes, ascending: the first has sizes up to limit[0], the
   last those above limit[n - 1].  Or each row is a class. */
enum { SIZE_LIMITS = 16 };
struct size_limits {
    size_t limit[SIZE_LIMITS];
    int n;
    bool rows;
};

struct comparison {
    const struct variant *variant[2];
    double margin, level; /* of wrong verdicts, 0.05 for 5 % */
    struct comparison_row *row;
    size_t rows;
    struct comparison_class *class;
    size_t classes;
    struct size_limits sizes;
    struct comparison_lone *lone;
    size_t lones;
    const struct comparison_options *how;
};

/* Variants against one baseline. */
struct comparisons {
    struct comparison with[VARIANTS];
    int n;
};

struct comparison_options {
    double margin; /* differences that nobody cares about: 0.03 is 3 % */
    struct size_limits sizes;
    int look; /* of verdict_level */
    struct may_differ may;
    struct texts left_out; /* "NAME: WHY" of variants that failed */
    struct texts asked;    /* benchmarks that must have rows */
};

/* Of b against a.  False: why[] says why they cannot be compared. */
bool comparison_make(struct comparison *c, const struct variant *a,
                     const struct variant *b,
                     const struct comparison_options *options, char why[WHY]);
void comparison_release(struct comparison *c);

/* What a reader must know before he trusts the verdicts: what was not compared and why, runs
   that lack rows, fields that were allowed to differ and do, versions of Alidade that differ,
   runs whose ranks shared CPUs, doubtful rows, variants that were left out.  Call say with
   each sentence and with to. */
void comparison_remarks(const struct comparison *c,
                        void (*say)(void *to, const char *sentence), void *to);

/* The row of the comparison with the same key; NULL: none. */
const struct comparison_row *comparison_row_of(const struct comparison *c,
                                               const struct row_id *id);

/* What the verdicts come to. */
struct verdict_sum comparison_sum_of(const struct comparison *c);

/* Where the row is doubtful and why: "disturbed in old, few iterations in new"; "" if it is
   not.  text[] has room for 120. */
const char *comparison_doubt(const struct comparison *c,
                             const struct comparison_row *row, char text[120]);

/* "1.091 to 1.110", or "-" without one. */
const char *comparison_interval(const struct time_ratio *ratio, char text[48]);

/* Whose runs began after the last of the other had begun: 0 or 1, a number of
   variant[]; -1: they were made in turn, or the files do not say when. */
int comparison_later(const struct comparison *c);

/* The end of the rows with the same benchmark and place, of which row first is
   the first. */
size_t comparison_table_end(const struct comparison *c, size_t first);

/* What must fail a CI job besides slower classes, since nobody has looked: write a sentence
   for each to to, after begin.  It is what was not compared, classes with too few runs to
   show a difference, rows that some runs of their class lack, runs with wrong data, and
   variants that were left out.  Returns how many sentences there are; 0: all that was asked
   for was judged. */
size_t comparison_faults(FILE *to, const struct comparison *c,
                         const char *begin);

#endif
