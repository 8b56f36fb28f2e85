/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison.h - runs of two variants: the ratio of each row, and a verdict for each class.
 */
#ifndef COMPARISON_H
#define COMPARISON_H

#include <stdio.h>

#include "results/row_table.h"
#include "text/tool_options.h"
#include "verdicts/verdict.h"

/* A row that both variants have.  It has no verdict: that is of its class. */
struct comparison_row {
    const struct row_id *id;
    const struct table_cell *cell[2];
    struct time_ratio ratio;
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

/* What a reader must know before he trusts the verdicts, or what must fail a CI job besides
   slower classes, since nobody has looked; or both. */
struct comparison_note {
    enum { NOTE_REMARK = 1, NOTE_FAULT = 2, NOTE_BOTH = 3 } kind;
    char *text;
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
    const struct row_table *table;
    int column[2]; /* numbers of the variants in the table */
    const struct variant *variant[2];
    double margin, level; /* of wrong verdicts, 0.05 for 5 % */
    struct comparison_row *row;
    size_t rows;
    struct comparison_class *class;
    size_t classes;
    struct size_limits sizes;
    struct comparison_note *note;
    size_t notes;
    size_t lone; /* rows that one of the two has and the other lacks */
    const struct comparison_options *how;
};

/* Variants against one baseline. */
struct comparisons {
    struct comparison with[VARIANTS];
    int n;
    struct texts left_out; /* "NAME: WHY" of variants that failed */
};

struct comparison_options {
    double margin; /* differences that nobody cares about: 0.03 is 3 % */
    struct size_limits sizes;
    int look; /* of verdict_level */
    struct may_differ may;
    struct texts left_out; /* "NAME: WHY" of variants that failed */
    struct texts asked;    /* benchmarks that must have rows */
    struct texts remarks;  /* "NAME: TEXT": what is to be said of a variant */
};

/* Variant k of the table against its first; the table must live longer.  False: why[] says
   why they cannot be compared. */
bool comparison_make(struct comparison *c, const struct row_table *t, int k,
                     const struct comparison_options *options, char why[WHY]);
void comparison_release(struct comparison *c);

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

#endif
