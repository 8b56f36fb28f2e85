/* SPDX-License-Identifier: BSD-3-Clause */
#include "verdict.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "shift_test.h"
#include "text/text.h"

static const double LEVEL = 0.05;

/* The logarithms of n times, to be freed. */
static double *logarithms(const double *time, size_t n)
{
    double *of = given_memory(malloc(n * sizeof *of));

    for (size_t i = 0; i < n; i++)
        of[i] = log(time[i]);
    return of;
}

/* The least two-sided p of so many runs: 2 / C(na + nb, na). */
static double least_p(double na, double nb)
{
    return fmin(1,
                2 * exp(lgamma(na + 1) + lgamma(nb + 1) - lgamma(na + nb + 1)));
}

static struct time_ratio ratio_of_shift(const struct rank_shift *s)
{
    return (struct time_ratio){ .value = exp(s->shift),
                                .has_interval = s->has_interval,
                                .low = s->has_interval ? exp(s->low) : 0,
                                .high = s->has_interval ? exp(s->high) : 0 };
}

struct time_ratio time_ratio_of(const double *a, size_t na, const double *b,
                                size_t nb)
{
    double *log_a = logarithms(a, na), *log_b = logarithms(b, nb);
    const struct rank_shift s = rank_shift_of(log_a, na, log_b, nb);

    free(log_a);
    free(log_b);
    return ratio_of_shift(&s);
}

struct verdict verdict_of(const double *a, size_t na, const double *b,
                          size_t nb, double margin)
{
    double *log_a = logarithms(a, na), *log_b = logarithms(b, nb);
    const struct rank_shift s = rank_shift_of(log_a, na, log_b, nb);
    const double spared = copysign(log1p(margin), s.shift);
    struct rank_shift beyond;
    double within = 1;

    for (size_t i = 0; i < nb; i++)
        log_b[i] -= spared;
    beyond = rank_shift_of(log_a, na, log_b, nb);
    /* The shift is between both ends of the margin: test the other end too. */
    if (beyond.shift * copysign(1, s.shift) < 0) {
        for (size_t i = 0; i < nb; i++)
            log_b[i] += 2 * spared;
        within = fmax(rank_shift_of(log_a, na, log_b, nb).p, beyond.p);
    }
    free(log_a);
    free(log_b);
    return (struct verdict){ .ratio = ratio_of_shift(&s),
                             .p = s.p,
                             /* A difference within the margin is not beyond
                                it. */
                             .p_beyond =
                                 beyond.shift * s.shift > 0 ? beyond.p : 1,
                             .p_within = within,
                             .superiority = s.superiority,
                             .runs = na < nb ? na : nb,
                             .least_p = least_p((double)na, (double)nb) };
}

double verdict_level(int look)
{
    return ldexp(LEVEL, -look);
}

static enum verdict_is decide(const struct verdict *v, double margin,
                              double level)
{
    const struct time_ratio *ratio = &v->ratio;
    const double beyond = 1 + margin;

    if (!ratio->has_interval)
        return VERDICT_UNDECIDED;
    if (ratio->low >= 1 / beyond && ratio->high <= beyond &&
        (level >= LEVEL || v->p_within <= level))
        return VERDICT_SAME;
    if (v->p_beyond > level)
        return VERDICT_UNDECIDED;
    return ratio->low > beyond        ? VERDICT_SLOWER
           : ratio->high < 1 / beyond ? VERDICT_FASTER
                                      : VERDICT_UNDECIDED;
}

/* Is p small enough for one of n? */
static bool is_small_enough(double p, size_t n, double level)
{
    return p * (double)n <= level * (1 + 1e-9);
}

bool verdict_can_tell(const struct verdict *v, size_t n, double level)
{
    return is_small_enough(v->least_p, n, level);
}

int verdict_least_runs(size_t rows, double level)
{
    int n = 1;

    while (n < VERDICT_FURTHER_MAX && least_p(n, n) * (double)rows > level)
        n++;
    return n;
}

/* The number of standard deviations that a normal value exceeds with
   probability p. */
static double deviations_of(double p)
{
    double low = 0, high = 40;

    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;

        *(erfc(middle * M_SQRT1_2) > p ? &low : &high) = middle;
    }
    return low;
}

/* The runs of each side for which p_beyond, which is p now, would be small
   enough among so many rows.  Deviations grow with the square root of the runs.
   If every run of one side is beyond every run of the other, p is small enough
   as soon as it can be. */
static double runs_for_p(double p, size_t runs, size_t rows, double level)
{
    const double needed = deviations_of(level / (double)rows);

    if (p <= least_p((double)runs, (double)runs) * (1 + 1e-9))
        return verdict_least_runs(rows, level);
    return (double)runs * pow(needed / deviations_of(p), 2);
}

/* The same for an interval on one side of the margin, or within it; within it
   the level counts. */
static double runs_for_interval(const struct verdict *v, double wanted,
                                size_t runs)
{
    const struct time_ratio *r = &v->ratio;
    const double half = r->has_interval ? (log(r->high) - log(r->low)) / 2 : 0;

    return (double)runs * half * half / (wanted * wanted);
}

/* The runs that are still needed; p is not adjusted. */
static int further(const struct verdict *v, double margin, double p,
                   size_t runs, size_t rows, double level)
{
    const double at = fabs(log(v->ratio.value)), edge = log(1 + margin);
    double n = runs_for_interval(v, at - edge, runs);

    if (at == edge)
        return -1;
    if (at > edge)
        n = fmax(n, runs_for_p(p, runs, rows, level));
    else
        n *= pow(deviations_of(level) / deviations_of(LEVEL), 2);
    /* Fewer runs show no difference, as the answer says. */
    n = fmax(n, verdict_least_runs(rows, level));
    n = fmax(1, ceil(n - (double)runs));
    return n <= VERDICT_FURTHER_MAX ? (int)n : -1;
}

void verdict_settle(struct verdict *v, size_t n, double margin, double level)
{
    double *p = given_memory(malloc((2 * n + 1) * sizeof *p));

    for (size_t i = 0; i < n; i++) {
        p[i] = v[i].p;
        p[n + i] = v[i].p_beyond;
    }
    rank_shift_holm(p, n);
    rank_shift_holm(p + n, n);
    for (size_t i = 0; i < n; i++) {
        const double alone = v[i].p_beyond;

        v[i].p = p[i];
        v[i].p_beyond = p[n + i];
        v[i].is = decide(&v[i], margin, level);
        v[i].further = v[i].is == VERDICT_UNDECIDED
                           ? further(&v[i], margin, alone, v[i].runs, n, level)
                           : 0;
    }
    free(p);
}

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

struct verdict_sum verdict_sum_of(const struct verdict *v, size_t n,
                                  double level)
{
    struct verdict_sum sum = { .needed = verdict_least_runs(n, level) };
    int *more = given_memory(malloc((n + 1) * sizeof *more));
    size_t open = 0;

    for (size_t i = 0; i < n; i++) {
        sum.of[v[i].is]++;
        sum.runs = v[i].runs > sum.runs ? v[i].runs : sum.runs;
        sum.callable += verdict_can_tell(&v[i], n, level);
        if (v[i].further != 0)
            more[open++] = v[i].further > 0 ? v[i].further : INT_MAX;
    }
    if (open > 0) {
        qsort(more, open, sizeof *more, by_number);
        sum.further = more[(open - 1) / 2];
        if (sum.further == INT_MAX)
            sum.further = -1;
    }
    free(more);
    return sum;
}

const char *verdict_word(enum verdict_is verdict)
{
    static const char *const word[] = {
        [VERDICT_UNDECIDED] = "undecided",
        [VERDICT_SAME] = "same",
        [VERDICT_FASTER] = "faster",
        [VERDICT_SLOWER] = "slower",
    };

    return word[verdict];
}
