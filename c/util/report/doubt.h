/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doubt.h - rows whose figure may well be right for what ran here, and says little of the
 *           machine: one line after the table, and a list in each row of the JSON file.
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
    DOUBTS
};

#define DOUBT_MARGIN 0.1
enum { DOUBT_FEWEST = 20, DOUBT_NAMED = 3 };

/* Bits, 1 << enum doubt. */
unsigned doubt_of(const struct result *r);

/* "disturbed", "few iterations", "speed changed" */
const char *doubt_word(enum doubt doubt);

/* What the rows of a table are doubted for; all bytes zero before the first. */
struct doubts {
    int rows, doubtful;
    int of[DOUBTS]; /* rows, by reason */
    size_t
        size[DOUBT_NAMED]; /* of the first doubtful rows; 0: they have none */
};

void doubts_add(struct doubts *d, const struct result *r);

/* The line after the table, if there is something to doubt. */
void doubts_print(FILE *to, const struct doubts *d);

#endif
