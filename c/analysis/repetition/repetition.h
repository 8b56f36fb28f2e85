/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * repetition.h - several runs of one program with the same options, row by row.
 *
 * A row has two values of each run: the one in the first column of its table, and the
 * median over iterations in the same unit (result_row_figure), which compare, report and
 * accept read too.  Spread, interval and groups are those of the second one.
 */
#ifndef REPETITION_H
#define REPETITION_H

#include "results/run_rows.h"
#include "text/tool_options.h"
#include "verdicts/next_run.h"

/* A row; its lists have an entry for each of its runs, in the order of the runs. */
struct repetition_row {
    struct row_id id;
    size_t of_first; /* its number among the rows of the first run, from 0 on */
    size_t runs;     /* number of runs that have it */
    int *run;        /* their numbers */
    double *headline,
        *figure; /* of each run: first column; median over iterations */
    double value, median;    /* medians over runs of the two */
    double min, max, spread; /* of figure; spread: standard deviation / mean */
    struct next_run next;    /* what figure the next run will show */
    struct run_groups groups;
    const char *doubtful; /* of doubtful_row */
};

/* How the runs were made; the caller knows. */
struct repetition_made {
    const char *stop;    /* why there are no more runs; NULL: unknown */
    double precision;    /* the interval that was asked for; 0: none */
    struct texts failed; /* "3: why" for each run that failed */
};

struct repetition {
    const struct variant *variant;
    struct repetition_made made;
    struct repetition_row *row; /* in the order of the first run */
    size_t rows;
};

enum { REPETITION_NO_ROW = -1 };

/*
 * Of the runs of a variant, which belong together (comparable_runs).  Rows that the
 * first run lacks come last.  A figure of 0 or less has no logarithm: the row has neither
 * interval nor groups then.
 */
void repetition_make(struct repetition *r, const struct variant *variant,
                     const struct may_differ *may);
void repetition_release(struct repetition *r);

/* The number of the row with number i among the first run's, or REPETITION_NO_ROW. */
int repetition_row_of_first(const struct repetition *r, size_t i);

/* Is run i of the row's list in the upper one of the two groups? */
bool repetition_is_upper(const struct repetition_row *row, size_t i);

/* How often a run and the next one are of different groups.  Once or twice: the machine
   changed meanwhile.  About half of the runs: each run draws its group anew. */
int repetition_changes(const struct repetition_row *row);

/* Beyond it, as a factor, nothing is said of the next run. */
#define REPETITION_APART 2.0

/* Do the runs differ so much that no interval predicts the next one?  An end of theirs is
   further from the median than REPETITION_APART, or the runs are too few for an interval and
   the smallest and the largest one are. */
bool repetition_is_apart(const struct repetition_row *row);

/* The greatest distance of an interval's end from its median, as a factor less 1: 0.05 if
   all are within 5%.  HUGE_VAL if a row has no interval. */
double repetition_widest(const struct repetition *r);

/* The same in percent for people: "1.4", or ">100" where a row is apart; with so many
   decimals.  NULL without an interval. */
const char *repetition_widest_words(const struct repetition *r, int decimals,
                                    char text[24]);

/* The number of run i of the variant: of its name, as in "latency-3.json", or i + 1. */
int repetition_number(const struct variant *s, size_t i);

/* The lines that the first run printed, an array to be released: those in the file of
   scripts/repeat, or those in latency-1.txt for latency-1.json; NULL: unknown. */
json_t *repetition_table(const struct repetition *r);

#endif
