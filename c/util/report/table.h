/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h - columns and rows as text, in the widths of OMB 7.4.
 *
 * A column is one row of a constant table: heading, key, unit, width and
 * precision cannot disagree because they stand together.  Where a value comes
 * from is the business of the caller, which hands over arrays of cells.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stdio.h>

enum {
    TABLE_SIZE_WIDTH = 10,  /* first column, left-justified */
    TABLE_FIELD_WIDTH = 18, /* every other one */
    TABLE_COUNT_WIDTH = 12, /* "Iterations" */
};

enum cell_kind { CELL_REAL, CELL_COUNT, CELL_WORD };

struct cell {
    enum cell_kind kind;
    double real;   /* CELL_REAL; not finite: not known, in the table "-" */
    size_t count;  /* CELL_COUNT */
    char word[48]; /* CELL_WORD; "-": not known */
};
struct cell cell_real(double value);
struct cell cell_count(size_t count);
struct cell cell_word(const char *word);

struct column {
    const char *key;     /* in CSV */
    const char *heading; /* in the table */
    int width;           /* 0: TABLE_FIELD_WIDTH */
    int decimals;        /* of CELL_REAL; 0: two */
    bool hidden;         /* not in the table, but in CSV */
};

/*
 * The header row: "# Size" or what else is first, and the columns; or, where
 * first is NULL, "# " in front of the first heading, which then sets the width
 * of the first column.
 */
void table_print_heading(FILE *to, const struct column *columns, int n,
                         const char *first);

/* One row, flushed, so that a run that dies has shown what it finished. */
void table_print_row(FILE *to, const struct column *columns,
                     const struct cell *cells, int n, int with_size,
                     size_t size);

#endif
