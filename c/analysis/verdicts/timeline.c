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

/* Write the deviations of the runs seen[0..n-1] of one row and variant; values
   is scratch space for them. */
static size_t deviations_of(const struct run_row *seen, size_t n,
                            double *values, struct deviation *to)
{
    double median;

    if (n < RUNS_OF_ROW)
        return 0;
    for (size_t i = 0; i < n; i++)
        values[i] = result_row_time(seen[i].row);
    median = stats_of(values, n).median;
    for (size_t i = 0; i < n; i++)
        to[i] =
            (struct deviation){ .file = seen[i].file,
                                .ratio = result_row_time(seen[i].row) / median,
                                .variant = seen[i].variant };
    return n;
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

void timeline_make(struct timeline *t, const struct variant *variant, int n)
{
    const struct may_differ none = { .n = 0 };
    size_t count, end, found = 0;
    struct run_row *seen = run_rows_of(variant, n, &none, &count);
    double *values = given_memory(malloc((count + 1) * sizeof *values));
    struct deviation *deviation =
        given_memory(malloc((count + 1) * sizeof *deviation));

    *t = (struct timeline){ .variants = n };
    t->run = given_memory(malloc((count + 1) * sizeof *t->run));
    for (size_t i = 0; i < count; i = end) {
        end = run_rows_end_of_variant(seen, i, count);
        found += deviations_of(seen + i, end - i, values, deviation + found);
    }
    gather(t, deviation, found, values);
    for (size_t i = 0; i < t->n; i = end) {
        for (end = i; end < t->n && t->run[end].variant == t->run[i].variant;)
            end++;
        t->trend[t->run[i].variant] = trend_of(t->run + i, end - i, values);
    }
    free(seen);
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
