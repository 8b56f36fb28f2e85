/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict.h - is one variant faster than another, judged by the values of whole
 *             runs?
 *
 * The run is the unit.  Within a run all iterations share the placement of memory,
 * processes and connections, so thousands of them say nothing about the next
 * run.
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

/* Time of b divided by time of a: above 1, b is slower. */
struct time_ratio {
    double value;
    bool has_interval; /* false: too few runs */
    double low, high;  /* 95% interval */
};

struct verdict {
    struct time_ratio ratio;
    double p; /* p-value of no difference */
    /* P-value of a difference within the margin; verdict_settle adjusts both
       for the number of verdicts */
    double p_beyond;
    /* P-value of a difference above the margin, at the nearer end; not
       adjusted; 1 beyond the margin */
    double p_within;
    size_t runs;        /* number of runs on the side with fewer */
    double least_p;     /* the smallest p that so many runs can have */
    double superiority; /* share of pairs of runs in which b took longer */
    enum verdict_is is;
    /* Further runs of each side that would probably decide it; 0: decided; -1:
       more than VERDICT_FURTHER_MAX */
    int further;
};

enum { VERDICT_FURTHER_MAX = 100 };

/* The ratio of the times b[0..nb-1] and a[0..na-1], one for each run, above 0:
   rank_shift_of gives it for their logarithms. */
struct time_ratio time_ratio_of(const double *a, size_t na, const double *b,
                                size_t nb);

/*
 * The same with p-values.  p_beyond compares the times after the slower side
 * was reduced by the margin, the smallest relevant difference (0.03 for 3%).
 * There is no verdict yet.
 */
struct verdict verdict_of(const double *a, size_t na, const double *b,
                          size_t nb, double margin);

/*
 * Decide n comparisons together, at a significance level of 5%.  Holm's method adjusts
 * both p.  Faster and slower: the interval lies beyond the margin, and p_beyond
 * is at most 5%, so at most one set of n in 20 has a wrong verdict.
 * Same: the interval lies within the margin.  Otherwise it is undecided, and further is the greater of two estimates.  The first is
 * runs * (h / h')^2 - runs, with h the half-width of the interval in
 * logarithms and h' the half-width that would suffice if the ratio stayed as it
 * is.  The second counts beyond the margin only: runs * (z' / z)^2 -
 * runs, with z the normal deviation of p_beyond and z' that of 5% over n (if both sides do not overlap at all: as soon as p can be so small).
 *
 * A level below 5% is for interim analyses: runs that are compared several
 * times and go on until there are verdicts.  Each analysis is a further chance
 * to be wrong.  Faster and slower then need a p_beyond of at most the level,
 * and same needs a p_within of at most the level.
 */
void verdict_settle(struct verdict *v, size_t n, double margin, double level);

/* The significance level of interim analysis number look, from 1 on: 5% /
   2^look.  All of them together, however many, have 5%.  0: there is only one
   analysis, with 5%. */
double verdict_level(int look);

/* Several verdicts that were settled together. */
struct verdict_sum {
    size_t of[VERDICT_SLOWER + 1]; /* the number with each verdict */
    int further; /* runs that would probably decide half of the undecided; -1: more
                        than VERDICT_FURTHER_MAX */
    size_t callable; /* those with runs enough to be called faster or slower */
    size_t runs;     /* of the one that has most, on the side with fewer */
    int needed;      /* with fewer runs a side nothing is faster or slower */
};
struct verdict_sum verdict_sum_of(const struct verdict *v, size_t n,
                                  double level);

/* Can the smallest p of v be small enough for one of n?  If not, it cannot be
   faster or slower, whatever the difference. */
bool verdict_can_tell(const struct verdict *v, size_t n, double level);

/* The least number of runs of each side with which one of n can be called
   faster or slower. */
int verdict_least_runs(size_t n, double level);

/* "faster", ... */
const char *verdict_word(enum verdict_is verdict);

#endif
