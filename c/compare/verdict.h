/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict.h - is one subject faster than another, by the figures of whole launches?
 *
 * The launch is the unit: within one, laps share the placement of memory, processes and
 * connections, so that thousands of them say nothing about the next launch.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

enum verdict_is {
    VERDICT_UNDECIDED,
    VERDICT_SAME,
    VERDICT_FASTER,
    VERDICT_SLOWER
};

struct verdict {
    double ratio;      /* of times, of b to a: above 1, b is slower */
    bool has_interval; /* false: too few launches */
    double low, high;  /* of the ratio, 95 % */
    double p;          /* that both are alike, */
    double p_beyond;   /* and that they differ by no more than the margin: both
                           adjusted for the number of rows by verdict_settle */
    double p_within; /* that they differ by more: of the end that is nearer; of
                           the row by itself; 1 beyond the margin */
    size_t launches; /* of the poorer side */
    double superiority; /* share of pairs of launches in which b took longer */
    enum verdict_is is;
    int further; /* launches a side that would probably decide it; 0: decided,
                    -1: more than VERDICT_FURTHER_MAX */
};

enum { VERDICT_FURTHER_MAX = 100 };

/*
 * Of times a[0..na-1] and b[0..nb-1], one for each launch, above 0.  Ratio, interval
 * and p by rank_shift_of their logarithms; p_beyond of those where the slower side is
 * spared the margin: a difference that nobody cares about, 0.03 for 3 %.  No verdict
 * yet.
 */
struct verdict verdict_of(const double *a, size_t na, const double *b,
                          size_t nb, double margin);

/*
 * Verdicts on n rows together, at a level of 5 %.  Both p are adjusted by Holm's method.  Faster and
 * slower: the interval lies beyond the margin, and p_beyond is at most 5 %, so that
 * among all rows one wrong word is to be expected in 20 comparisons at most.  Same:
 * the interval lies within the margin.  Else undecided; then further is
 * launches * (h / h')^2 - launches, h the half-width of the interval in logarithms, h'
 * that which would do if the ratio stayed as it is; beyond the margin at least
 * launches * (z' / z)^2 - launches too, z the normal deviation of p_beyond, z' that of
 * 5 % over the rows (where both sides are apart entirely, as soon as p can be so small).
 *
 * A level below 5 % is for launches that are looked at several times and go on until the
 * verdicts are there: so many looks are so many chances to be wrong.  Faster and slower
 * then take a p_beyond of at most the level, same a p_within of at most the level too.
 */
void verdict_settle(struct verdict *v, size_t n, double margin, double level);

/* The level of the look-th look, from 1 on, 5 % / 2^look: all of them, however many,
   together have 5 %.  0: there is one look, 5 %. */
double verdict_level(int look);

/* Is the smallest p that na launches of one and nb of the other can have small enough for
   one of so many rows?  Else it cannot be called faster or slower, however far apart. */
bool verdict_can_tell(size_t na, size_t nb, size_t rows, double level);

/* Launches a side with which one of so many rows can be called faster or slower at all. */
int verdict_least_launches(size_t rows, double level);

/* "faster", ... */
const char *verdict_word(enum verdict_is verdict);

#endif
