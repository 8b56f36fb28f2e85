/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - algorithms of a collective operation against the default of the library:
 *            comparisons of scripts/compare, and what is chosen from them.
 *
 * A place is an operation with a number of ranks.  Its folder has comparison.json, the
 * default against each algorithm, and for the new runs confirm.rules, what was set for them,
 * and confirm/comparison.json, the default against that.
 */
#ifndef TUNING_H
#define TUNING_H

#include "text/text.h"
#include "verdicts/verdict.h"

enum { TUNE_NAME = 64, TUNE_PLACES = 64 };

enum tune_library { TUNE_OPENMPI, TUNE_MPICH };

/* A size: the default against an algorithm or a choice.  Where several rows have this size,
   of several datatypes, the one that speaks most against it. */
struct tune_row {
    double bytes; /* -1: a row without a size */
    double us[2]; /* medians over runs: the default, the other */
    double ratio; /* of the other to the default */
    bool has_interval;
    double low, high; /* 95% interval of the ratio */
    enum verdict_is is;
};

struct tune_trial {
    char name[TUNE_NAME]; /* of the algorithm */
    struct tune_row *row; /* sizes ascending, each once */
    size_t rows;
};

enum tune_why {
    TUNE_NOT_FASTER,    /* no algorithm was decided to be faster */
    TUNE_NOT_CONFIRMED, /* one was, but not in new runs */
    TUNE_SLOWER, /* one was, but new runs were slower, here or elsewhere */
    TUNE_CONFIRMED,
};

/* What is chosen for a size of a place. */
struct tune_choice {
    double bytes;
    int first;           /* number of the trial that won; -1: none */
    int trial;           /* what is left of it; -1: the default */
    enum tune_why why;   /* once it was confirmed or dropped */
    bool is_new;         /* new runs have this size: */
    struct tune_row row; /* what they say */
};

struct tune_place {
    char operation[TUNE_NAME], folder[2048];
    int ranks;
    double margin;            /* of the comparisons: 0.03 is 3% */
    struct tune_trial *trial; /* algorithms, in the order of the file */
    size_t trials;
    struct tune_choice *choice; /* sizes that any trial has, ascending */
    size_t sizes;
};

/* Read folder/comparison.json of the place whose operation, ranks and folder are set.  To be
   released.  False: why[] says what is wrong, and nothing is to be released. */
bool tune_place_read(struct tune_place *p, char why[WHY]);
void tune_place_release(struct tune_place *p);

/* Read the new runs: the one trial in them, to be freed by tune_trial_release; one without
   rows if what was set for them failed.  False: why[] says what is wrong. */
bool tune_confirm_read(struct tune_trial *t, const struct tune_place *p,
                       char why[WHY]);
void tune_trial_release(struct tune_trial *t);

/* The row of this size; NULL: it has none. */
const struct tune_row *tune_row_of(const struct tune_trial *t, double bytes);

/* Put a row among those of a trial, of which there are so many with room for one more. */
void tune_row_add(struct tune_trial *t, const struct tune_row *row);

/* Make the list of sizes of a place, without a choice, from its trials.  tune_place_read has
   done so. */
void tune_place_sizes(struct tune_place *p);

#endif
