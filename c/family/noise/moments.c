/* SPDX-License-Identifier: BSD-3-Clause */
#include "moments.h"

#include <math.h>
#include <stdlib.h>

static const double LATER = 0.4, CONTRAST = 0.3, NEARLY_ALL = 0.95, PULSE = 0.1;

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

static int rising(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The most of them in a PULSE of the period; phase: room for them. */
static long count_in_pulse(const struct moments *s, double period_s,
                           double *phase)
{
    long most = 0;

    for (long i = 0; i < s->n; i++)
        phase[i] = fmod(s->at_s[i], period_s) / period_s;
    qsort(phase, (size_t)s->n, sizeof *phase, rising);
    for (long i = 0, end = 0; i < s->n; i++) {
        while (end < i + s->n &&
               phase[end % s->n] + (end >= s->n ? 1 : 0) <= phase[i] + PULSE)
            end++;
        most = end - i > most ? end - i : most;
    }
    return most;
}

/* - log of a bound of the probability that so many of m random phases lie in one pulse:
   one of them begins it, and the others follow by the binomial distribution. */
static double tail(long m, long in_pulse)
{
    double sum = 0;

    for (long k = in_pulse - 1; k < m; k++)
        sum += exp(lgamma((double)m) - lgamma((double)k + 1) -
                   lgamma((double)(m - k)) + (double)k * log(PULSE) +
                   (double)(m - 1 - k) * log(1 - PULSE));
    return -log((double)m * sum);
}

double moments_rarity(const struct moments *s, double period_s, double *phase)
{
    return tail(s->n, count_in_pulse(s, period_s, phase));
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
