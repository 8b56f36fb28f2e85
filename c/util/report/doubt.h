/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doubt.h - rows whose figure may well be right for what ran here, and says little of the
 *           machine: in the line after the table, and a list in each row of the JSON file.
 */
#ifndef DOUBT_H
#define DOUBT_H

#include <stdio.h>

#include "result.h"

enum doubt {
    DOUBT_DISTURBED, /* it is made of batches in which a rank lost its CPU, and its mean is
                        farther from the median than DOUBT_MARGIN */
    DOUBT_FEW, /* batches were disturbed, and the budget ended before there were
                  DOUBT_FEWEST iterations */
    DOUBT_SPEED, /* a core changed its speed by more than DOUBT_MARGIN */
    DOUBT_TESTS, /* its family found that MPI_Test is called too often */
    DOUBTS
};

#define DOUBT_MARGIN 0.1
enum { DOUBT_FEWEST = 20, DOUBT_NAMED = 3 };

/* Bits, 1 << enum doubt. */
unsigned doubt_of(const struct result *r);

/* "disturbed", "few iterations", "speed changed", "many tests" */
const char *doubt_word(enum doubt doubt);

/* What the rows of a table are doubted for, by reason; all bytes zero before the first. */
struct doubts {
    int rows; /* of the table */
    struct doubted {
        int rows, sizes;          /* one after the other that differ */
        size_t size[DOUBT_NAMED]; /* the first of these; 0: rows have none */
    } of[DOUBTS];
};

void doubts_add(struct doubts *d, const struct result *r);

/* What the line after the table says of it: for each reason " WORD: N of N rows, at SIZE; why;
   what to do;". */
void doubts_print(FILE *to, const struct doubts *d);

#endif
