/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.h - how long the blocks of v- and w-collectives are: --counts.
 *
 * A row is what is dealt out at once: the blocks of one rank, one for each rank
 * that it sends to, or the blocks of all ranks, one from each or for each.  Its
 * blocks get weights; n of them together are n messages of the table's size,
 * whatever the weights are.
 *
 *   equal         1, as in OMB
 *   one           the last alone has a weight
 *   zero:PERCENT  so many of them, chosen at random, are empty; the others 1
 *   random:SEED   uniform from 0 to twice the mean
 *   file:FILE     as the lines of FILE say, a line for each rank that sends; the
 *                 matrix as a whole is dealt out, not each line by itself
 *
 * No MPI is called: a rank can ask for the row of another.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "data/flow.h"
#include "options/settings.h"

enum counts_kind {
    COUNTS_EQUAL,
    COUNTS_ONE,
    COUNTS_ZERO,
    COUNTS_RANDOM,
    COUNTS_FILE
};

struct counts {
    enum counts_kind kind;
    double number;    /* PERCENT or SEED */
    const char *path; /* FILE */
};

extern const struct choice counts_words[];

/* The text of the option into a struct counts; NULL, or what is wrong with it. */
const char *counts_parse(void *counts, const char *text);

/* The weights of the n blocks of that row, unless they are in a file. */
void counts_weights(const struct counts *counts, int row, int n,
                    uint64_t *weight);

/* Portions of n blocks with these weights in a whole of so many blocks, whose weights
   are of in sum, and before the first one before. */
void counts_portions(const uint64_t *weight, int n, uint64_t before,
                     uint64_t of, uint64_t blocks, struct portion *portion);

/*
 * A file of weights, read row by row, so that no more than a row of it is in memory: rows
 * lines of n numbers, or, where rows is 1, n numbers in any lines.
 */
struct counts_file {
    FILE *from;
    int rows, n;
    double *value; /* of a row */
    double sum;    /* of the file */
    bool
        whole; /* its numbers are whole: others are taken in parts of their sum */
    char *line;
    size_t room;
    int number;    /* of the line */
    char why[200]; /* "", or what is wrong */
};

/* Read all of it once.  false: why says what is wrong.  The file is closed at the end, in
   any case. */
bool counts_begin(struct counts_file *f, FILE *from, int rows, int n);
void counts_end(struct counts_file *f);

/* The weights of the first row, of the next one, ... */
void counts_next(struct counts_file *f, uint64_t *weight);

#endif
