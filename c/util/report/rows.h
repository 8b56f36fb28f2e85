/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h - the rows of a run: the plan, which is complete before the first is measured and
 *          then stays, and a result for each.
 */
#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/element.h"
#include "options/settings.h"
#include "timing/clock.h"

struct result;
struct typemap_list;
struct verified;

struct row {
    enum element element;
    size_t bytes;
    int window;        /* messages in flight; 0: as in all rows */
    long parameter;    /* of bench.parameter; 0: none */
    int operation;     /* number, of a program that has several */
    int ranks;         /* that take part; 0: all */
    const char *lacks; /* why it is left out; NULL: it is measured */
};

/* Of a row that nobody asked for: nothing is said of it. */
extern const char row_unasked[];

struct rows {
    struct row *row;
    struct result
        *result; /* of each; complete on rank 0, once it is measured */
    int n, room;
    long value[PARAMETER_MAX]; /* of the parameter; one, 0, if there is none */
    int values;
    const struct typemap_list *blocks; /* of -D indx; NULL: not known */
    clock_ticks begun; /* when the first was about to be measured */
    int left_out;      /* the last so many, for want of time (--total) */
    /* Those that were asked for and are not among these, each for what it lacks. */
    struct row *absent;
    int nabsent;
};

/* Do both stand under one heading? */
static inline bool row_same_block(const struct row *a, const struct row *b)
{
    return a->element == b->element && a->operation == b->operation &&
           a->parameter == b->parameter;
}

/* Append a row; no memory ends the job. */
void rows_add(struct rows *rows, const struct row *row);

/* After the last one: their results, which know no more than their row. */
void rows_complete(struct rows *rows);
void rows_release(struct rows *rows);

/* Add what was verified of all rows. */
void rows_add_up(const struct rows *rows, struct verified *sum);

/* After the last row of the block that begins at first. */
int rows_block_end(const struct rows *rows, int first);

struct context;

/* Print which rows these n are, block by block: " operation=get; size=8,16;". */
void rows_name(FILE *to, const struct context *c, const struct row *row, int n);

/* Bytes of the largest row; 0 if there is none. */
size_t rows_largest(const struct rows *rows);

#endif
