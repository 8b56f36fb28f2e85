/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"

/* --- Bands of detours ------------------------------------------------------------- */

enum {
    OVERSAMPLED = 4,
    FILLED = 2, /* frequencies up to so many periods for each detour */
    STEPS_MOST = OVERSAMPLED * FILLED * PERIOD_MOST + 2,
    SEARCHES = 2 * PERIODS_MOST
};
static const double BAND = 4, CHANCE = 0.01, KEPT = 0.95, SAME = 0.1;

/* A unit vector at the frequency that is looked at, and what turns it to the next one. */
struct wave {
    double x, y, turn_x, turn_y;
};

/* Detours of a least duration, which count for no more than BAND times that; only the
   first PERIOD_MOST, in a shorter time. */
struct band {
    double cap_s, span_s;
    long n;
    struct detour *detour;
    struct wave *wave;
};

struct search {
    struct detour *all; /* what is not explained yet, rising in time */
    long n;
    double quantum_s, total_s;
    double shortest_s; /* detour */
    struct band band;
    int bands;     /* that are searched */
    double *power; /* by number of the frequency */
    double *clear; /* the same, as a multiple of what chance gives on average */
};

/* The part of a period that has its detours. */
struct pulse {
    double period_s, middle_s;
    double half_s; /* half of its length */
};

struct candidate {
    struct period period;
    struct pulse pulse;
    double cap_s; /* of its band */
};

static void fill(struct search *s, double cap_s)
{
    struct band *b = &s->band;

    b->n = 0;
    b->cap_s = cap_s;
    b->span_s = s->total_s;
    for (long i = 0; i < s->n; i++) {
        const struct detour *one = &s->all[i];

        if (one->lost_s < cap_s / BAND)
            continue;
        if (b->n == PERIOD_MOST) {
            b->span_s = one->at_s;
            break;
        }
        b->detour[b->n++] = (struct detour){ one->at_s, fmin(one->lost_s, cap_s) };
    }
}

/* --- The test --------------------------------------------------------------------- */

/* Frequency number k is k / (OVERSAMPLED span). */
static double frequency(const struct band *b, double k)
{
    return k / (OVERSAMPLED * b->span_s);
}

static long last_step(const struct search *s)
{
    const double most =
        fmin(FILLED * (double)s->band.n, s->band.span_s / (PERIOD_QUANTA * s->quantum_s));

    return (long)(OVERSAMPLED * most);
}

static void begin_waves(struct band *b, long k)
{
    for (long i = 0; i < b->n; i++) {
        const double angle = 2 * M_PI * frequency(b, 1) * b->detour[i].at_s;

        b->wave[i] =
            (struct wave){ cos((double)k * angle), sin((double)k * angle), cos(angle), sin(angle) };
    }
}

static double square(double x, double y)
{
    return x * x + y * y;
}

/* The power of frequency number k, to which the waves are turned; *chance is what it is on
   average by chance.  They go on to the next one. */
static double turn_waves(struct band *b, long k, double *chance)
{
    const double each = frequency(b, (double)k);
    double x = 0, y = 0, own_x = 0, own_y = 0, alone = 0, together = 0;
    long period = 0;

    for (long i = 0; i < b->n; i++) {
        struct wave *w = &b->wave[i];
        const double lost_s = b->detour[i].lost_s;
        const long now = (long)(b->detour[i].at_s * each);
        const double next = w->x * w->turn_x - w->y * w->turn_y;

        if (now != period) {
            together += square(own_x, own_y);
            x += own_x;
            y += own_y;
            own_x = own_y = 0;
            period = now;
        }
        own_x += lost_s * w->x;
        own_y += lost_s * w->y;
        alone += lost_s * lost_s;
        w->y = w->x * w->turn_y + w->y * w->turn_x;
        w->x = next;
    }
    *chance = fmax(alone, together + square(own_x, own_y));
    return square(x + own_x, y + own_y);
}

/* The top of the parabola through three neighbors, as a distance from the middle one. */
static double top(const double *middle)
{
    const double bend = middle[-1] - 2 * middle[0] + middle[1];

    return bend < 0 ? 0.5 * (middle[-1] - middle[1]) / bend : 0;
}

/* The period of the band; 0: none is clear.  Multiples of its frequency have power, too,
   and by chance one of them can have more: it is the lowest with half of the amplitude. */
static double find_period(struct search *s)
{
    const long from = OVERSAMPLED * PERIOD_TIMES, to = last_step(s);
    const double least = log((double)s->bands * (double)(to - from + 1) / CHANCE);
    double most = 0, chance;
    long k = from;

    if (to <= from)
        return 0;
    begin_waves(&s->band, from);
    for (long i = from; i <= to; i++) {
        s->power[i] = turn_waves(&s->band, i, &chance);
        s->clear[i] = s->power[i] / chance;
        if (s->clear[i] >= least)
            most = fmax(most, s->power[i]);
    }
    if (most <= 0)
        return 0;
    while (s->clear[k] < least / 2 || s->power[k] < most / 4)
        k++;
    while (k < to && s->power[k + 1] > s->power[k])
        k++;
    return 1 / frequency(&s->band, (double)k + (k > from && k < to ? top(&s->power[k]) : 0));
}

/* --- The pulse -------------------------------------------------------------------- */

/* How far after the middle of the pulse next to it. */
static double after_middle(const struct pulse *p, double at_s)
{
    return remainder(at_s - p->middle_s, p->period_s);
}

static bool pulse_has(const struct pulse *p, double at_s)
{
    return fabs(after_middle(p, at_s)) <= p->half_s;
}

/* What detours lost, each at most the cap: all of them, those in the pulse, and those half
   a period later, which are there by chance; squares: of the last. */
struct sums {
    double all, in, later, squares;
};

static struct sums sum_up(const struct pulse *p, const struct band *b, const struct detour *detour,
                          long n)
{
    struct sums sums = { 0 };

    for (long i = 0; i < n && detour[i].at_s <= b->span_s; i++) {
        const double lost_s = fmin(detour[i].lost_s, b->cap_s);

        sums.all += lost_s;
        if (pulse_has(p, detour[i].at_s))
            sums.in += lost_s;
        if (pulse_has(p, detour[i].at_s - 0.5 * p->period_s)) {
            sums.later += lost_s;
            sums.squares += lost_s * lost_s;
        }
    }
    return sums;
}

/* Period and middle by a line through those that it has. */
static void fit(struct pulse *p, const struct band *b)
{
    double n = 0, k1 = 0, t1 = 0, kk = 0, kt = 0;

    for (long i = 0; i < b->n; i++) {
        const double at_s = b->detour[i].at_s, lost_s = b->detour[i].lost_s,
                     t = after_middle(p, at_s), k = round((at_s - p->middle_s) / p->period_s);

        if (fabs(t) > p->half_s)
            continue;
        n += lost_s;
        k1 += lost_s * k;
        t1 += lost_s * t;
        kk += lost_s * k * k;
        kt += lost_s * k * t;
    }
    if (n * kk <= k1 * k1)
        return;
    const double slope = (n * kt - k1 * t1) / (n * kk - k1 * k1);

    p->period_s += slope;
    p->middle_s += (t1 - slope * k1) / n;
}

/* As short as it can be, so that few other detours are in it: it has nearly all that is
   not by chance, and chance varies by the root of its squares. */
static struct pulse find_pulse(const struct search *s, double period_s)
{
    const struct band *b = &s->band;
    struct pulse half = { .period_s = period_s, .half_s = period_s / 4 }, pulse;
    double x = 0, y = 0, least = 0;

    for (long i = 0; i < b->n; i++) {
        const double angle = 2 * M_PI * b->detour[i].at_s / period_s;

        x += b->detour[i].lost_s * cos(angle);
        y += b->detour[i].lost_s * sin(angle);
    }
    half.middle_s = period_s * atan2(y, x) / (2 * M_PI);
    pulse = half;
    for (; half.half_s >= s->quantum_s; half.half_s /= 2) {
        fit(&half, b);
        const struct sums sums = sum_up(&half, b, b->detour, b->n);
        const double own = sums.in - sums.later;

        if (own < least)
            break;
        least = fmax(least, KEPT * own - 2 * sqrt(2 * sums.squares));
        pulse = half;
    }
    return pulse;
}

/* --- The search --------------------------------------------------------------------- */

/* Keep the period of this band if it explains more than that so far. */
static void try_band(struct search *s, double cap_s, struct candidate *best)
{
    struct candidate own = { .cap_s = cap_s };

    fill(s, cap_s);
    const double period_s = find_period(s);

    if (period_s <= 0)
        return;
    own.pulse = find_pulse(s, period_s);
    const struct sums sums = sum_up(&own.pulse, &s->band, s->all, s->n);

    /* Chance takes from the other detours alone. */
    if (sums.later < sums.all)
        own.period.lost_s =
            s->total_s / s->band.span_s * (sums.in - sums.later) / (1 - sums.later / sums.all);
    own.period.period_s = own.pulse.period_s;
    if (own.period.lost_s > best->period.lost_s)
        *best = own;
}

/* The period that explains most. */
static struct candidate search(struct search *s)
{
    struct candidate best = { .period.period_s = 0 };
    double longest_s = 0;

    for (long i = 0; i < s->n; i++)
        longest_s = fmax(longest_s, s->all[i].lost_s);
    s->bands = 0;
    for (double cap_s = longest_s; cap_s > s->shortest_s; cap_s /= BAND)
        s->bands++;
    for (double cap_s = longest_s; cap_s > s->shortest_s; cap_s /= BAND)
        try_band(s, cap_s, &best);
    return best;
}

/* Take what is explained out of all. */
static void take_out(struct search *s, const struct candidate *c)
{
    long left = 0;

    for (long i = 0; i < s->n; i++) {
        struct detour one = s->all[i];

        if (pulse_has(&c->pulse, one.at_s))
            one.lost_s -= fmin(one.lost_s, c->cap_s);
        if (one.lost_s > s->shortest_s)
            s->all[left++] = one;
    }
    s->n = left;
}

/* What is left of a period, because its detours vary, belongs to it. */
static void period_keep(struct period *out, int *found, const struct period *period)
{
    for (int i = 0; i < *found; i++)
        if (fabs(out[i].period_s - period->period_s) < SAME * out[i].period_s) {
            out[i].lost_s += period->lost_s;
            return;
        }
    out[(*found)++] = *period;
}

static void *room_for(long n, size_t size)
{
    return world_room((size_t)n, size, "samples");
}

/*
 * The periods that explain most of the lost time, the first of all detours, each other one
 * of those that are left; period_s 0: no more.  detour[0..n-1] are in order of time, in a
 * series of total_s with quanta of quantum_s; they are not the same afterwards.
 */
static void period_find(struct detour *detour, long n, double quantum_s, double total_s,
                        struct period out[PERIODS_MOST])
{
    struct search s = { .all = detour,
                        .n = n,
                        .quantum_s = quantum_s,
                        .shortest_s = (DETOUR - 1) * quantum_s,
                        .total_s = total_s };
    int found = 0;

    memset(out, 0, PERIODS_MOST * sizeof *out);
    if (n == 0 || quantum_s <= 0 || total_s <= 0)
        return;
    s.band.detour = room_for(PERIOD_MOST, sizeof *s.band.detour);
    s.band.wave = room_for(PERIOD_MOST, sizeof *s.band.wave);
    s.power = room_for(STEPS_MOST, sizeof *s.power);
    s.clear = room_for(STEPS_MOST, sizeof *s.clear);
    for (int i = 0; found < PERIODS_MOST && i < SEARCHES; i++) {
        const struct candidate best = search(&s);

        if (best.period.period_s <= 0)
            break;
        period_keep(out, &found, &best.period);
        take_out(&s, &best);
    }
    free(s.band.detour);
    free(s.band.wave);
    free(s.power);
    free(s.clear);
}

/* Shortest, median and sum. */
static void describe(const double *took_s, long n, struct detours *d)
{
    double *sorted = room_for(n, sizeof *sorted);

    memcpy(sorted, took_s, (size_t)n * sizeof *sorted);
    stats_sort(sorted, (size_t)n);
    d->quantum_s = sorted[0];
    d->typical_s = stats_quantile(sorted, (size_t)n, 0.5);
    d->slow = d->typical_s > DETOUR * d->quantum_s;
    for (long i = 0; i < n; i++)
        d->total_s += took_s[i];
    free(sorted);
}

/* Keep it if it is one of the longest. */
static void keep(struct detours *d, struct detour one)
{
    int least = 0;

    if (d->nkept < DETOURS_KEPT) {
        d->kept[d->nkept++] = one;
        return;
    }
    for (int i = 1; i < d->nkept; i++)
        if (d->kept[i].lost_s < d->kept[least].lost_s)
            least = i;
    if (d->kept[least].lost_s >= one.lost_s)
        return;
    memmove(&d->kept[least], &d->kept[least + 1], (size_t)(d->nkept - least - 1) * sizeof one);
    d->kept[d->nkept - 1] = one;
}

/* Collect the detours; returns how many there are without those that follow another
   one. */
static long collect(const double *took_s, long n, struct detours *d, struct detour *apart)
{
    double at = 0, lost = 0;
    bool follows = false;
    long events = 0;

    for (long i = 0; i < n; i++) {
        const struct detour one = { at, took_s[i] - d->typical_s };
        const bool detour = took_s[i] > DETOUR * d->typical_s;

        at += took_s[i];
        if (detour) {
            d->n++;
            lost += one.lost_s;
            d->longest_s = fmax(d->longest_s, one.lost_s);
            keep(d, one);
            if (follows)
                apart[events - 1].lost_s += one.lost_s;
            else
                apart[events++] = one;
        }
        follows = detour;
    }
    if (d->total_s > 0) {
        d->lost = lost / d->total_s;
        d->per_s = (double)d->n / d->total_s;
    }
    return events;
}

void detours_of(const double *took_s, long n, struct detours *out)
{
    struct detour *apart;

    *out = (struct detours){ .quanta = n };
    if (n == 0)
        return;
    apart = room_for(n, sizeof *apart);
    describe(took_s, n, out);
    period_find(apart, collect(took_s, n, out, apart), out->quantum_s, out->total_s, out->period);
    free(apart);
}
