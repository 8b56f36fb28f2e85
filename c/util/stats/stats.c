/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXACT_UP_TO = 1000,
    MOST_BLOCKS = 2048,
    TIES = 100,       /* no more than 1 + n / TIES do not matter */
    BLOCKS_FROM = 64, /* elements: then there are ten blocks or more */
    LENGTHS = 3,      /* of blocks: one suits a period better than another */
};

static const double TAIL = 0.025;  /* outside, on either side */
static const double NORMAL = 1.96; /* its quantile of the normal distribution */

/* For normal data: median distance / standard deviation. */
static const double DISTANCE_OF_NORMAL = 0.6745;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void stats_sort(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
}

size_t stats_rank(size_t n, double p)
{
    /* The small term keeps 0.9 * 10 at 9 where binary fractions give 9.0...1 */
    const double rank = ceil(p * (double)n - 1e-9);

    if (rank < 1)
        return 1;
    return rank < (double)n ? (size_t)rank : n;
}

double stats_quantile(const double *sorted, size_t n, double p)
{
    return sorted[stats_rank(n, p) - 1];
}

/* Walk the cumulative binomial distribution once, terms by their logarithm. */
static void exact_ranks(size_t n, double p, size_t *lower, size_t *upper)
{
    double cumulative = 0;

    *lower = 0;
    *upper = n + 1;
    for (size_t k = 0; k <= n; k++) {
        cumulative += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
                          lgamma((double)(n - k) + 1) + (double)k * log(p) +
                          (double)(n - k) * log1p(-p));
        if (cumulative <= TAIL)
            *lower = k + 1;
        if (cumulative >= 1 - TAIL) {
            *upper = k + 1;
            return;
        }
    }
}

bool stats_ranks(size_t n, double p, size_t *lower, size_t *upper)
{
    if (n == 0 || p <= 0 || p >= 1)
        return false;
    if (n <= EXACT_UP_TO) {
        exact_ranks(n, p, lower, upper);
    } else {
        const double centre = (double)n * p;
        const double spread = NORMAL * sqrt((double)n * p * (1 - p));

        *lower = centre > spread ? (size_t)floor(centre - spread) : 0;
        *upper = (size_t)ceil(1 + centre + spread);
    }
    return *lower >= 1 && *upper <= n;
}

bool stats_ranks_tau(size_t n, double p, double tau, size_t *lower,
                     size_t *upper)
{
    const double factor = sqrt(tau);
    double middle, low, high;

    if (!stats_ranks(n, p, lower, upper))
        return false;
    /* For the median it is the middle of the ranks 1..n. */
    middle = ((double)n + 1) * p;
    low = floor(middle - (middle - (double)*lower) * factor);
    high = ceil(middle + ((double)*upper - middle) * factor);
    if (!(low >= 1 && high <= (double)n))
        return false;
    *lower = (size_t)low;
    *upper = (size_t)high;
    return true;
}

static void find_interval(struct stats *s, const double *sorted, double tau)
{
    size_t lower, upper;

    s->tau = tau;
    s->has_interval = stats_ranks_tau(s->n, 0.5, tau, &lower, &upper);
    if (s->has_interval) {
        s->ci_low = sorted[lower - 1];
        s->ci_high = sorted[upper - 1];
    }
}

struct stats stats_of(double *values, size_t n)
{
    struct stats s = { n, NAN, NAN, NAN, NAN, NAN, .tau = 1 };
    struct moments m = { 0 };

    if (n == 0)
        return s;
    stats_sort(values, n);
    moments_add(&m, values, n);
    s.mean = moments_mean(&m);
    s.stddev = moments_stddev(&m);
    s.min = m.min;
    s.max = m.max;
    s.median = stats_quantile(values, n, 0.5);
    find_interval(&s, values, 1);
    return s;
}

static double covariance(const double *x, size_t n, size_t lag, double mean)
{
    double sum = 0;

    for (size_t i = 0; i + lag < n; i++)
        sum += x[i] * x[i + lag];
    return sum / (double)(n - lag) - mean * mean;
}

static double block_mean(const double *x, size_t length)
{
    double sum = 0;

    for (size_t i = 0; i < length; i++)
        sum += x[i];
    return sum / (double)length;
}

/* The sum of all covariances, if block means are a first-order process: what a block does
   not have from the one before it, and the correlation rho of the two, say all.  rho comes
   out too small, since the mean is that of the same blocks (Kendall 1954).  0: nothing. */
static double sum_by_blocks(const double *x, size_t n, size_t length,
                            double mean)
{
    const double blocks = (double)(n / length);
    double squares = 0, products = 0, before = 0, rho, own;

    for (size_t i = 0; i < n / length; i++) {
        const double distance = block_mean(x + i * length, length) - mean;

        squares += distance * distance;
        products += distance * before;
        before = distance;
    }
    if (!(squares > 0))
        return 0;
    rho = products / (blocks - 1) / (squares / blocks);
    own = fmax(0, 1 - rho * rho) * squares / blocks;
    rho = (blocks * rho + 1) / (blocks - 3);
    if (rho <= 0)
        return 0;
    rho += rho * rho * sqrt(fmax(0, 1 - rho * rho) / blocks);
    return rho < 1 ? own * (double)length / ((1 - rho) * (1 - rho)) : HUGE_VAL;
}

/* The sum of all covariances by blocks that are long next to a period. */
static double sum_beyond_periods(const double *x, size_t n, size_t least,
                                 double mean)
{
    const size_t root = (size_t)lround(cbrt((double)n));
    const size_t length = root > least ? root : least;
    double sum = 0;

    for (size_t i = 0; n >= BLOCKS_FROM && i < LENGTHS; i++)
        sum = fmax(sum, sum_by_blocks(x, n, length + i, mean));
    return sum;
}

/* The sum of all covariances, lag by lag, until two together are not positive. */
static double sum_by_lags(const double *x, size_t n, double mean)
{
    const double variance = covariance(x, n, 0, mean);
    double sum = variance;

    for (size_t lag = 1; variance > 0 && lag + 1 <= n / 4; lag += 2) {
        const double pair =
            covariance(x, n, lag, mean) + covariance(x, n, lag + 1, mean);

        if (pair <= 0)
            break;
        sum += 2 * pair;
    }
    return sum;
}

double stats_autocorrelation(double *x, size_t n, double mean)
{
    const size_t length = (n + MOST_BLOCKS - 1) / MOST_BLOCKS;
    const double variance = n > 0 ? covariance(x, n, 0, mean) : 0;
    double sum;

    if (!(variance > 0))
        return 1;
    sum = sum_beyond_periods(x, n, length, mean);
    for (size_t i = 0; length > 1 && i < n / length; i++)
        x[i] = block_mean(x + i * length, length);
    sum = fmax(sum, (double)length * sum_by_lags(x, n / length, mean));
    return fmin(fmax(1, sum / variance), (double)n);
}

/* The samples' sides, -1 above the median and 1 elsewhere, as a series; with_equal:
   the median itself counts as above. */
static double tau_of_sides(const double *series, size_t n, double median,
                           bool with_equal, double *side)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        side[i] =
            series[i] > median || (with_equal && series[i] >= median) ? -1 : 1;
        sum += side[i];
    }
    return stats_autocorrelation(side, n, n > 0 ? sum / (double)n : 0);
}

/*
 * Autocorrelation time of the side of the median that the samples are on, at least 1: the error
 * of a median depends on this indicator series.  Samples that equal the median, many where
 * the clock is coarse, are tried on both sides, and the greater time counts.
 * HUGE_VAL if memory is short.
 */
static double tau_about(const double *series, size_t n, double median)
{
    double *side = malloc((n + 1) * sizeof *side), tau;
    size_t ties = 0;

    if (side == NULL)
        return HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        ties += series[i] >= median && series[i] <= median;
    tau = tau_of_sides(series, n, median, false, side);
    if (ties > 1 + n / TIES)
        tau = fmax(tau, tau_of_sides(series, n, median, true, side));
    free(side);
    return tau;
}

struct stats stats_of_series(const double *series, double *sorted, size_t n)
{
    struct stats s;

    if (n > 0)
        memcpy(sorted, series, n * sizeof *sorted);
    s = stats_of(sorted, n);
    if (n > 0)
        find_interval(&s, sorted, tau_about(series, n, s.median));
    return s;
}

double stats_half_width(const struct stats *s)
{
    if (!s->has_interval || s->median <= 0)
        return HUGE_VAL;
    return fmax(s->ci_high - s->median, s->median - s->ci_low) / s->median;
}

double stats_median(double *values, size_t n)
{
    stats_sort(values, n);
    return stats_quantile(values, n, 0.5);
}

double stats_deviation(const double *sorted, size_t n)
{
    const size_t rank = stats_rank(n, 0.5);
    const double median = sorted[rank - 1];
    size_t below = rank - 1, above = rank - 1;
    double distance = 0;

    /* Sorted values leave the median in order of distance on either side: a
       merge of the two sides stops at the middle one, without a second sort. */
    for (size_t left = rank; left > 0; left--) {
        if (below == 0 ||
            (above < n && sorted[above] - median < median - sorted[below - 1]))
            distance = sorted[above++] - median;
        else
            distance = median - sorted[--below];
    }
    return distance / DISTANCE_OF_NORMAL;
}
