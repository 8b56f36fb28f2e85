/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * survey.h - what launches of any number of subjects have measured, row by row.
 */
#ifndef SURVEY_H
#define SURVEY_H

#include "comparison.h"

enum { SURVEY_TAILS = 3 };

/* What the launches of one subject say of a row. */
struct survey_cell {
    size_t launches;  /* 0: none has it */
    double figure;    /* median over launches, of the median over laps */
    double low, high; /* of the launches, the least and the greatest */
    double
        tail[SURVEY_TAILS]; /* P90, P99, P99.9 of laps to their median, medians
                                  over launches; 0: unknown */
    size_t drifting; /* launches in which laps became slower or quicker */
};

struct survey_row {
    char benchmark[COMPARISON_NAME], place[COMPARISON_PLACE];
    char key[COMPARISON_KEY];
    double bytes; /* -1: none */
    char unit[8];
    struct survey_cell cell[COMPARISON_SUBJECTS];
};

struct survey {
    const struct subject *subject;
    int subjects;
    struct allowance may;   /* differ */
    struct survey_row *row; /* by benchmark, place, size */
    size_t rows;
};

/* Of n subjects; false: memory is short. */
bool survey_make(struct survey *s, const struct subject *subject, int n,
                 const struct allowance *may);
void survey_release(struct survey *s);

/* The first row of another benchmark or place behind row i; rows: there is none. */
size_t survey_next(const struct survey *s, size_t i);

/* The first row of another benchmark behind row i, whatever the place. */
size_t survey_next_benchmark(const struct survey *s, size_t i);

#endif
