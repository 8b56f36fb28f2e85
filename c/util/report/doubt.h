/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doubt.h - figures that cannot be: marked, never silently printed.  And rows whose figure may
 *           well be right for what ran here, and says little of the machine: in the line after
 *           the table, and a list in each row of the JSON file.
 */
#ifndef DOUBT_H
#define DOUBT_H

#include <stdbool.h>
#include <stdio.h>

#include "result.h"
#include "timing/clock.h"

/* What the job can move at most, in bytes per second; 0: unknown. */
struct plausible_limits {
    double copy; /* all ranks together, within their caches */
    double link; /* all links of all nodes; 0 if data stays within a node */
    double best; /* what a bandwidth of the program is a share of */
};

/*
 * Reasons to doubt a row, bits of enum suspect (result.h):
 *   a figure that is no number, or not positive;
 *   samples shorter than the clock can tell apart;
 *   data that moved faster than the links between the nodes;
 *   or than all ranks together can copy within their caches;
 *   calls that returned before the GPU had done what they asked of it.
 */
unsigned plausible_check(const struct result *r, const struct clock_facts *c,
                         const struct plausible_limits *limits);

/* The printed bandwidth divided by limits->best; NAN: unknown, or no bandwidth. */
double plausible_share(const struct result *r,
                       const struct plausible_limits *limits);

/* The reasons in words, separated by ", ". */
const char *plausible_words(unsigned suspect, char *text, size_t room);

/* Is it so wrong that the figure must not stand in the table? */
bool plausible_is_nonsense(unsigned suspect);

/* --- Doubts --------------------------------------------------------------------------- */

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
