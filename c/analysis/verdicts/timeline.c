/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shift_test.h"
#include "stats/stats.h"

enum { RUNS_OF_ROW = 3 }; /* least number of runs for a typical value */

/* A row of a run, relative to the typical value. */
struct deviation {
    const struct result_file *file;
    double ratio;
    int variant;
};

/* Write the deviations of the runs of a cell; values is scratch space for them. */
static size_t deviations_of(const struct table_cell *cell, double *values,
                            struct deviation *to)
{
    double median;

    if (cell->runs < RUNS_OF_ROW)
        return 0;
    for (size_t i = 0; i < cell->runs; i++)
        values[i] = cell->run[i].time;
    median = stats_median(values, cell->runs);
    for (size_t i = 0; i < cell->runs; i++)
        to[i] = (struct deviation){ .file = cell->run[i].file,
                                    .ratio = cell->run[i].time / median,
                                    .variant = cell->run[i].variant };
    return cell->runs;
}

static int by_document(const void *a, const void *b)
{
    const struct deviation *x = a, *y = b;

    if (x->variant != y->variant)
        return x->variant - y->variant;
    /* The files of a variant are in one array. */
    return (x->file > y->file) - (x->file < y->file);
}

static int by_time(const void *a, const void *b)
{
    const struct timeline_run *x = a, *y = b;

    if (x->variant != y->variant)
        return x->variant - y->variant;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Make runs out of the deviations of their rows, n of them. */
static void gather(struct timeline *t, struct deviation *each, size_t n,
                   double *values)
{
    double first = HUGE_VAL;

    qsort(each, n, sizeof *each, by_document);
    for (size_t i = 0, end; i < n; i = end) {
        const double when = result_started(each[i].file);

        for (end = i; end < n && each[end].file == each[i].file; end++)
            values[end - i] = each[end].ratio;
        if (isnan(when))
            continue;
        first = fmin(first, when);
        t->run[t->n++] =
            (struct timeline_run){ .seconds = when,
                                   .ratio = stats_of(values, end - i).median,
                                   .variant = each[i].variant };
    }
    for (size_t i = 0; i < t->n; i++)
        t->run[i].seconds -= first;
    qsort(t->run, t->n, sizeof *t->run, by_time);
}

/* The trend of run[0..n-1], which are in the order of time; values is
   scratch space. */
static struct timeline_trend trend_of(const struct timeline_run *run, size_t n,
                                      double *values)
{
    const size_t third = n / 3;
    struct rank_shift shift;

    if (n < TIMELINE_LEAST)
        return (struct timeline_trend){ .known = false };
    for (size_t i = 0; i < n; i++)
        values[i] = log(run[i].ratio);
    shift = rank_shift_of(values, third, values + n - third, third);
    return (struct timeline_trend){ .known = true,
                                    .ratio = exp(shift.shift),
                                    .p = shift.p };
}

void timeline_make(struct timeline *t, const struct row_table *table)
{
    size_t count = 1, end, found = 0;
    struct deviation *deviation;
    double *values;

    for (size_t i = 0; i < table->rows; i++)
        for (int k = 0; k < table->variants; k++)
            count += table->row[i].cell[k].runs;
    values = given_memory(malloc(count * sizeof *values));
    deviation = given_memory(malloc(count * sizeof *deviation));
    *t = (struct timeline){ .variants = table->variants };
    t->run = given_memory(malloc(count * sizeof *t->run));
    for (size_t i = 0; i < table->rows; i++)
        for (int k = 0; k < table->variants; k++)
            found += deviations_of(&table->row[i].cell[k], values,
                                   deviation + found);
    gather(t, deviation, found, values);
    for (size_t i = 0; i < t->n; i = end) {
        for (end = i; end < t->n && t->run[end].variant == t->run[i].variant;)
            end++;
        t->trend[t->run[i].variant] = trend_of(t->run + i, end - i, values);
    }
    free(values);
    free(deviation);
}

void timeline_release(struct timeline *t)
{
    free(t->run);
    *t = (struct timeline){ .n = 0 };
}

bool timeline_drifts(const struct timeline *t, int variant)
{
    const struct timeline_trend *trend = &t->trend[variant];

    return trend->known && trend->p < TIMELINE_SIGNIFICANCE &&
           (trend->ratio > TIMELINE_MATTERS ||
            trend->ratio < 1 / TIMELINE_MATTERS);
}
