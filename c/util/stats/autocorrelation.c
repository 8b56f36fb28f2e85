/* SPDX-License-Identifier: BSD-3-Clause */
#include "autocorrelation.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "stats.h"

double geyer_covariance(const double *x, size_t n, size_t lag)
{
    double sum = 0;

    for (size_t i = 0; i + lag < n; i++)
        sum += x[i] * x[i + lag];
    return sum / (double)(n - lag);
}

double geyer_tau(const double *x, size_t n)
{
    const double variance = n > 0 ? geyer_covariance(x, n, 0) : 0;
    double tau = 1;

    for (size_t lag = 1; variance > 0 && lag + 1 <= n / 4; lag += 2) {
        const double pair =
            (geyer_covariance(x, n, lag) + geyer_covariance(x, n, lag + 1)) /
            variance;

        if (pair <= 0)
            break;
        tau += 2 * pair;
    }
    return tau;
}

/* How much of the median neighbouring samples have in common. */

enum {
    MOST_WORDS =
        300000, /* the most for one autocorrelation, lag by lag: 1 ms */
    BITS = 64,
    TIES = 100, /* no more than 1 + n / TIES do not matter */
};

/* Which samples are above the median, a bit each, first in word[0], bit 0. */
struct sides {
    uint64_t *word; /* the one after the last is 0 */
    size_t n;
    double mean; /* mean of the samples' sides, -1 above and +1 elsewhere */
};

/* with_equal: the median itself counts as above. */
static bool sides_begin(struct sides *s, const double *series, size_t n,
                        double median, bool with_equal)
{
    size_t above = 0;

    s->n = n;
    s->word = calloc(n / BITS + 2, sizeof *s->word);
    for (size_t i = 0; s->word != NULL && i < n; i++)
        if (series[i] > median || (with_equal && series[i] >= median)) {
            s->word[i / BITS] |= (uint64_t)1 << i % BITS;
            above++;
        }
    /* Exactly 1 or -1 where all are on one side: they are not correlated. */
    s->mean = n > 0 ? 1 - 2 * (double)above / (double)n : 1;
    return s->word != NULL;
}

/* How many samples are on another side than the one that is lag further on. */
static size_t changes(const struct sides *s, size_t lag)
{
    const size_t words = lag / BITS, bits = lag % BITS, pairs = s->n - lag;
    size_t differ = 0;

    for (size_t i = 0; i * BITS < pairs; i++) {
        const uint64_t *far = s->word + i + words;
        /* Two steps: a shift by 64 is not defined. */
        uint64_t other =
            s->word[i] ^ (far[0] >> bits | far[1] << 1 << (BITS - 1 - bits));

        if (pairs - i * BITS < BITS)
            other &= ((uint64_t)1 << (pairs - i * BITS)) - 1;
        differ += (size_t)__builtin_popcountll(other);
    }
    return differ;
}

static double correlation(const struct sides *s, size_t lag)
{
    const double same = 1 - 2 * (double)changes(s, lag) / (double)(s->n - lag);

    return (same - s->mean * s->mean) / (1 - s->mean * s->mean);
}

/* The time by means of blocks of whole words; HUGE_VAL: no memory. */
static double tau_of_blocks(const struct sides *s)
{
    const size_t words = s->n / BITS;
    const size_t length = (words + GEYER_MOST_BLOCKS - 1) / GEYER_MOST_BLOCKS;
    const size_t blocks = words / length;
    const double samples = (double)(length * BITS);
    double *mean = malloc(blocks * sizeof *mean);
    double tau;

    if (mean == NULL || blocks == 0) {
        free(mean);
        return HUGE_VAL;
    }
    for (size_t i = 0; i < blocks; i++) {
        size_t above = 0;

        for (size_t j = i * length; j < (i + 1) * length; j++)
            above += (size_t)__builtin_popcountll(s->word[j]);
        mean[i] = 1 - 2 * (double)above / samples - s->mean;
    }
    tau = geyer_tau(mean, blocks) * samples *
          geyer_covariance(mean, blocks, 0) / (1 - s->mean * s->mean);
    free(mean);
    return tau;
}

static double tau_of_sides(const struct sides *s)
{
    const size_t affordable = MOST_WORDS / (s->n / BITS + 1);
    double tau = 1;

    if (fabs(s->mean) >= 1)
        return 1;
    for (size_t lag = 1; lag + 1 <= s->n / 4; lag += 2) {
        double pair;

        if (lag + 1 > affordable)
            return fmax(tau, tau_of_blocks(s));
        pair = correlation(s, lag) + correlation(s, lag + 1);
        if (pair <= 0)
            break;
        tau += 2 * pair;
    }
    return tau;
}

static double tau_about(const double *series, size_t n, double median,
                        bool with_equal)
{
    struct sides s;
    double tau = HUGE_VAL;

    if (sides_begin(&s, series, n, median, with_equal))
        tau = tau_of_sides(&s);
    free(s.word);
    return tau;
}

double stats_tau(const double *series, size_t n, double median)
{
    const double tau = tau_about(series, n, median, false);
    size_t ties = 0;

    for (size_t i = 0; i < n; i++)
        ties += series[i] >= median && series[i] <= median;
    return ties > 1 + n / TIES ? fmax(tau, tau_about(series, n, median, true))
                               : tau;
}
