/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison.h - launches of two subjects, row by row.
 */
#ifndef COMPARISON_H
#define COMPARISON_H

#include <stdio.h>

#include "launch_rows.h"
#include "verdict.h"

/* One row in a hundred may be slower by chance.  If runs were repeated, a row
   stays slower only if they say the same. */
enum comparison_again {
    COMPARISON_ONCE,      /* there were none, or it was not slower */
    COMPARISON_AGAIN,     /* it was slower again */
    COMPARISON_NOT_AGAIN, /* it was not: now it is undecided */
    COMPARISON_NOT_SEEN, /* nothing, or by so few launches that none could be called
                             slower: it stays slower */
};

struct comparison_row {
    struct row_id id;
    double figure[2];   /* median over launches, of the median over laps */
    size_t launches[2]; /* runs that have the row */
    struct verdict verdict;
    enum comparison_again again;
    double ratio_again; /* ratio of the repeated runs, if any */
};

/* A row that only one of two subjects has. */
struct comparison_lone {
    int of; /* subject that has it: 0 or 1 */
    struct row_id id;
};

struct comparison {
    const struct subject *subject[2];
    double margin, level; /* of wrong verdicts, 0.05 for 5 % */
    struct comparison_row *row;
    size_t rows;
    struct comparison_lone *lone;
    size_t lones;
};

struct comparison_options {
    double margin; /* differences that nobody cares about: 0.03 is 3 % */
    int look;      /* of verdict_level */
    struct may_differ may;
    const struct subject
        *again; /* launches made again, of subjects of these names */
    int agains; /* so many; 0: slower rows are not confirmed */
};

/* Of b against a.  False: why[] says why they cannot be compared. */
bool comparison_make(struct comparison *c, const struct subject *a,
                     const struct subject *b,
                     const struct comparison_options *options, char why[WHY]);
void comparison_release(struct comparison *c);

/* The row of the comparison with the same key; NULL: none. */
const struct comparison_row *comparison_row_of(const struct comparison *c,
                                               const struct row_id *id);

/* The number of rows with each verdict. */
struct comparison_sum {
    size_t of[VERDICT_SLOWER + 1];
    int further; /* launches that would probably decide half of the undecided; -1: more
                        than VERDICT_FURTHER_MAX */
    size_t
        callable; /* rows that have launches enough to be called faster or slower */
    size_t launches; /* of the row that has most, on the side with fewer */
    int needed; /* with fewer launches a side nothing is faster or slower */
};
struct comparison_sum comparison_sum_of(const struct comparison *c);

/* "faster", "slower", "same"; "slower once, not again" where launches made again say so; of
   an undecided row "by itself slower" or "by itself faster", where its own interval lies
   beyond the margin but all rows together do not allow to say so, or else "open". */
const char *comparison_outcome(const struct comparison_row *row, double margin);

/* Does the quotient of the figures, of times, lie outside the interval?  The ratio is of
   pairs of launches: so it is where those of one side differ among themselves, as in two
   groups, whose median is of either. */
bool comparison_columns_disagree(const struct comparison_row *row);

/* The end of the rows with the same benchmark and place, of which row first is
   the first. */
size_t comparison_table_end(const struct comparison *c, size_t first);

/* Faults that must fail a CI job, besides slower rows: write a sentence for
   each to to, after begin.  They are rows that the first subject has and the
   other lacks, and runs with wrong data.  Returns their number. */
size_t comparison_faults(FILE *to, const struct comparison *c,
                         const char *begin);

#endif
