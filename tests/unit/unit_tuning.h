/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit_tuning.h - the common part of the tests of tune: places that are made up.
 */
#ifndef UNIT_TUNING_H
#define UNIT_TUNING_H

#include "tuning/choice.h"

enum { UNIT_SIZES = 20 };
static const double unit_margin = 0.03;

/* To be released. */
static inline struct tune_trial trial_of(const char *name)
{
    struct tune_trial t = { .rows = 0 };

    snprintf(t.name, sizeof t.name, "%s", name);
    t.row = calloc(UNIT_SIZES + 1, sizeof *t.row);
    assert_non_null(t.row);
    return t;
}

/* Of an operation with so many ranks; the trials are its own then. */
static inline struct tune_place place_of(const char *operation, int ranks,
                                         const struct tune_trial *trial,
                                         size_t n)
{
    struct tune_place p = { .ranks = ranks,
                            .margin = unit_margin,
                            .trials = n };

    snprintf(p.operation, sizeof p.operation, "%s", operation);
    p.trial = calloc(n + 1, sizeof *p.trial);
    assert_non_null(p.trial);
    memcpy(p.trial, trial, n * sizeof *trial);
    tune_place_sizes(&p);
    return p;
}

/* The choice as digits, - for the default. */
static inline void choice_is(const struct tune_place *p, const char *expected)
{
    char got[UNIT_SIZES + 1] = "";

    for (size_t k = 0; k < p->sizes; k++)
        got[k] =
            p->choice[k].trial < 0 ? '-' : p->trial[p->choice[k].trial].name[0];
    assert_string_equal(got, expected);
}

#endif
