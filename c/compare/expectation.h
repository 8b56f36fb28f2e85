/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * expectation.h - what a cluster is expected to reach, row by row: learned from a set of
 *                 launches, written as JSON for people to edit, and held against others.
 */
#ifndef EXPECTATION_H
#define EXPECTATION_H

#include "survey.h"

enum { EXPECTATION_LAUNCHES = 5 }; /* of a row, to learn from */

struct expectation {
    char benchmark[COMPARISON_NAME], place[COMPARISON_PLACE];
    char key[COMPARISON_KEY], unit[8];
    bool at_least; /* of rates; else at most */
    double limit;
};

struct expectations {
    char *path;
    struct expectation *row;
    size_t rows;
    struct subject as; /* how they were measured; older files do not say it */
};

/*
 * Learn from the launches of one subject and write FILE.  With m the median of the
 * logarithms of a row's figures and s = 1.4826 times their median absolute deviation,
 * the limit is exp(m + d) for times, exp(m - d) for rates, d the greater of
 * log(1 + least) and 4 s: so a launch like those is within it, and least, 0.05 for 5 %,
 * keeps launches that happened to agree from being a trap.  False: why[] says why not:
 * fewer than EXPECTATION_LAUNCHES of a row, or the file.
 */
bool expectations_learn(const char *path, const struct subject *s, double least,
                        char *why, size_t room);

/* False: why[] says in one sentence what is wrong with the file. */
bool expectations_read(struct expectations *e, const char *path, char *why,
                       size_t room);
void expectations_release(struct expectations *e);

/* The same of text; name stands for it in sentences. */
bool expectations_of(struct expectations *e, const char *name, const char *text,
                     size_t n, char *why, size_t room);

enum expected { EXPECTED_PASS, EXPECTED_FAIL, EXPECTED_MISSING };

/* What the launches come to, by their median; *figure: it, 0 where it is missing. */
enum expected expectation_check(const struct expectation *e,
                                const struct survey *measured, double *figure);

#endif
