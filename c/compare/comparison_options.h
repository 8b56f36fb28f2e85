/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_options.h - what users say about how subjects are compared, and subjects.
 */
#ifndef COMPARISON_OPTIONS_H
#define COMPARISON_OPTIONS_H

#include <argp.h>

#include "comparison.h"

enum { COMPARISON_WORDS = 1024, COMPARISON_ALLOW = 32 };

/* The input of comparison_argp, zeros at first but for the margin. */
struct comparison_words {
    double margin;
    int look;
    const char *allow[COMPARISON_ALLOW];
    size_t allowed;
    const char *word[COMPARISON_WORDS]; /* that name subjects */
    int n, least; /* of these, and how many there must be */
    const char *again[COMPARISON_WORDS]; /* and their launches made again */
    int agains;
};

/* A child parser: --margin, --allow, --again, and the words that name subjects. */
extern const struct argp comparison_argp;

/* Of the same, as comparison_make wants it. */
struct comparison_options
comparison_options_of(const struct comparison_words *words);

/* Read all subjects, *n of them, into subject, which has room for COMPARISON_SUBJECTS;
   all of them are to be released.  Words of one name make one subject, and a subject is
   of one MPI, its launches of one thing.  False: why[] says what is wrong. */
bool comparison_read_subjects(struct subject *subject, int *n,
                              const struct comparison_words *words, char *why,
                              size_t room);

/* The same of launches made again; none may be. */
bool comparison_read_again(struct subject *subject, int *n,
                           const struct comparison_words *words, char *why,
                           size_t room);

#endif
