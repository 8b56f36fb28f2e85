/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison.h - launches of two subjects, row by row.
 */
#ifndef COMPARISON_H
#define COMPARISON_H

#include <stdio.h>

#include "results/launch_rows.h"
#include "verdicts/verdict.h"

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
    size_t first_run; /* number of its first run in what launch_rows_of found */
    const char *doubtful[2]; /* of doubtful_row, for each subject */
    struct verdict verdict;
    enum comparison_again again;
    double ratio_again; /* ratio of the repeated runs, if any */
};

/* A row that cannot be compared. */
struct comparison_lone {
    struct row_id id;
    const char *lacks
        [2]; /* why, of each subject: "suspect"; NULL: it has runs of the row */
};

/* The rows of one benchmark and place whose sizes are of one size class.  They move
   together from run to run, so a run has one value for all of them, the geometric mean
   of their times, and the verdict is that of the runs. */
struct comparison_class {
    size_t first, end; /* these rows of the comparison */
    int size; /* number of the size class, from 0; -1: rows without a size */
    size_t launches[2]; /* runs that have any of the rows */
    /* It is judged by the rows that all of these runs have, so many, or by all of its rows if
       there is none; so many runs lack others. */
    size_t judged, incomplete;
    struct verdict verdict;
    bool not_again; /* it was slower, but no slower row of it was again */
};

/* Where size classes end, in bytes, ascending: the first has sizes up to limit[0], the
   last those above limit[n - 1]. */
enum { SIZE_LIMITS = 16 };
struct size_limits {
    size_t limit[SIZE_LIMITS];
    int n;
};

struct comparison {
    const struct subject *subject[2];
    double margin, level; /* of wrong verdicts, 0.05 for 5 % */
    struct comparison_row *row;
    size_t rows;
    struct comparison_class *class;
    size_t classes;
    struct size_limits sizes;
    struct comparison_lone *lone;
    size_t lones;
    char
        *incomplete; /* a line for each run that lacks rows which others have */
    const struct comparison_options *how;
};

enum { FAILED_MOST = 16, ASKED_MOST = 256 };

struct comparison_options {
    double margin; /* differences that nobody cares about: 0.03 is 3 % */
    struct size_limits sizes;
    int look; /* of verdict_level */
    struct may_differ may;
    const char *left_out[FAILED_MOST]; /* "NAME: WHY" of variants that failed */
    int left_outs;
    const char *asked[ASKED_MOST]; /* benchmarks that must have rows */
    int askeds;
    const struct subject
        *again; /* launches made again, of subjects of these names */
    int agains; /* so many; 0: slower rows are not confirmed */
};

/* Of b against a.  False: why[] says why they cannot be compared. */
bool comparison_make(struct comparison *c, const struct subject *a,
                     const struct subject *b,
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

/* What the verdicts of the rows come to, and those of the classes. */
struct verdict_sum comparison_sum_of(const struct comparison *c);
struct verdict_sum comparison_sum_of_classes(const struct comparison *c);

/* "slower" or "faster" of an undecided row whose own interval lies beyond the margin, so that
   nothing but the correction for many rows keeps it undecided; else NULL. */
const char *comparison_leaning(const struct comparison_row *row, double margin);

/* Where the row is doubtful and why: "disturbed in old, few iterations in new"; "" if it is
   not.  text[] has room for 120. */
const char *comparison_doubt(const struct comparison *c,
                             const struct comparison_row *row, char text[120]);

/* The verdict; "slower (before correction)" where the row leans so; "slower once, not
   confirmed" where runs that were repeated say so. */
const char *comparison_outcome(const struct comparison_row *row, double margin);

/* "1.091 to 1.110", or "-" without one. */
const char *comparison_interval(const struct verdict *v, char text[48]);

/* Does the quotient of the figures, of times, lie outside the interval?  The ratio is of
   pairs of launches: so it is where those of one side differ among themselves, as in two
   groups, whose median is of either. */
bool comparison_columns_disagree(const struct comparison_row *row);

/* How many rows of the class have this verdict? */
size_t comparison_class_rows(const struct comparison *c,
                             const struct comparison_class *of,
                             enum verdict_is is);

/* Whose runs began after the last of the other had begun: 0 or 1, a number of
   subject[]; -1: they were made in turn, or the files do not say when. */
int comparison_later(const struct comparison *c);

/* The end of the rows with the same benchmark and place, of which row first is
   the first. */
size_t comparison_table_end(const struct comparison *c, size_t first);

/* What must fail a CI job besides slower rows, since nobody has looked: write a sentence for
   each to to, after begin.  It is what was not compared, rows with too few runs to show a
   difference, runs with wrong data, and variants that were left out.  Returns how many
   sentences there are; 0: all that was asked for was judged. */
size_t comparison_faults(FILE *to, const struct comparison *c,
                         const char *begin);

#endif
