/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shift_test.h"
#include "stats/stats.h"

enum { LAUNCHES_OF_ROW = 3 }; /* least number of runs for a typical value */

/* A row of a run, relative to the typical value. */
struct deviation {
    const struct result_file *file;
    double ratio;
    int subject;
};

/* Write the deviations of the runs seen[0..n-1] of one row and subject; values
   is scratch space for them. */
static size_t deviations_of(const struct launch_row *seen, size_t n,
                            double *values, struct deviation *to)
{
    double median;

    if (n < LAUNCHES_OF_ROW)
        return 0;
    for (size_t i = 0; i < n; i++)
        values[i] = result_row_time(seen[i].row);
    median = stats_of(values, n).median;
    for (size_t i = 0; i < n; i++)
        to[i] =
            (struct deviation){ .file = seen[i].file,
                                .ratio = result_row_time(seen[i].row) / median,
                                .subject = seen[i].subject };
    return n;
}

static int by_document(const void *a, const void *b)
{
    const struct deviation *x = a, *y = b;

    if (x->subject != y->subject)
        return x->subject - y->subject;
    /* The files of a subject are in one array. */
    return (x->file > y->file) - (x->file < y->file);
}

static int by_time(const void *a, const void *b)
{
    const struct timeline_launch *x = a, *y = b;

    if (x->subject != y->subject)
        return x->subject - y->subject;
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
        t->launch[t->n++] =
            (struct timeline_launch){ .seconds = when,
                                      .ratio = stats_of(values, end - i).median,
                                      .subject = each[i].subject };
    }
    for (size_t i = 0; i < t->n; i++)
        t->launch[i].seconds -= first;
    qsort(t->launch, t->n, sizeof *t->launch, by_time);
}

/* The trend of launch[0..n-1], which are in the order of time; values is
   scratch space. */
static struct timeline_trend trend_of(const struct timeline_launch *launch,
                                      size_t n, double *values)
{
    const size_t third = n / 3;
    struct rank_shift shift;

    if (n < TIMELINE_LEAST)
        return (struct timeline_trend){ .known = false };
    for (size_t i = 0; i < n; i++)
        values[i] = log(launch[i].ratio);
    shift = rank_shift_of(values, third, values + n - third, third);
    return (struct timeline_trend){ .known = true,
                                    .ratio = exp(shift.shift),
                                    .p = shift.p };
}

void timeline_make(struct timeline *t, const struct subject *subject, int n)
{
    const struct may_differ none = { .n = 0 };
    size_t count, end, found = 0;
    struct launch_row *seen = launch_rows_of(subject, n, &none, &count);
    double *values = given_memory(malloc((count + 1) * sizeof *values));
    struct deviation *deviation =
        given_memory(malloc((count + 1) * sizeof *deviation));

    *t = (struct timeline){ .subjects = n };
    t->launch = given_memory(malloc((count + 1) * sizeof *t->launch));
    for (size_t i = 0; i < count; i = end) {
        end = launch_rows_end_of_subject(seen, i, count);
        found += deviations_of(seen + i, end - i, values, deviation + found);
    }
    gather(t, deviation, found, values);
    for (size_t i = 0; i < t->n; i = end) {
        for (end = i;
             end < t->n && t->launch[end].subject == t->launch[i].subject;)
            end++;
        t->trend[t->launch[i].subject] =
            trend_of(t->launch + i, end - i, values);
    }
    free(seen);
    free(values);
    free(deviation);
}

void timeline_release(struct timeline *t)
{
    free(t->launch);
    *t = (struct timeline){ .n = 0 };
}

bool timeline_drifts(const struct timeline *t, int subject)
{
    const struct timeline_trend *trend = &t->trend[subject];

    return trend->known && trend->p < TIMELINE_SIGNIFICANCE &&
           (trend->ratio > TIMELINE_MATTERS ||
            trend->ratio < 1 / TIMELINE_MATTERS);
}
