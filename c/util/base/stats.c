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

void moments_add(struct moments *m, const double *value, size_t n)
{
    if (m->n == 0 && n > 0)
        m->first = m->min = m->max = value[0];
    for (size_t i = 0; i < n; i++) {
        const double distance = value[i] - m->first - m->above;

        m->min = fmin(m->min, value[i]);
        m->max = fmax(m->max, value[i]);
        m->above += distance / (double)++m->n;
        m->squares += distance * (value[i] - m->first - m->above);
    }
}

double moments_mean(const struct moments *m)
{
    return fmin(fmax(m->first + m->above, m->min), m->max);
}

static double stddev_of(const struct moments *m)
{
    return m->n > 1 ? sqrt(m->squares / (double)(m->n - 1)) : NAN;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void stats_sort(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
}

/* Nearest rank, counted from 1: ceil(p n), within 1..n.  n must not be 0. */
static size_t rank_of(size_t n, double p)
{
    /* The small term keeps 0.9 * 10 at 9 where binary fractions give 9.0...1 */
    const double rank = ceil(p * (double)n - 1e-9);

    if (rank < 1)
        return 1;
    return rank < (double)n ? (size_t)rank : n;
}

double stats_quantile(const double *sorted, size_t n, double p)
{
    return sorted[rank_of(n, p) - 1];
}

/* Walk the cumulative binomial distribution once, terms by their logarithm. */
static void exact_ranks(size_t n, double p, size_t *lower, size_t *upper)
{
    double cumulative = 0;

    *lower = 0;
    *upper = n + 1;
    for (size_t k = 0; k <= n; k++) {
        cumulative +=
            exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) +
                (double)k * log(p) + (double)(n - k) * log1p(-p));
        if (cumulative <= TAIL)
            *lower = k + 1;
        if (cumulative >= 1 - TAIL) {
            *upper = k + 1;
            return;
        }
    }
}

/* Of independent samples. */
static bool stats_ranks(size_t n, double p, size_t *lower, size_t *upper)
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

bool stats_ranks_tau(size_t n, double p, double tau, size_t *lower, size_t *upper)
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
    s.stddev = stddev_of(&m);
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
static double sum_by_blocks(const double *x, size_t n, size_t length, double mean)
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
static double sum_beyond_periods(const double *x, size_t n, size_t least, double mean)
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
        const double pair = covariance(x, n, lag, mean) + covariance(x, n, lag + 1, mean);

        if (pair <= 0)
            break;
        sum += 2 * pair;
    }
    return sum;
}

/*
 * Integrated autocorrelation time, in elements, of x[0..n-1], which have that mean:
 * 1 + 2 (rho_1 + rho_2 + ...), within 1..n.  x[] holds nothing of use afterwards.
 * It is the larger one of two estimates:
 *
 *   lags    the sum over lags up to n / 4, in pairs (1,2), (3,4), ... until a pair is
 *           not positive.  (The initial positive sequence of Geyer 1992 has the pairs
 *           (0,1), (2,3), ...; these end sooner where the sign alternates.)
 *   blocks  from 64 elements on: means of blocks of about the cube root of n neighbours
 *           are taken for a first-order process.  A period, of threads or roots that
 *           take turns, ends the sum over lags at once and hides what is slower; the
 *           means of blocks hardly show it.  Three lengths are tried: the largest counts.
 *           A short series shows too little of what is slow: the correlation of
 *           blocks, rho, is taken larger by rho^2 times its standard error.
 *
 * Means of blocks of b neighbours stand for the series in both: times b and their
 * variance over that of the series, since both describe the variance of the mean of all
 * (batch means; Law, Simulation Modeling and Analysis, section 9.5.3).  The lags of a long
 * series are those of such means, so that they cost little and reach far.
 */
static double autocorrelation(double *x, size_t n, double mean)
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
static double tau_of_sides(const double *series, size_t n, double median, bool with_equal,
                           double *side)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        side[i] = series[i] > median || (with_equal && series[i] >= median) ? -1 : 1;
        sum += side[i];
    }
    return autocorrelation(side, n, n > 0 ? sum / (double)n : 0);
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
    const size_t rank = rank_of(n, 0.5);
    const double median = sorted[rank - 1];
    size_t below = rank - 1, above = rank - 1;
    double distance = 0;

    /* Sorted values leave the median in order of distance on either side: a
       merge of the two sides stops at the middle one, without a second sort. */
    for (size_t left = rank; left > 0; left--) {
        if (below == 0 || (above < n && sorted[above] - median < median - sorted[below - 1]))
            distance = sorted[above++] - median;
        else
            distance = median - sorted[--below];
    }
    return distance / DISTANCE_OF_NORMAL;
}

/* --- Comparing by order alone, so that no outlier counts more than one ---- */

/* How many of sorted[0..n-1] are below value. */
static size_t below(const double *sorted, size_t n, double value)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Replace values[0..n-1] by their ranks, counted from 1; equal ones have the mean of
   theirs.  sorted[0..n-1] receives the values in ascending order. */
static void ranks_of(double *values, size_t n, double *sorted)
{
    memcpy(sorted, values, n * sizeof *sorted);
    stats_sort(sorted, n);
    for (size_t i = 0; i < n; i++) {
        const double next = nextafter(values[i], HUGE_VAL);

        values[i] = (double)(below(sorted, n, values[i]) + below(sorted, n, next) + 1) / 2;
    }
}

struct rank_sum {
    double u; /* pairs with a > b, ties counting one half */
    double z; /* positive: a tends to be greater */
    double p; /* two-sided, normal approximation */
};

/*
 * Do a, which has the first na of these n ranks, and b, which has the others, come
 * from the same distribution?  Neither is empty.  The variance is that of the ranks
 * at hand, so corrected for ties, times inflation (1: the values are independent);
 * continuity correction 1/2 towards the mean.  All equal: z = 0, p = 1.
 * Source: Mann and Whitney 1947; Lehmann, Nonparametrics, 1975, section 1.4.
 */
static struct rank_sum mann_whitney(const double *ranks, size_t na, size_t n, double inflation)
{
    const double pairs = (double)na * (double)(n - na);
    struct rank_sum r = { .p = 1 };
    double excess = 0, squares = 0, variance;

    for (size_t i = 0; i < n; i++) {
        const double distance = ranks[i] - ((double)n + 1) / 2;

        excess += i < na ? distance : 0;
        squares += distance * distance;
    }
    variance = pairs * squares / ((double)n * ((double)n - 1)) * inflation;
    r.u = excess + pairs / 2;
    if (variance > 0 && fabs(excess) > 0.5) {
        r.z = copysign(fabs(excess) - 0.5, excess) / sqrt(variance);
        r.p = erfc(fabs(r.z) / M_SQRT2);
    }
    return r;
}

static void take_line_out(double *ranks, size_t n)
{
    const double middle = ((double)n - 1) / 2, mean = ((double)n + 1) / 2;
    double products = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        const double x = (double)i - middle;

        products += x * (ranks[i] - mean);
        squares += x * x;
    }
    for (size_t i = 0; i < n; i++) {
        ranks[i] -= mean;
        if (squares > 0)
            ranks[i] -= products / squares * ((double)i - middle);
    }
}

/* Integrated autocorrelation time of ranks[0..n-1], n above 0, about their least-squares
   line: the inflation of mann_whitney.  A trend that only rises or only falls is a line
   in ranks, and so does not count.  ranks[] holds nothing of use afterwards. */
static double ranks_tau(double *ranks, size_t n)
{
    take_line_out(ranks, n);
    return autocorrelation(ranks, n, 0);
}

/* --- Did the figure change while it was measured? ------------------------- */

/* Describe a third of a series: its median, and its tau if that is larger than *tau.
   ranks and sorted have room for it. */
static double describe(const double *third, size_t n, double *ranks, double *sorted, double *tau)
{
    memcpy(ranks, third, n * sizeof *ranks);
    ranks_of(ranks, n, sorted);
    *tau = fmax(*tau, ranks_tau(ranks, n));
    return stats_quantile(sorted, n, 0.5);
}

static struct drift drift_of(const double *series, size_t n)
{
    const size_t m = n / 3;
    const double *last = series + n - m;
    struct drift d = { .ratio = 1, .tau = 1, .p = 1 };
    struct rank_sum r;
    double *ranks;

    if (n < DRIFT_LEAST || (ranks = malloc(4 * m * sizeof *ranks)) == NULL)
        return d;
    d.first = describe(series, m, ranks, ranks + m, &d.tau);
    d.last = describe(last, m, ranks, ranks + m, &d.tau);
    memcpy(ranks, last, m * sizeof *ranks);
    memcpy(ranks + m, series, m * sizeof *ranks);
    ranks_of(ranks, 2 * m, ranks + 2 * m);
    r = mann_whitney(ranks, m, 2 * m, d.tau);
    free(ranks);
    d.p = r.p;
    d.known = d.first > 0 && d.last > 0 && (double)m >= DRIFT_INDEPENDENT * d.tau;
    if (!d.known)
        return d;
    d.ratio = d.last / d.first;
    d.drifts = d.p < DRIFT_SIGNIFICANCE && (d.ratio > DRIFT_MATTERS || d.ratio < 1 / DRIFT_MATTERS);
    return d;
}

/* --- All samples, counted in bins: any number of times in constant memory.  Every power of two is
   cut into 1,024 bins of equal width, so a bin is at most 2^-10 (0.1 %) of its value wide.  They
   reach from 2^-30 s (0.93 ns) to 2^10 s (17 min).  What lies outside is counted apart, in the
   first and the last counter ------------------------------------------------ */

enum {
    HISTOGRAM_FIRST = -30, /* the bins begin at 2^-30 */
    HISTOGRAM_LAST = 10,   /* and end below 2^10 */
    HISTOGRAM_CUTS = 1024, /* bins in a power of two */
    HISTOGRAM_BINS = (HISTOGRAM_LAST - HISTOGRAM_FIRST) * HISTOGRAM_CUTS,
    /* Indices of the counters that are no bins; bin i is counter i + 1. */
    HISTOGRAM_BELOW = 0, /* zero, negative, or shorter than the first bin */
    HISTOGRAM_ABOVE = HISTOGRAM_BINS + 1,
    HISTOGRAM_COUNTERS = HISTOGRAM_BINS + 2, /* 320 KiB */
    MANTISSA_LEFT = 52 - 10,                 /* bits of a double below those of a bin */
    BIAS = 1023,                             /* added to a double's exponent */
};

/* Exponent and the first ten bits of the mantissa of the lowest bin: in the
   order of their bits, positive doubles are in the order of their values. */
static const uint64_t LOWEST = (uint64_t)(HISTOGRAM_FIRST + BIAS) << 10;

static double edge(size_t bin)
{
    const uint64_t bits = (LOWEST + bin) << MANTISSA_LEFT;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t counter_of(double seconds)
{
    uint64_t bits;

    if (!(seconds >= edge(0)))
        return HISTOGRAM_BELOW;
    if (seconds >= edge(HISTOGRAM_BINS))
        return HISTOGRAM_ABOVE;
    memcpy(&bits, &seconds, sizeof bits);
    return (size_t)((bits >> MANTISSA_LEFT) - LOWEST) + 1;
}

static void histogram_add_many(struct histogram *h, const double *seconds, size_t n)
{
    moments_add(&h->moments, seconds, n);
    for (size_t i = 0; i < n; i++)
        h->count[counter_of(seconds[i])]++;
}

static size_t counter_of_rank(const struct histogram *h, size_t rank)
{
    uint64_t before = 0;

    for (size_t i = 0; i < HISTOGRAM_ABOVE; i++) {
        before += h->count[i];
        if (before >= rank)
            return i;
    }
    return HISTOGRAM_ABOVE;
}

/* The least and the greatest that a value of this counter can be. */
static double least(const struct histogram *h, size_t counter)
{
    return counter == HISTOGRAM_BELOW ? h->moments.min : fmax(edge(counter - 1), h->moments.min);
}

static double greatest(const struct histogram *h, size_t counter)
{
    return counter == HISTOGRAM_ABOVE ? h->moments.max : fmin(edge(counter), h->moments.max);
}

/* Quantile p by nearest rank, as stats_quantile: the middle of the sample's bin, or minimum or
   maximum where that is nearer, so within 2^-11 (0.05 %) of the sample.  0 if nothing was added. */
static double histogram_quantile(const struct histogram *h, double p)
{
    const struct moments *m = &h->moments;

    if (m->n == 0)
        return 0;
    const size_t rank = rank_of(m->n, p), counter = counter_of_rank(h, rank);
    if (rank == 1 || counter == HISTOGRAM_BELOW)
        return m->min;
    if (rank == m->n || counter == HISTOGRAM_ABOVE)
        return m->max;
    return fmin(fmax((edge(counter - 1) + edge(counter)) / 2, m->min), m->max);
}

/* The 95 % confidence interval of the quantile p, as stats_ranks_tau's; false: none.
   It ends at the outer edges of the bins, so it is never too narrow. */
static bool histogram_interval(const struct histogram *h, double p, double tau, double *low,
                               double *high)
{
    size_t lower, upper;

    if (!stats_ranks_tau(h->moments.n, p, tau, &lower, &upper))
        return false;
    *low = least(h, counter_of_rank(h, lower));
    *high = greatest(h, counter_of_rank(h, upper));
    return true;
}

/* As stats_of, for an autocorrelation time tau that the caller knows. */
static struct stats histogram_stats(const struct histogram *h, double tau)
{
    const struct moments *m = &h->moments;
    struct stats s = {
        .n = m->n,
        .mean = moments_mean(m),
        .stddev = stddev_of(m),
        .min = m->min,
        .median = histogram_quantile(h, 0.5),
        .max = m->max,
        .tau = tau,
    };

    s.has_interval = histogram_interval(h, 0.5, tau, &s.ci_low, &s.ci_high);
    return s;
}

/* --- The samples of a row ------------------------------------------------- */

_Static_assert(SERIES_BYTES >=
                   2 * SERIES_ROOM * sizeof(double) + HISTOGRAM_COUNTERS * sizeof(uint64_t),
               "the room of a series");

void series_begin(struct series *s, void *room)
{
    double *const value = room;

    *s = (struct series){ .value = value,
                          .sorted = value + SERIES_ROOM,
                          .histogram.count = (uint64_t *)(value + 2 * SERIES_ROOM) };
}

void series_clear(struct series *s)
{
    if (s->n > s->kept) {
        s->histogram.moments = (struct moments){ .n = 0 };
        memset(s->histogram.count, 0, HISTOGRAM_COUNTERS * sizeof *s->histogram.count);
    }
    s->n = s->kept = 0;
    s->tau = 0;
}

void series_add(struct series *s, const double *values, size_t n)
{
    if (s->n == s->kept && s->n + n <= SERIES_ROOM) {
        memcpy(s->value + s->n, values, n * sizeof *values);
        s->n = s->kept = s->n + n;
        return;
    }
    if (s->n == s->kept) {
        const size_t fits = SERIES_ROOM - s->kept;

        histogram_add_many(&s->histogram, s->value, s->kept);
        memcpy(s->value + s->kept, values, fits * sizeof *values);
        s->kept = SERIES_ROOM;
        s->tau = 0;
    }
    histogram_add_many(&s->histogram, values, n);
    s->n += n;
}

static void widen(const struct series *s, double *low, double *high)
{
    *low = fmax(0, *low - s->slack);
    *high += s->slack;
}

static struct stats figures_of(struct series *s)
{
    struct stats kept;

    if (s->tau == 0 || s->n == s->kept) {
        kept = stats_of_series(s->value, s->sorted, s->kept);
        s->tau = kept.tau;
        if (s->n == s->kept)
            return kept;
    }
    return histogram_stats(&s->histogram, s->tau);
}

struct stats series_describe(struct series *s)
{
    struct stats all = figures_of(s);

    if (all.has_interval)
        widen(s, &all.ci_low, &all.ci_high);
    return all;
}

/* For normal data: standard deviation / mean distance. */
static const double MEAN_OF_NORMAL = 1.2533;

/* Nothing is dropped: sorted[0..n-1] stays as it is. */
static struct outliers outliers_of(const double *sorted, size_t n, double threshold)
{
    struct outliers o = { .share = NAN };
    double median, deviation, sum = 0;

    if (n == 0)
        return o;
    median = stats_quantile(sorted, n, 0.5);
    deviation = stats_deviation(sorted, n);
    for (size_t i = 0; i < n; i++)
        sum += fabs(sorted[i] - median);
    if (!(deviation > 0))
        deviation = MEAN_OF_NORMAL * sum / (double)n;
    o.from = median - threshold * deviation;
    o.to = median + threshold * deviation;
    while (o.low < n && sorted[o.low] < o.from)
        o.low++;
    while (o.high < n && sorted[n - 1 - o.high] > o.to)
        o.high++;
    o.share = n < 3 ? NAN : (double)(o.low + o.high) / (double)n;
    return o;
}

struct series_shape series_shape(const struct series *s)
{
    return (struct series_shape){
        .outliers = outliers_of(s->sorted, s->kept, OUTLIER_THRESHOLD),
        .drift = drift_of(s->value, s->kept),
    };
}

double series_quantile(const struct series *s, double p)
{
    if (s->n == 0)
        return NAN;
    return s->n == s->kept ? stats_quantile(s->sorted, s->n, p)
                           : histogram_quantile(&s->histogram, p);
}

bool series_interval(const struct series *s, double p, double *low, double *high)
{
    size_t lower, upper;

    if (s->n > s->kept) {
        if (!histogram_interval(&s->histogram, p, s->tau, low, high))
            return false;
    } else {
        if (s->n == 0 || !stats_ranks_tau(s->n, p, s->tau, &lower, &upper))
            return false;
        *low = s->sorted[lower - 1];
        *high = s->sorted[upper - 1];
    }
    widen(s, low, high);
    return true;
}
