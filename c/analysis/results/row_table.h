/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_table.h - the rows of all runs of all variants, row by row: what every verb reads.
 */
#ifndef ROW_TABLE_H
#define ROW_TABLE_H

#include "comparable.h"

enum { ROW_KEY = 160 };

/* The identity of a row: runs with the same benchmark, place and key have the
   same row. */
struct row_id {
    char benchmark[VARIANT_NAME], place[PLACE], key[ROW_KEY];
    double bytes; /* -1: none */
    char unit[8]; /* unit of its value */
};

/* Which of two struct row_id comes first, as for qsort: by benchmark, place, bytes, key. */
int row_id_order(const void *a, const void *b);

/* Do the rows have the same benchmark and place?  Such rows make one table. */
bool row_id_same_table(const struct row_id *a, const struct row_id *b);

/* What tells a row from others of its size: the key without the size. */
const char *row_id_level(const struct row_id *id);

/* A row of one run; its pointers lead into the variant. */
struct run_row {
    const struct result_file *file;
    const json_t *row;
    double figure, time; /* result_row_figure, result_row_time */
    struct row_id id;
    const char *fault; /* result_row_fault; NULL: it counts */
    int variant;       /* its number, in the order given */
    size_t order;      /* in which the rows were found */
};

/* What the runs of a variant have of a row. */
struct table_cell {
    const struct run_row *run; /* those that count, in the order of the files */
    size_t runs;               /* their number; 0: none counts */
    const char *fault;         /* then why, as "missing" or "suspect" */
    double figure;    /* median over runs of the median over iterations */
    double low, high; /* least and greatest value of the runs */
    /* Why the row says little of the machine, as at least half of the runs do in the words of
       their files; NULL: it is not doubtful. */
    const char *doubtful;
};

struct table_row {
    struct row_id id;
    struct table_cell *cell; /* one of each variant */
};

struct row_table {
    const struct variant *variant;
    int variants;
    struct table_row *row; /* sorted by row_id_order */
    size_t rows;           /* those that count in some run */
    size_t all;            /* and after them those that count in none */
    /* Memory of the above. */
    struct run_row *run;
    struct table_cell *cell;
};

extern const char ROW_MISSING[]; /* the fault of a variant without such a row */

/* Make the table of n variants, which must live longer. */
void row_table_make(struct row_table *t, const struct variant *variant, int n,
                    const struct may_differ *may);
void row_table_release(struct row_table *t);

/* The row with that id and unit; NULL: none that counts. */
const struct table_row *row_table_find(const struct row_table *t,
                                       const struct row_id *id);

/* The first row of another benchmark or place after row i; rows: there is none. */
size_t row_table_next(const struct row_table *t, size_t i);

/* The first row of another benchmark after row i, whatever the place. */
size_t row_table_next_benchmark(const struct row_table *t, size_t i);

enum { DOUBTFUL_NAMED = 3, DOUBTFUL_WHY = 80 };

/* Doubtful rows among those of a table or a class, marked so by the benchmark ("doubtful" in
   doc/json.md): a verdict that rests on them says so.  All bytes zero before the first. */
struct doubtful {
    size_t rows, n;
    struct row_id first[DOUBTFUL_NAMED];
    char why[DOUBTFUL_WHY]; /* each reason once: "disturbed, few iterations" */
};

/* Count a row; why: of its cell. */
void doubtful_add(struct doubtful *d, const struct row_id *id, const char *why);

/* Those of a variant. */
struct doubtful doubtful_rows(const struct row_table *t, int variant);

/* The sentence on the variant of this name: "4 of 17 rows of new say little of the machine
   (disturbed): latency 8 MPI_CHAR, ..., and 1 more"; "" if no row is doubtful. */
const char *doubtful_words(const struct doubtful *d, const char *of,
                           char text[WHY]);

#endif
