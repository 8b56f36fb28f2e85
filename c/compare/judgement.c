/* SPDX-License-Identifier: BSD-3-Clause */
#include "judgement.h"

#include <math.h>
#include <stdlib.h>

static const double LEVEL = 0.05;

/* Logarithms of n times, to be freed; NULL: memory is short. */
static double *logarithms(const double *time, size_t n)
{
    double *of = malloc(n * sizeof *of);

    for (size_t i = 0; i < n && of != NULL; i++)
        of[i] = log(time[i]);
    return of;
}

bool judgement_of(const double *a, size_t na, const double *b, size_t nb,
                  double margin, struct judgement *j)
{
    double *log_a = logarithms(a, na), *log_b = logarithms(b, nb);
    struct rank_shift s, beyond, within = { .p = 1 };
    bool good = log_a != NULL && log_b != NULL &&
                rank_shift_of(log_a, na, log_b, nb, &s);

    for (size_t i = 0; i < nb && good; i++)
        log_b[i] -= copysign(log1p(margin), s.shift);
    good = good && rank_shift_of(log_a, na, log_b, nb, &beyond);
    /* Between both ends of the margin: the other end too. */
    if (good && beyond.shift * copysign(1, s.shift) < 0) {
        for (size_t i = 0; i < nb; i++)
            log_b[i] += 2 * copysign(log1p(margin), s.shift);
        good = rank_shift_of(log_a, na, log_b, nb, &within);
        within.p = fmax(within.p, beyond.p);
    }
    if (good)
        *j = (struct judgement){ .ratio = exp(s.shift),
                                 .has_interval = s.has_interval,
                                 .low = s.has_interval ? exp(s.low) : 0,
                                 .high = s.has_interval ? exp(s.high) : 0,
                                 .p = s.p,
                                 /* Where the margin hides it, nothing is. */
                                 .p_beyond =
                                     beyond.shift * s.shift > 0 ? beyond.p : 1,
                                 .p_within = within.p,
                                 .superiority = s.superiority };
    free(log_a);
    free(log_b);
    return good;
}

double judgement_level(int look)
{
    return ldexp(LEVEL, -look);
}

static enum judged decide(const struct judgement *j, double margin,
                          double level)
{
    const double beyond = 1 + margin;

    if (!j->has_interval)
        return JUDGED_UNDECIDED;
    if (j->low >= 1 / beyond && j->high <= beyond &&
        (level >= LEVEL || j->p_within <= level))
        return JUDGED_SAME;
    if (j->p_beyond > level)
        return JUDGED_UNDECIDED;
    return j->low > beyond        ? JUDGED_SLOWER
           : j->high < 1 / beyond ? JUDGED_FASTER
                                  : JUDGED_UNDECIDED;
}

/* The least two-sided p of n launches a side: 2 / C(2 n, n). */
static double least_p(int n)
{
    return fmin(1, 2 * exp(2 * lgamma(n + 1.0) - lgamma(2.0 * n + 1)));
}

bool judgement_can_tell(size_t na, size_t nb, size_t rows, double level)
{
    const double n = (double)(na + nb);
    const double p = fmin(1, 2 * exp(lgamma((double)na + 1) +
                                     lgamma((double)nb + 1) - lgamma(n + 1)));

    return p * (double)rows <= level * (1 + 1e-9);
}

int judgement_least_launches(size_t rows, double level)
{
    int n = 1;

    while (n < JUDGED_FURTHER_MAX && least_p(n) * (double)rows > level)
        n++;
    return n;
}

/* Standard deviations beyond which a normal value lies with probability p. */
static double deviations_of(double p)
{
    double low = 0, high = 40;

    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;

        *(erfc(middle * M_SQRT1_2) > p ? &low : &high) = middle;
    }
    return low;
}

/* Launches a side for which p_beyond, which is p now, would be small enough among so
   many rows: deviations grow as the root of the launches.  Where every launch of one side
   is beyond every one of the other, p is small enough as soon as it can be. */
static double launches_for_p(double p, size_t launches, size_t rows,
                             double level)
{
    const double needed = deviations_of(level / (double)rows);

    if (p <= least_p((int)launches) * (1 + 1e-9))
        return judgement_least_launches(rows, level);
    return (double)launches * pow(needed / deviations_of(p), 2);
}

/* The same for the interval to lie on one side of the margin, or within it; within it is
   judged at the level. */
static double launches_for_interval(const struct judgement *j, double wanted,
                                    size_t launches)
{
    const double half = j->has_interval ? (log(j->high) - log(j->low)) / 2 : 0;

    return (double)launches * half * half / (wanted * wanted);
}

/* p_beyond is not adjusted yet. */
static int further(const struct judgement *j, double margin, double p,
                   size_t launches, size_t rows, double level)
{
    const double at = fabs(log(j->ratio)), edge = log(1 + margin);
    double n = launches_for_interval(j, at - edge, launches);

    if (at == edge)
        return -1;
    if (at > edge)
        n = fmax(fmax(n, launches_for_p(p, launches, rows, level)),
                 judgement_least_launches(rows, level));
    else
        n *= pow(deviations_of(level) / deviations_of(LEVEL), 2);
    /* Fewer have no interval. */
    n = fmax(n, judgement_least_launches(1, level));
    n = fmax(1, ceil(n - (double)launches));
    return n <= JUDGED_FURTHER_MAX ? (int)n : -1;
}

bool judgement_settle(struct judgement *j, size_t n, double margin,
                      const size_t *launches, double level)
{
    double *p = malloc((2 * n + 1) * sizeof *p);
    bool good = p != NULL;

    for (size_t i = 0; i < n && good; i++) {
        p[i] = j[i].p;
        p[n + i] = j[i].p_beyond;
    }
    good = good && rank_shift_holm(p, n) && rank_shift_holm(p + n, n);
    for (size_t i = 0; i < n && good; i++) {
        const double alone = j[i].p_beyond;

        j[i].p = p[i];
        j[i].p_beyond = p[n + i];
        j[i].verdict = decide(&j[i], margin, level);
        j[i].further =
            j[i].verdict == JUDGED_UNDECIDED
                ? further(&j[i], margin, alone, launches[i], n, level)
                : 0;
    }
    free(p);
    return good;
}

const char *judged_word(enum judged verdict)
{
    static const char *const word[] = {
        [JUDGED_UNDECIDED] = "undecided",
        [JUDGED_SAME] = "same",
        [JUDGED_FASTER] = "faster",
        [JUDGED_SLOWER] = "slower",
    };

    return word[verdict];
}
