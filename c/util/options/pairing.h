/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairing.h - which ranks are the two of a pair: --pairs.
 *
 * Pairs are numbered from 0.  The first rank of a pair is the one that sends first.
 * Plain C, so that every pairing can be tested without MPI.
 */
#ifndef PAIRING_H
#define PAIRING_H

#include <stdbool.h>
#include <stddef.h>

#include "option.h"

enum pairing_kind {
    PAIRING_AUTO,   /* rank i with i + pairs, as in OMB */
    PAIRING_CYCLIC, /* ranks 0 and 1, 2 and 3, ... */
    PAIRING_LIST
};

struct pairing {
    enum pairing_kind kind;
    const char *text; /* as it was given; NULL: it was not */
    int n, last;      /* of LIST: its pairs, and the largest rank in it */
};

/* The other rank of a rank's pair; number -1: it has none. */
struct partner {
    int number;
    bool first; /* this rank, not the other, is the first of the pair */
};

extern const struct choice pairing_words[]; /* what each means */

/* NULL, or what is wrong with the text, which must stay. */
const char *pairing_parse(void *p, const char *text);

/* The partner of a rank where there are so many pairs. */
struct partner pairing_partner(const struct pairing *p, int pairs, int rank);

#endif
