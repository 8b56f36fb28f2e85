/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * repetition.h - several runs of one program with the same options: the comparison of one
 *                variant, of which each row says where its next run will be.
 *
 * A row has two values of each run: the one in the first column of its table, and the
 * median over iterations in the same unit, which compare, report and accept read too.
 * Spread, interval and groups are those of the second one.
 */
#ifndef REPETITION_H
#define REPETITION_H

#include "results/row_table.h"
#include "text/document.h"
#include "text/tool_options.h"
#include "verdicts/next_run.h"

struct repetition_row {
    const struct row_id *id;
    const struct table_cell *cell; /* its runs, in the order of their numbers */
    double value;                  /* median over runs of the first column */
    double spread;                 /* of figures: standard deviation / mean */
    struct next_run next;          /* what figure the next run will show */
    struct run_groups groups;
};

/* How the runs were made; the caller knows. */
struct repetition_made {
    const char *stop;    /* why there are no more runs; NULL: unknown */
    double precision;    /* the interval that was asked for; 0: none */
    struct texts failed; /* "3: why" for each run that failed */
};

struct repetition {
    struct row_table table;
    struct repetition_made made;
    struct repetition_row *row;
    size_t rows, all; /* all: with those that count in no run */
};

/* Of the runs of a variant, which belong together (comparable_runs) and are then sorted by
   their numbers; it must live longer.  A figure of 0 or less has no logarithm: the row has
   neither interval nor groups then. */
void repetition_make(struct repetition *r, struct variant *variant,
                     const struct may_differ *may);
void repetition_release(struct repetition *r);

/* The greatest distance of an interval's end from its median, in percent for people: "1.4",
   or ">100" where a row is apart; with so many decimals.  NULL if a row has no interval. */
const char *repetition_widest(const struct repetition *r, int decimals,
                              char text[24]);

/*
 * Add a table that readers of OSU tables can read: the size, the median over runs of the first
 * column, and five columns of ours.  Notes that begin with "Repeat:", "Apart:", "Disturbed:"
 * and "Groups:" come before it, since nothing may follow the rows.
 */
void repetition_add(struct document *d, const struct repetition *r);

/* Everything of a struct repetition, the runs included, as doc/repeat.schema.json has it.
   False: it could not be written. */
bool repetition_json(FILE *to, const void *repetition);

#endif
