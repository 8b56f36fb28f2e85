/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/gnuplot.h"
#include "drawing.h"
#include "sighting.h"
#include "stats/shift_test.h"
#include "stats/stats.h"

enum { LAUNCHES_OF_ROW = 3 }; /* for a median that says what is usual */

/* A row of a launch against what is usual. */
struct deviation {
    const struct document *document;
    double ratio;
    int subject;
};

/* Seconds since 1970; NAN: it is not said. */
static double started_of(const struct document *d)
{
    const char *text = json_string_value(json_object_get(d->root, "started"));
    struct tm when = { 0 };
    const char *end =
        text != NULL ? strptime(text, "%Y-%m-%dT%H:%M:%S", &when) : NULL;

    return end != NULL ? (double)timegm(&when) : NAN;
}

/* Of the launches seen[0..n-1] of one row and subject; values has room for them. */
static size_t deviations_of(const struct sighting *seen, size_t n,
                            double *values, struct deviation *to)
{
    double median;

    if (n < LAUNCHES_OF_ROW)
        return 0;
    for (size_t i = 0; i < n; i++)
        values[i] = document_row_time(seen[i].row);
    median = stats_of(values, n).median;
    for (size_t i = 0; i < n; i++)
        to[i] = (struct deviation){ .document = seen[i].document,
                                    .ratio =
                                        document_row_time(seen[i].row) / median,
                                    .subject = seen[i].subject };
    return n;
}

static int by_document(const void *a, const void *b)
{
    const struct deviation *x = a, *y = b;

    if (x->subject != y->subject)
        return x->subject - y->subject;
    /* Documents of a subject stand in one array. */
    return (x->document > y->document) - (x->document < y->document);
}

static int by_time(const void *a, const void *b)
{
    const struct timeline_launch *x = a, *y = b;

    if (x->subject != y->subject)
        return x->subject - y->subject;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Launches out of their rows, n of them. */
static void gather(struct timeline *t, struct deviation *each, size_t n,
                   double *values)
{
    double first = HUGE_VAL;

    qsort(each, n, sizeof *each, by_document);
    for (size_t i = 0, end; i < n; i = end) {
        const double when = started_of(each[i].document);

        for (end = i; end < n && each[end].document == each[i].document; end++)
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

/* Of launch[0..n-1], in the order of time; values has room for them. */
static struct timeline_trend trend_of(const struct timeline_launch *launch,
                                      size_t n, double *values)
{
    const size_t third = n / 3;
    struct rank_shift shift;

    if (n < TIMELINE_LEAST)
        return (struct timeline_trend){ .known = false };
    for (size_t i = 0; i < n; i++)
        values[i] = log(launch[i].ratio);
    if (!rank_shift_of(values, third, values + n - third, third, &shift))
        return (struct timeline_trend){ .known = false };
    return (struct timeline_trend){ .known = true,
                                    .ratio = exp(shift.shift),
                                    .p = shift.p };
}

bool timeline_make(struct timeline *t, const struct subject *subject, int n)
{
    struct deviation *deviation;
    struct sighting *seen;
    size_t count, end, found = 0;
    double *values;
    bool good;

    *t = (struct timeline){ .subjects = n };
    seen = sightings_of_all(subject, n, &(struct allowance){ NULL, 0 }, &count);
    values = malloc((count + 1) * sizeof *values);
    deviation = malloc((count + 1) * sizeof *deviation);
    t->launch = malloc((count + 1) * sizeof *t->launch);
    good = seen != NULL && values != NULL && deviation != NULL &&
           t->launch != NULL;
    for (size_t i = 0; i < count && good; i = end) {
        const size_t row = sightings_end(seen, i, count);

        for (end = i + 1; end < row && seen[end].subject == seen[i].subject;)
            end++;
        found += deviations_of(seen + i, end - i, values, deviation + found);
    }
    if (good)
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
    return good;
}

void timeline_release(struct timeline *t)
{
    free(t->launch);
    t->launch = NULL;
    t->n = 0;
}

bool timeline_drifts(const struct timeline *t, int subject)
{
    const struct timeline_trend *trend = &t->trend[subject];

    return trend->known && trend->p < TIMELINE_SIGNIFICANCE &&
           (trend->ratio > TIMELINE_MATTERS ||
            trend->ratio < 1 / TIMELINE_MATTERS);
}

struct timed {
    const struct timeline *timeline;
    const struct subject *subject;
};

/* The unit in which the time is short to read. */
static const char *unit_of(double seconds, double *unit)
{
    static const struct {
        double from, seconds;
        const char *name;
    } units[] = { { 3 * 86400, 86400, "days" },
                  { 3 * 3600, 3600, "hours" },
                  { 180, 60, "minutes" },
                  { 0, 1, "s" } };
    size_t i = 0;

    while (seconds < units[i].from)
        i++;
    *unit = units[i].seconds;
    return units[i].name;
}

static bool has_launch(const struct timeline *t, int subject)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->launch[i].subject == subject)
            return true;
    return false;
}

static bool write_script(FILE *script, const void *what)
{
    const struct timed *timed = what;
    const struct timeline *t = timed->timeline;
    double last = 0, least = HUGE_VAL, most = 0, unit;
    const char *name;

    for (size_t i = 0; i < t->n; i++) {
        last = fmax(last, t->launch[i].seconds);
        least = fmin(least, t->launch[i].ratio);
        most = fmax(most, t->launch[i].ratio);
    }
    if (t->n < LAUNCHES_OF_ROW || !(last > 0))
        return false;
    for (int k = 0; k < t->subjects; k++) {
        fprintf(script, "$t%d << EOD\n", k);
        for (size_t i = 0; i < t->n; i++)
            if (t->launch[i].subject == k)
                fprintf(script, "%.0f %.6f\n", t->launch[i].seconds,
                        t->launch[i].ratio);
        fputs("EOD\n", script);
    }
    drawing_style(script);
    name = unit_of(last, &unit);
    fprintf(script,
            "%sset xlabel 'Time since the first launch (%s)'\n"
            "set ylabel 'times the usual'\nset xrange [0:*]\nset key outside\n"
            "plot 1 lc rgb '#888888' notitle",
            most > 4 * least ? "set logscale y 2\n" : "", name);
    for (int k = 0; k < t->subjects; k++) {
        if (!has_launch(t, k))
            continue;
        fprintf(script, ", $t%d using ($1/%g):2 with points lc %d pt %d title ",
                k, unit, k + 1, k + 4);
        gnuplot_quote(script, timed->subject[k].name);
    }
    fputc('\n', script);
    return true;
}

bool timeline_svg(FILE *to, const struct timeline *t,
                  const struct subject *subject, char *why, size_t room)
{
    const struct timed timed = { t, subject };

    return drawing_svg(to, "t", write_script, &timed, why, room);
}
