/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits.h - the limits that a cluster must keep, row by row.  They are learned from a set
 *            of runs, written as JSON for people to edit, and held against other runs on
 *            each set of hosts.
 */
#ifndef LIMITS_H
#define LIMITS_H

#include "results/row_table.h"
#include "text/document.h"

enum { LIMIT_RUNS = 5 }; /* least number of runs of a row to learn from */

struct limit {
    struct row_id id;
    bool at_least; /* true for rates; otherwise the limit is an upper one */
    double figure;
};

struct limits {
    const char *file;
    struct limit *row;
    size_t rows;
    struct variant conditions; /* conditions of the runs */
};

/*
 * Learn from the runs of one variant and write the file.  A limit is the outlier limit of
 * the row's values (stats_outlier_limit): their median plus the greater of least, as a share
 * of it, and four deviations; of a rate the same of its inverse.  So a run like those keeps
 * the limit, and least (0.05 for 5%) prevents a limit that is too tight because the runs
 * happened to agree.  What is to be said of it is added to the document.  false: why[] says
 * why not: fewer than LIMIT_RUNS runs of a row, or the file.
 */
bool limits_learn(struct document *d, const char *path, const struct variant *s,
                  double least, char why[WHY]);

/* Read limits; path must live as long.  false: why[] says in one sentence what is wrong with
   the file. */
bool limits_read(struct limits *l, const char *path, char why[WHY]);
void limits_release(struct limits *l);

/*
 * Add a table: each row of the limits with what was measured on the worst set of hosts, and
 * whether that passes.  A row is missing on a set if another one of as many hosts has it.
 * Notes after the table name hosts that lack runs, and rows that were measured without
 * having a limit.  Returns how many rows fail or are missing, plus how many sets lack runs.
 */
size_t limits_check(struct document *d, const struct limits *l,
                    const struct variant *of);

#endif
