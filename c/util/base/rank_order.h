/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_order.h - another order of the ranks of a job: --order-ranks.
 *
 *   random:SEED  shuffled; the same seed and number of ranks give the same order
 *   PxQ          ranks as a matrix of P rows and Q columns, filled column by column and
 *                numbered anew row by row (as -map of the Intel MPI Benchmarks): where
 *                a node has P ranks in a row, each next rank is on the next of Q nodes
 */
#ifndef RANK_ORDER_H
#define RANK_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* As launched: text NULL.  Random: seed above 0.  Else a matrix. */
struct rank_order {
    const char *text; /* as it was given, which must stay */
    uint64_t seed;
    int rows, columns;
};

/* NULL, or what is wrong with the text. */
const char *rank_order_parse(const char *text, struct rank_order *order);

/* The new number of a rank; -1: there is no memory for all numbers, or the matrix does
   not have so many ranks. */
int rank_order_place(const struct rank_order *order, int ranks, int rank);

#endif
