/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_limits.h - the limits that a cluster must keep, row by row. They are
 *                learned from a set of runs, written as JSON for people to
 *                edit, and compared with other runs.
 */
#ifndef ROW_LIMITS_H
#define ROW_LIMITS_H

#include "results/doubtful.h"
#include "row_table.h"

enum { LIMIT_RUNS = 5 }; /* least number of runs of a row to learn from */

struct limit {
    struct row_id id;
    bool at_least; /* true for rates; otherwise the limit is an upper one */
    double figure;
};

struct limits {
    struct limit *row;
    size_t rows;
    struct variant conditions; /* conditions of the runs */
};

/* Limits that are wide because the runs of a row differ. */
#define LIMIT_FAR 1.25

struct far_limits {
    size_t n, rows;         /* how many of how many rows */
    double factor;          /* median and limit of the furthest differ by it */
    struct row_id furthest; /* if n is not 0 */
    /* Rows of which more than a fifth of the runs lie beyond the limit that was
       learned from them: the runs fall into groups. */
    size_t split;
    struct row_id most_split;      /* the one with the greatest share, if any */
    size_t beyond, runs;           /* so many of so many runs of it */
    size_t unlearned;              /* rows of the results that have no limit */
    struct row_id first_unlearned; /* if there are any */
    struct doubtful doubtful;      /* rows that limits were learned from */
};

/*
 * Learn from the runs of one variant and write FILE.  With m the median of the
 * logarithms of a row's values, and s = 1.4826 times their median absolute
 * deviation, the limit is exp(m + d) for times and exp(m - d) for rates.  d is
 * the greater of log(1 + least) and 4 s.  So a run like those keeps the limit,
 * and least (0.05 for 5%) prevents a limit that is too tight because the runs
 * happened to agree.  false: why[] says why not: fewer than LIMIT_RUNS runs
 * of a row, or the file.
 *
 * *far receives the limits that differ from the median by a factor above
 * LIMIT_FAR, and by more than least alone explains.
 */
bool limits_learn(const char *path, const struct variant *s, double least,
                  struct far_limits *far, char why[WHY]);

/* Read limits.  false: why[] says in one sentence what is wrong with the
   file. */
bool limits_read(struct limits *l, const char *path, char why[WHY]);
void limits_release(struct limits *l);

enum limit_is { LIMIT_PASS, LIMIT_FAIL, LIMIT_MISSING };

/* Compare the median of the runs with the limit.  *figure becomes the median,
   or 0 if the row is missing. */
enum limit_is limit_check(const struct limit *l,
                          const struct row_table *measured, double *figure);

/* What the runs have of the row; NULL: it is missing. */
const struct table_cell *limit_cell(const struct limit *l,
                                    const struct row_table *measured);

/* The number of runs that have the row. */
size_t limit_runs(const struct limit *l, const struct row_table *measured);

#endif
