/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_limits.h - what a cluster is expected to reach, row by row: learned from a set of
 *                 launches, written as JSON for people to edit, and held against others.
 */
#ifndef ROW_LIMITS_H
#define ROW_LIMITS_H

#include "row_table.h"

enum { LIMIT_LAUNCHES = 5 }; /* of a row, to learn from */

struct limit {
    struct row_id id;
    bool at_least; /* of rates; else at most */
    double figure;
};

struct limits {
    struct limit *row;
    size_t rows;
    struct subject conditions; /* of measuring; older files do not say them */
};

/*
 * Learn from the launches of one subject and write FILE.  With m the median of the
 * logarithms of a row's figures and s = 1.4826 times their median absolute deviation,
 * the limit is exp(m + d) for times, exp(m - d) for rates, d the greater of
 * log(1 + least) and 4 s: so a launch like those is within it, and least, 0.05 for 5 %,
 * keeps launches that happened to agree from being a trap.  False: why[] says why not:
 * fewer than LIMIT_LAUNCHES of a row, or the file.
 */
bool limits_learn(const char *path, const struct subject *s, double least,
                  char why[WHY]);

/* False: why[] says in one sentence what is wrong with the file. */
bool limits_read(struct limits *l, const char *path, char why[WHY]);
void limits_release(struct limits *l);

enum limit_is { LIMIT_PASS, LIMIT_FAIL, LIMIT_MISSING };

/* What the launches come to, by their median; *figure: it, 0 where it is missing. */
enum limit_is limit_check(const struct limit *l,
                          const struct row_table *measured, double *figure);

#endif
