/* SPDX-License-Identifier: BSD-3-Clause */
#include "period.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pulse.h"

enum {
    SEARCHES = 2 * PERIODS_MOST,
    OVERSAMPLED = 4,
    STEPS_MOST = 2 * OVERSAMPLED * PERIOD_MOST + 1
};
static const double GROWS = 1.25, FILLED = 2, CHANCE = 0.01, CAP = 4,
                    SCREEN = 0.5, SAME = 0.1;

/* Detours, and what a set of them is searched with. */
struct search {
    struct detour *all; /* of the series, rising in time */
    long n;
    double shortest_s;  /* period */
    struct instants of; /* of the set */
    double *power;      /* by number of the frequency */
    int sets;           /* that are searched */
};

/* A set: of all detours, or of so many at once, those that last so long. */
struct set {
    long at_once;
    double least_s, cap_s; /* no more of a detour counts as explained */
};

struct candidate {
    struct period period;
    struct set of;
    struct pulse pulse;
};

static bool is_same(const struct period *a, const struct period *b)
{
    return fabs(a->period_s - b->period_s) < SAME * a->period_s;
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

/* Fill it with those that last so long. */
static void fill(struct search *s, const struct set *of)
{
    s->of.n = 0;
    for (long i = 0; i < s->n && i < of->at_once && s->of.n < PERIOD_MOST; i++)
        if (s->all[i].lost_s >= of->least_s)
            s->of.at_s[s->of.n++] = s->all[i].at_s;
}

/* --- Frequencies ------------------------------------------------------------------ */

/* Frequency number k is k / (OVERSAMPLED span). */
static long first_step(void)
{
    return OVERSAMPLED * PERIOD_TIMES;
}

/* No more frequencies than a set can have a detour for in every other period. */
static long last_step(const struct search *s)
{
    const double most =
        fmin(FILLED * (double)s->of.n, s->of.span_s / s->shortest_s);
    const long last = (long)(OVERSAMPLED * most);

    return last < STEPS_MOST ? last : STEPS_MOST - 1;
}

static void find_power(const struct search *s, double *sine)
{
    const long from = first_step(), to = last_step(s);
    double *cosine = s->power;

    memset(cosine, 0, STEPS_MOST * sizeof *cosine);
    memset(sine, 0, STEPS_MOST * sizeof *sine);
    for (long i = 0; i < s->of.n; i++) {
        const double angle =
            2 * M_PI * s->of.at_s[i] / (OVERSAMPLED * s->of.span_s);
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
            (cosine[k] * cosine[k] + sine[k] * sine[k]) / (double)s->of.n;
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

/* The period of the set that has most power, as a candidate; 0: there is none. */
static double by_power(const struct search *s)
{
    const long from = first_step(), to = last_step(s);
    const double least = SCREEN * limit(s);
    double most = 0, step;
    long k = from;

    for (long i = from; i <= to; i++)
        most = fmax(most, s->power[i]);
    if (to <= from || most < least)
        return 0;
    while (s->power[k] < fmax(least, most / 2))
        k++;
    while (k < to && s->power[k + 1] > s->power[k])
        k++;
    step = (double)k + (k > from && k < to ? top(&s->power[k]) : 0);
    return OVERSAMPLED * s->of.span_s / step;
}

/* What detours of that period lost: of all detours, those in the pulse, less what is there
   by chance.  Chance is the share of those half a period later, and takes from the others
   alone.  A detour much longer than the set's would outweigh them all. */
static double explained(const struct search *s, const struct candidate *c)
{
    double all = 0, in = 0, half = 0;

    for (long i = 0; i < s->n && s->all[i].at_s <= s->of.span_s; i++) {
        const double at_s = s->all[i].at_s,
                     own = fmin(s->all[i].lost_s, c->of.cap_s);

        all += own;
        if (pulse_has(&c->pulse, at_s))
            in += own;
        if (pulse_has(&c->pulse, at_s - 0.5 * c->pulse.period_s))
            half += own;
    }
    return half < all ? (in - half) / (1 - half / all) : 0;
}

/* --- The search --------------------------------------------------------------------- */

static int count_sets(long n)
{
    int sets = 2;

    for (double m = PERIOD_LEAST; m < (double)n && m < PERIOD_MOST; m *= GROWS)
        sets++;
    return sets;
}

/* The pulse of this period or of two or three times as long a one, the longest that there
   is: the parts of a pulse can give a multiple of the frequency most power. */
static struct pulse find_pulse(const struct search *s, double period_s,
                               double least)
{
    struct pulse pulse = { .rarity = 0 };

    for (int times = 3; times > 0 && pulse.rarity <= 0; times--) {
        if (times * period_s * PERIOD_TIMES > s->of.span_s)
            continue;
        pulse = pulse_at(&s->of, pulse_refine(&s->of, times * period_s));
        pulse.rarity = pulse.rarity >= least + log(3) ? pulse.rarity : 0;
    }
    return pulse;
}

/* Keep the period of this set if it explains more than that so far, or is clearer. */
static void try_set(struct search *s, struct set of, double total_s,
                    double *sine, struct candidate *best)
{
    struct candidate own = { .of = of };
    double period_s;

    fill(s, &of);
    if (s->of.n < PERIOD_LEAST)
        return;
    find_power(s, sine);
    period_s = by_power(s);
    if (period_s > 0)
        own.pulse = find_pulse(s, period_s, limit(s));
    if (own.pulse.rarity <= 0)
        return;
    own.period.period_s = own.pulse.period_s;
    own.period.lost_s = total_s / s->of.span_s * explained(s, &own);
    if (is_same(&own.period, &best->period)
            ? own.pulse.rarity > best->pulse.rarity
            : own.period.lost_s > best->period.lost_s)
        *best = own;
}

/* The period that explains most; sorted: room for the detours. */
static struct candidate search(struct search *s, struct detour *sorted,
                               double total_s, double *sine)
{
    const long most = s->n < PERIOD_MOST ? s->n : PERIOD_MOST;
    struct candidate best = { .period.period_s = 0 };

    if (s->n < PERIOD_LEAST)
        return best;
    memcpy(sorted, s->all, (size_t)s->n * sizeof *sorted);
    qsort(sorted, (size_t)s->n, sizeof *sorted, shorter);
    s->sets = count_sets(s->n);
    s->of.span_s = total_s;
    for (double m = PERIOD_LEAST; m < (double)most; m *= GROWS) {
        const struct set of = { s->n, bound(sorted, s->n, (long)m),
                                CAP * bound(sorted, s->n, (long)m / 2) };

        try_set(s, of, total_s, sine, &best);
    }
    if (s->n > most)
        s->of.span_s = s->all[most].at_s;
    try_set(s, (struct set){ most, 0, CAP * bound(sorted, s->n, s->n / 2) },
            total_s, sine, &best);
    return best;
}

/* Take the detours of that period out of all, but those that are too long for it. */
static void take_out(struct search *s, const struct candidate *c)
{
    long left = 0;

    for (long i = 0; i < s->n; i++)
        if (s->all[i].lost_s > c->of.cap_s ||
            !pulse_has(&c->pulse, s->all[i].at_s))
            s->all[left++] = s->all[i];
    s->n = left;
}

/* What is left of a period, because its detours vary, belongs to it. */
static void keep(struct period *out, int *found, const struct period *period)
{
    for (int i = 0; i < *found; i++)
        if (is_same(&out[i], period)) {
            out[i].lost_s += period->lost_s;
            return;
        }
    out[(*found)++] = *period;
}

bool period_find(struct detour *detour, long n, double quantum_s,
                 double total_s, struct period out[PERIODS_MOST])
{
    struct search s = { .all = detour,
                        .n = n,
                        .shortest_s = PERIOD_QUANTA * quantum_s,
                        .of = { .quantum_s = quantum_s } };
    struct detour *sorted;
    double *sine;
    int found = 0;

    memset(out, 0, PERIODS_MOST * sizeof *out);
    if (n < PERIOD_LEAST || quantum_s <= 0 || total_s <= 0)
        return true;
    sorted = malloc((size_t)n * sizeof *sorted);
    s.of.at_s = malloc(PERIOD_MOST * sizeof *s.of.at_s);
    s.power = malloc(STEPS_MOST * sizeof *s.power);
    sine = malloc(STEPS_MOST * sizeof *sine);
    const bool good =
        sorted != NULL && s.of.at_s != NULL && s.power != NULL && sine != NULL;

    for (int i = 0; good && found < PERIODS_MOST && i < SEARCHES; i++) {
        const struct candidate best = search(&s, sorted, total_s, sine);

        if (best.period.period_s <= 0)
            break;
        keep(out, &found, &best.period);
        take_out(&s, &best);
    }
    free(sorted);
    free(s.of.at_s);
    free(s.power);
    free(sine);
    return good;
}
