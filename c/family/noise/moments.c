/* SPDX-License-Identifier: BSD-3-Clause */
#include "moments.h"

#include <math.h>
#include <string.h>

enum { CELLS = 20 }; /* of a period; two are a tenth */
static const double LATER = 0.4, CONTRAST = 0.3, TAKEN = 0.6, ABOVE = 0.25,
                    EDGE = 0.25, NEARLY_ALL = 0.95;

double moments_leave_bursts_out(struct moments *s, double period_s)
{
    double last = -period_s, cosine = 0, sine = 0;
    long kept = 0;

    for (long i = 0; i < s->n; i++) {
        const double at = s->at_s[i], angle = 2 * M_PI * at / period_s;

        if (at - last > MOMENTS_NEAR * period_s) {
            s->at_s[kept++] = at;
            cosine += cos(angle);
            sine += sin(angle);
        }
        last = at;
    }
    s->n = kept;
    return (cosine * cosine + sine * sine) / fmax(1, (double)kept);
}

/* In how many periods there is one in each cell or in the next one; returns the number of
   periods. */
static long count_hits(const struct moments *s, double period_s,
                       long hits[CELLS])
{
    const long periods = (long)(s->span_s / period_s);
    long now = 0;
    unsigned mask = 0;

    memset(hits, 0, CELLS * sizeof *hits);
    for (long i = 0; i <= s->n; i++) {
        const double at = i < s->n ? s->at_s[i] / period_s : (double)periods;
        const long number = (long)at;

        if (number != now || i == s->n) {
            for (int cell = 0; cell < CELLS; cell++)
                hits[cell] +=
                    (mask >> cell & 1) | (mask >> (cell + 1) % CELLS & 1);
            mask = 0;
            now = number;
        }
        if (number >= periods)
            break;
        mask |= 1U << (int)(CELLS * (at - (double)number));
    }
    return periods;
}

/* - log of the probability of k or more of n, if each has the probability p. */
static double tail(long n, long k, double p)
{
    double sum = 0;

    for (; k <= n; k++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
                   lgamma((double)(n - k) + 1) + (double)k * log(p) +
                   (double)(n - k) * log1p(-p));
    return -log(sum);
}

struct pulse moments_pulse(const struct moments *s, double period_s)
{
    long hits[CELLS], apart = 1, second = 0;
    const long periods = count_hits(s, period_s, hits);
    const double all = (double)periods;
    struct pulse pulse = { .period_s = period_s };
    int best = 0;

    for (int cell = 1; cell < CELLS; cell++)
        if (hits[cell] > hits[best])
            best = cell;
    for (int i = 3; i <= CELLS - 3; i++) {
        const long here = hits[(best + i) % CELLS];

        apart += here;
        second = here > second ? here : second;
    }
    const double chance = (double)apart / ((CELLS - 5) * all),
                 edge =
                     chance * all + EDGE * ((double)hits[best] - chance * all);
    const int before = (double)hits[(best + CELLS - 2) % CELLS] > edge ? 2 : 0,
              after = (double)hits[(best + 2) % CELLS] > edge ? 2 : 0;

    pulse.begin_s = period_s * (best - before) / CELLS;
    pulse.length_s = period_s * (before + 2 + after) / CELLS;
    if ((double)hits[best] >= TAKEN * all && chance < 1 &&
        (double)(hits[best] - second) >= ABOVE * all)
        pulse.rarity = tail(periods, hits[best], chance) - log(CELLS);
    return pulse;
}

bool moments_in_pulse(const struct pulse *p, double at_s)
{
    const double periods = (at_s - p->begin_s) / p->period_s;

    return (periods - floor(periods)) * p->period_s < p->length_s;
}

double moments_refine(const struct moments *s, double period_s)
{
    double cosine = 0, sine = 0, n = 0, k1 = 0, t1 = 0, kk = 0, kt = 0;

    for (long i = 0; i < s->n; i++) {
        cosine += cos(2 * M_PI * s->at_s[i] / period_s);
        sine += sin(2 * M_PI * s->at_s[i] / period_s);
    }
    const double begin_s = period_s * atan2(sine, cosine) / (2 * M_PI);

    for (long i = 0; i < s->n; i++) {
        const double t = s->at_s[i] - begin_s, k = round(t / period_s);

        if (fabs(t - k * period_s) > MOMENTS_NEAR * period_s)
            continue;
        n++;
        k1 += k;
        t1 += t;
        kk += k * k;
        kt += k * t;
    }
    return n * kk > k1 * k1 ? (n * kt - k1 * t1) / (n * kk - k1 * k1)
                            : period_s;
}

/* --- Intervals --------------------------------------------------------------------- */

/* Is one of them in from..to? */
static bool has(const struct moments *s, double from, double to)
{
    long low = 0, high = s->n;

    while (low < high) {
        const long middle = (low + high) / 2;

        if (s->at_s[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n && s->at_s[low] <= to;
}

/* How many have one so much later, of those before the end. */
static long count_later(const struct moments *s, double later_s, double near_s,
                        double end_s)
{
    long n = 0;

    for (long i = 0; i < s->n && s->at_s[i] < end_s; i++)
        n += has(s, s->at_s[i] + later_s - near_s,
                 s->at_s[i] + later_s + near_s);
    return n;
}

bool moments_are_regular(const struct moments *s, double period_s)
{
    const double near = MOMENTS_NEAR * period_s;
    const double end = s->span_s - 1.5 * period_s - near;
    const double all = (double)count_later(s, 0, near, end),
                 later = (double)count_later(s, period_s, near, end),
                 between = (double)(count_later(s, 0.5 * period_s, near, end) +
                                    count_later(s, 1.5 * period_s, near, end));

    return later >= LATER * all && later - 0.5 * between >= CONTRAST * all;
}

double moments_near(const struct moments *s, double period_s)
{
    double near = MOMENTS_NEAR * period_s;
    const double most =
        (double)count_later(s, period_s, near, s->span_s - period_s);

    while (near > s->quantum_s &&
           (double)count_later(s, period_s, near / 2, s->span_s - period_s) >=
               NEARLY_ALL * most)
        near /= 2;
    return near;
}

bool moments_have_beside(const struct moments *s, double at, double apart_s,
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
