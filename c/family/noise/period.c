/* SPDX-License-Identifier: BSD-3-Clause */
#include "period.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OVERSAMPLED = 4, STEPS_MOST = 5 * OVERSAMPLED * PERIOD_MOST / 4 + 1 };
static const double GROWS = 1.25, FILLED = 1.25, CHANCE = 0.01, NEAR = 0.1,
                    LATER = 0.6, CONTRAST = 0.4, NEARLY_ALL = 0.95;

/* A set of detours, and what it is searched with. */
struct search {
    const struct detour *all; /* of the series */
    long n;
    double shortest_s; /* period */
    double span_s;     /* of the set */
    double *at;        /* of the set, rising */
    long m;
    double *power; /* by number of the frequency */
    int sets;      /* that are searched */
};

struct candidate {
    struct period period;
    double power;
};

static bool is_same(const struct candidate *a, const struct candidate *b)
{
    return fabs(a->period.period_s - b->period.period_s) <
           NEAR * a->period.period_s;
}

/* --- Sets ------------------------------------------------------------------------ */

static int shorter(const void *a, const void *b)
{
    const struct detour *x = a, *y = b;

    return (x->lost_s > y->lost_s) - (x->lost_s < y->lost_s);
}

/* The duration of detour number m of n, the longest first. */
static double bound(const struct detour *sorted, long n, long m)
{
    return sorted[n - m].lost_s;
}

/* Those of the first n that last so long, m at most. */
static void fill(struct search *s, long n, double least_s, long most)
{
    s->m = 0;
    for (long i = 0; i < n && s->m < most; i++)
        if (s->all[i].lost_s >= least_s)
            s->at[s->m++] = s->all[i].at_s;
}

/* --- Frequencies ------------------------------------------------------------------ */

/* Frequency number k is k / (OVERSAMPLED span). */
static long first_step(void)
{
    return OVERSAMPLED * PERIOD_TIMES;
}

/* No more frequencies than a set can have a detour for in each period, or nearly. */
static long last_step(const struct search *s)
{
    const double most = fmin(FILLED * (double)s->m, s->span_s / s->shortest_s);
    const long last = (long)(OVERSAMPLED * most);

    return last < STEPS_MOST ? last : STEPS_MOST - 1;
}

static void find_power(const struct search *s, double *sine)
{
    const long from = first_step(), to = last_step(s);
    double *cosine = s->power;

    memset(cosine, 0, STEPS_MOST * sizeof *cosine);
    memset(sine, 0, STEPS_MOST * sizeof *sine);
    for (long i = 0; i < s->m; i++) {
        const double angle = 2 * M_PI * s->at[i] / (OVERSAMPLED * s->span_s);
        const double turn_c = cos(angle), turn_s = sin(angle);
        double x = cos((double)from * angle), y = sin((double)from * angle);

        for (long k = from; k <= to; k++) {
            const double next = x * turn_c - y * turn_s;

            cosine[k] += x;
            sine[k] += y;
            y = x * turn_s + y * turn_c;
            x = next;
        }
    }
    for (long k = from; k <= to; k++)
        s->power[k] =
            (cosine[k] * cosine[k] + sine[k] * sine[k]) / (double)s->m;
}

/* The top of the parabola through three neighbors, as a distance from the middle one. */
static double top(const double *middle)
{
    const double bend = middle[-1] - 2 * middle[0] + middle[1];

    return bend < 0 ? 0.5 * (middle[-1] - middle[1]) / bend : 0;
}

/* What the Rayleigh test asks for. */
static double limit(const struct search *s)
{
    return log((double)s->sets * (double)(last_step(s) - first_step() + 1) /
               CHANCE);
}

/* The period of the set by the Rayleigh test; 0: there is none. */
static double by_power(const struct search *s)
{
    const long from = first_step(), to = last_step(s);
    double most = 0, step;
    long k = from;

    for (long i = from; i <= to; i++)
        most = fmax(most, s->power[i]);
    if (to <= from || most < limit(s))
        return 0;
    while (s->power[k] < fmax(limit(s), most / 2))
        k++;
    while (k < to && s->power[k + 1] > s->power[k])
        k++;
    step = (double)k + (k > from && k < to ? top(&s->power[k]) : 0);
    return OVERSAMPLED * s->span_s / step;
}

/* Leave the first of those that follow each other at once: a burst is one.  Returns the
   power of the others at that period. */
static double leave_bursts_out(struct search *s, double period_s)
{
    double last = -period_s, cosine = 0, sine = 0;
    long kept = 0;

    for (long i = 0; i < s->m; i++) {
        const double at = s->at[i], angle = 2 * M_PI * at / period_s;

        if (at - last > NEAR * period_s) {
            s->at[kept++] = at;
            cosine += cos(angle);
            sine += sin(angle);
        }
        last = at;
    }
    s->m = kept;
    return (cosine * cosine + sine * sine) / fmax(1, (double)kept);
}

/* --- Intervals --------------------------------------------------------------------- */

/* Has the set a detour in from..to? */
static bool has(const struct search *s, double from, double to)
{
    long low = 0, high = s->m;

    while (low < high) {
        const long middle = (low + high) / 2;

        if (s->at[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->m && s->at[low] <= to;
}

/* How many have one so much later, of those before the end. */
static long count_later(const struct search *s, double later_s, double near_s,
                        double end_s)
{
    long n = 0;

    for (long i = 0; i < s->m && s->at[i] < end_s; i++)
        n += has(s, s->at[i] + later_s - near_s, s->at[i] + later_s + near_s);
    return n;
}

static bool is_regular(const struct search *s, double period_s)
{
    const double near = NEAR * period_s;
    const double end = s->span_s - 1.5 * period_s - near;
    const double all = (double)count_later(s, 0, near, end),
                 later = (double)count_later(s, period_s, near, end),
                 between = (double)(count_later(s, 0.5 * period_s, near, end) +
                                    count_later(s, 1.5 * period_s, near, end));

    return later >= LATER * all && later - 0.5 * between >= CONTRAST * all;
}

/* How far from a period apart they are, nearly all: the less, the less of other detours
   is near them. */
static double find_near(const struct search *s, double period_s)
{
    double near = NEAR * period_s;
    const double most =
        (double)count_later(s, period_s, near, s->span_s - period_s);

    while (near > s->shortest_s / PERIOD_QUANTA &&
           (double)count_later(s, period_s, near / 2, s->span_s - period_s) >=
               NEARLY_ALL * most)
        near /= 2;
    return near;
}

/* Is one of the set so many periods earlier or later?  Of few detours with a period the
   set may lack one. */
static bool has_beside(const struct search *s, double at, double apart_s,
                       double period_s, double near_s)
{
    for (int side = -2; side <= 1; side++) {
        const double there = at + (side < 0 ? side * period_s + apart_s
                                            : (side + 1) * period_s - apart_s);

        if (has(s, there - near_s, there + near_s))
            return true;
    }
    return false;
}

/* Of all detours, those a period or two from one of the set, less others that are half a
   period more. */
static double explained(const struct search *s, double period_s)
{
    const double near = find_near(s, period_s);
    double lost = 0;

    for (long i = 0; i < s->n && s->all[i].at_s <= s->span_s; i++) {
        const struct detour *d = &s->all[i];

        if (has_beside(s, d->at_s, 0, period_s, near))
            lost += d->lost_s;
        else if (has_beside(s, d->at_s, 0.5 * period_s, period_s, near))
            lost -= d->lost_s;
    }
    return lost;
}

/* --- The search --------------------------------------------------------------------- */

static int count_sets(long n)
{
    int sets = 2;

    for (double m = PERIOD_LEAST; m < (double)n && m < PERIOD_MOST; m *= GROWS)
        sets++;
    return sets;
}

/* Keep the period of these detours if it explains more than that so far, or has more
   power; scale: of the series to the span of the set. */
static void try_set(struct search *s, long n, double least_s, long most,
                    double *sine, double scale, struct candidate *best)
{
    struct candidate own;

    fill(s, n, least_s, most);
    if (s->m < PERIOD_LEAST)
        return;
    find_power(s, sine);
    own.period.period_s = by_power(s);
    if (own.period.period_s <= 0)
        return;
    const double least = limit(s);

    own.power = leave_bursts_out(s, own.period.period_s);
    if (own.power < least || !is_regular(s, own.period.period_s))
        return;
    fill(s, n, least_s, most);
    own.period.lost_s = scale * explained(s, own.period.period_s);
    if (is_same(&own, best) ? own.power > best->power
                            : own.period.lost_s > best->period.lost_s)
        *best = own;
}

static void search(struct search *s, const struct detour *sorted,
                   double total_s, double *sine, struct candidate *best)
{
    const long most = s->n < PERIOD_MOST ? s->n : PERIOD_MOST;

    s->sets = count_sets(s->n);
    s->span_s = total_s;
    for (double m = PERIOD_LEAST; m < (double)most; m *= GROWS)
        try_set(s, s->n, bound(sorted, s->n, (long)m), PERIOD_MOST, sine, 1,
                best);
    if (s->n > most)
        s->span_s = s->all[most].at_s;
    try_set(s, most, 0, most, sine, total_s / s->span_s, best);
}

bool period_find(const struct detour *detour, long n, double quantum_s,
                 double total_s, struct period *out)
{
    struct search s = { .all = detour,
                        .n = n,
                        .shortest_s = PERIOD_QUANTA * quantum_s };
    struct detour *sorted;
    double *sine;

    *out = (struct period){ 0, 0 };
    if (n < PERIOD_LEAST || quantum_s <= 0 || total_s <= 0)
        return true;
    sorted = malloc((size_t)n * sizeof *sorted);
    s.at = malloc(PERIOD_MOST * sizeof *s.at);
    s.power = malloc(STEPS_MOST * sizeof *s.power);
    sine = malloc(STEPS_MOST * sizeof *sine);
    const bool good =
        sorted != NULL && s.at != NULL && s.power != NULL && sine != NULL;

    if (good) {
        struct candidate best = { .power = 0 };

        memcpy(sorted, detour, (size_t)n * sizeof *sorted);
        qsort(sorted, (size_t)n, sizeof *sorted, shorter);
        search(&s, sorted, total_s, sine, &best);
        *out = best.period;
    }
    free(sorted);
    free(s.at);
    free(s.power);
    free(sine);
    return good;
}
