/* SPDX-License-Identifier: BSD-3-Clause */
#include "pulse.h"

#include <math.h>
#include <string.h>

enum { CELLS = 20 }; /* of a period, at most; two are a tenth */
static const double TAKEN = 0.6, ABOVE = 0.25, EDGE = 0.25, NEARLY_ALL = 0.95,
                    NEAR = 0.1; /* of a period: near the mean phase */

/* In how many periods there is one in each cell or in the next one; returns the number of
   periods. */
static long count_hits(const struct instants *s, double period_s, int cells,
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
            for (int cell = 0; cell < cells; cell++)
                hits[cell] +=
                    (mask >> cell & 1) | (mask >> (cell + 1) % cells & 1);
            mask = 0;
            now = number;
        }
        if (number >= periods)
            break;
        mask |= 1U << (int)(cells * (at - (double)number));
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

/* How far after the middle of the pulse next to it. */
static double after_middle(const struct pulse *p, double at_s)
{
    return remainder(at_s - p->middle_s, p->period_s);
}

bool pulse_has(const struct pulse *p, double at_s)
{
    return fabs(after_middle(p, at_s)) <= p->half_s;
}

/* How many it has, and how many half a period later, where they are by chance; *after_s is
   how far after the middle they are on average. */
static long count_in(const struct pulse *p, const struct instants *s,
                     long *chance, double *after_s)
{
    double sum = 0;
    long in = 0;

    *chance = 0;
    for (long i = 0; i < s->n; i++) {
        if (pulse_has(p, s->at_s[i])) {
            sum += after_middle(p, s->at_s[i]);
            in++;
        }
        *chance += pulse_has(p, s->at_s[i] - 0.5 * p->period_s);
    }
    *after_s = in > 0 ? sum / (double)in : 0;
    return in;
}

/* As short as it can be, so that few other detours are in it: half of it has nearly all
   that is not by chance, and chance varies by its root. */
static void narrow(struct pulse *p, const struct instants *s)
{
    double after_s;
    long before, chance, now;
    struct pulse half = *p;

    before = count_in(p, s, &chance, &after_s);
    while (half.half_s >= 2 * s->quantum_s) {
        const double least =
            NEARLY_ALL * (double)(before - chance) - sqrt((double)chance);

        half.middle_s += after_s;
        half.half_s /= 2;
        now = count_in(&half, s, &chance, &after_s);
        if ((double)(now - chance) < least)
            return;
        before = now;
        *p = half;
    }
}

struct pulse pulse_at(const struct instants *s, double period_s)
{
    /* A cell is no shorter than a quantum. */
    const int cells = (int)fmin(CELLS, period_s / s->quantum_s);
    long hits[CELLS], apart = 1, second = 0;
    const long periods = count_hits(s, period_s, cells, hits);
    const double all = (double)periods;
    struct pulse pulse = { .period_s = period_s };
    int best = 0;

    for (int cell = 1; cell < cells; cell++)
        if (hits[cell] > hits[best])
            best = cell;
    for (int i = 3; i <= cells - 3; i++) {
        const long here = hits[(best + i) % cells];

        apart += here;
        second = here > second ? here : second;
    }
    const double chance = (double)apart / ((cells - 5) * all),
                 edge =
                     chance * all + EDGE * ((double)hits[best] - chance * all);
    const int before = (double)hits[(best + cells - 2) % cells] > edge ? 2 : 0,
              after = (double)hits[(best + 2) % cells] > edge ? 2 : 0;

    pulse.middle_s = period_s * (2 * best + 2 + after - before) / (2 * cells);
    pulse.half_s = period_s * (before + 4 + after) / (2 * cells);
    if ((double)hits[best] >= TAKEN * all && chance < 1 &&
        (double)(hits[best] - second) >= ABOVE * all) {
        pulse.rarity = tail(periods, hits[best], chance) - log(cells);
        narrow(&pulse, s);
    }
    return pulse;
}

double pulse_refine(const struct instants *s, double period_s)
{
    double cosine = 0, sine = 0, n = 0, k1 = 0, t1 = 0, kk = 0, kt = 0;

    for (long i = 0; i < s->n; i++) {
        cosine += cos(2 * M_PI * s->at_s[i] / period_s);
        sine += sin(2 * M_PI * s->at_s[i] / period_s);
    }
    const double begin_s = period_s * atan2(sine, cosine) / (2 * M_PI);

    for (long i = 0; i < s->n; i++) {
        const double t = s->at_s[i] - begin_s, k = round(t / period_s);

        if (fabs(t - k * period_s) > NEAR * period_s)
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
