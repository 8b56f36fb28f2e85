/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.h - how long the blocks of v- and w-collectives are, and how all ranks learn of it:
 *            --counts.
 *
 * A row is what is dealt out at once: the blocks of one rank, one for each rank that it sends to,
 * or the blocks of all ranks, one from each or for each.  Its blocks get weights; n of them
 * together are n messages of the table's size, whatever the weights are.
 *
 *   equal         1, as in OMB
 *   one           the last alone has a weight
 *   zero:PERCENT  so many of them, chosen at random, are empty; the others 1
 *   random:SEED   uniform from 0 on, scaled to the mean
 *   file:FILE     as the lines of FILE say, a line for each rank that sends; the matrix as a whole
 *                 is dealt out, not each line by itself
 *
 * Each rank makes the portions of what it sends; receivers hear of them before the first row.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "data/flow.h"
#include "family.h"
#include "options/option.h"

enum counts_kind { COUNTS_EQUAL, COUNTS_ONE, COUNTS_ZERO, COUNTS_RANDOM, COUNTS_FILE };

struct counts {
    enum counts_kind kind;
    double number;    /* PERCENT or SEED */
    const char *path; /* FILE */
};

extern const struct choice counts_words[];

/* The text of the option into a struct counts; NULL, or what is wrong with it. */
const char *counts_parse(void *counts, const char *text);

/* The weights of the n blocks of that row, unless they are in a file.  No MPI is called: a rank
   can ask for the row of another. */
void counts_weights(const struct counts *counts, int row, int n, uint64_t *weight);

/* Portions of n blocks with these weights in a whole of so many blocks, whose weights
   are of in sum, and before the first one before. */
void counts_portions(const uint64_t *weight, int n, uint64_t before, uint64_t of, uint64_t blocks,
                     struct portion *portion);

/*
 * A file of weights, read row by row, so that no more than a row of it is in memory: rows
 * lines of n numbers, or, where rows is 1, n numbers in any lines.
 */
struct counts_file {
    FILE *from;
    int rows, n;
    double *value; /* of a row */
    double sum;    /* of the file */
    bool whole;    /* its numbers are whole: others are taken in parts of their sum */
    char *line;
    size_t room;
    int number;    /* of the line */
    char why[200]; /* "", or what is wrong */
};

/* Read all of it once.  false: why says what is wrong.  In any case the end closes the file. */
bool counts_begin(struct counts_file *f, FILE *from, int rows, int n);
void counts_end(struct counts_file *f);

/* The weights of the first row, of the next one, ... */
void counts_next(struct counts_file *f, uint64_t *weight);

/* Rank 0 opens the file that an option names, of so many rows of n numbers, and begins it; on
   all ranks what to leave with, said why. */
enum exit_code counts_open(const char *option, const char *path, const struct context *c, int rows,
                           int n, struct counts_file *file);

/* --- Told to all ranks ----------------------------------------------------------- */

/* The rank with the most bytes in a row; imbalance: how many times the mean. */
struct busiest {
    double bytes, imbalance;
};

/* PMPI_Alltoall, or its form on a topology. */
typedef int counts_tell(const void *send, int sends, MPI_Datatype sent, void *recv, int receives,
                        MPI_Datatype received, MPI_Comm comm);

/* Give the blocks of run their portions; all stay equal without --counts.  Collective;
   EXIT_OK, or the code to leave with, said why, alike on all ranks. */
enum exit_code counts_deal(const struct counts *counts, const struct context *c, counts_tell *tell);

/* Bytes of the busiest rank in the row that run describes, and how many times as many
   as the mean.  Of pairs: bytes that it sends to others, or that it receives from them,
   whichever is more; of others: the largest block.  Collective. */
void counts_weigh(const struct context *c, struct busiest *busiest);

#endif
