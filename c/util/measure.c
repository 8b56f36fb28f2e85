/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <math.h>

#include "gather.h"
#include "overlap.h"
#include "sampling.h"

enum {
    LEAST_LAPS = 20,    /* measured whatever they take, unless they are slow: */
    SLOW_LAPS = 3,      /* are enough of those that take seconds */
    LEAST_SAMPLES = 50, /* before an interval is believed */
    MOST_STRIDE = 1000,
};

static const double SETTLED = 0.005; /* s of warm-up */
static const double ENOUGH = 0.010;  /* s, before a row counts as precise */
static const double PATIENCE = 10;   /* s for the laps above */
static const double CLOCK_SHARE = 0.0015; /* of a sample, at most */

bool measure_strides(const struct measure *m)
{
    return m->bench->strides && m->settings->npercentiles == 0;
}

/* Samples before an interval is believed, and ten beyond the highest
   percentile that is asked for. */
static double least_samples(const struct settings *s)
{
    double least = LEAST_SAMPLES;

    for (int i = 0; i < s->npercentiles; i++)
        if (s->percentiles[i] < 100)
            least = fmax(least, ceil(10 / (1 - s->percentiles[i] / 100)));
    return least;
}

static long choose_stride(const struct measure *m, double lap_s)
{
    const double k = ceil(m->clock.cost_s / CLOCK_SHARE / fmax(lap_s, 1e-9));

    if (!measure_strides(m) || k < 1)
        return 1;
    return k > MOST_STRIDE ? MOST_STRIDE : (long)k;
}

/* Samples of the next look; 0 and the reason if there shall be none. */
static double next_look(struct measure *m, struct result *result)
{
    const double target = settings_precision(m->settings);
    const double budget = settings_budget(m->settings);
    const double n = (double)result->over_laps.n;
    const double left = budget - result->elapsed_s;
    const double enough = fmin(budget / 5, ENOUGH);

    sampling_describe(m, result);
    result->precise = n >= least_samples(m->settings) &&
                      stats_half_width(&result->over_laps) <= target;
    if (result->precise && result->elapsed_s >= enough) {
        result->stop = STOP_PRECISION;
        return 0;
    }
    result->stop = n >= (double)m->room ? STOP_SAMPLES : STOP_BUDGET;
    if (result->stop == STOP_SAMPLES ||
        (left <= 0 &&
         (result->laps >= LEAST_LAPS || result->elapsed_s >= PATIENCE)))
        return 0;
    return fmax(1, fmin(fmin(n, (double)m->room - n),
                        ceil(left * n / result->elapsed_s)));
}

static void measure_until_precise(struct measure *m, struct result *result)
{
    const double lap_s = sampling_settle(
        m, fmin(settings_budget(m->settings) / 10, SETTLED), &result->warmup);
    double next = fmin(LEAST_LAPS, fmax(SLOW_LAPS, ceil(PATIENCE / lap_s)));
    double stride = (double)choose_stride(m, lap_s);

    /* Clocks differ in cost from rank to rank. */
    sampling_decide(m, &stride, 1);
    result->stride = (long)stride;
    while (next > 0) {
        sampling_collect(m, result, (long)next, true);
        if (m->world->rank == 0)
            next = next_look(m, result);
        sampling_decide(m, &next, 1);
    }
}

static void measure_fixed(struct measure *m, struct result *result)
{
    const struct settings *s = m->settings;
    const size_t bytes = m->run->bytes;
    const long laps =
        s->laps >= 0 ? s->laps : sizes_laps(m->bench->counts, bytes);

    result->warmup =
        s->warmup >= 0 ? s->warmup : sizes_warmup(m->bench->counts, bytes);
    result->stride = measure_strides(m) ? (laps + m->room - 1) / m->room : 1;
    result->stop = STOP_COUNT;
    result->precise = true;
    /* The last lap of the warm-up is the lead-in. */
    sampling_untimed(m, result->warmup - 1);
    sampling_collect(m, result, (laps + result->stride - 1) / result->stride,
                     result->warmup > 0);
    if (m->world->rank == 0)
        sampling_describe(m, result);
}

static void pass(struct measure *m, struct result *result)
{
    double sum = 0;

    result->over_laps = (struct stats){ 0 };
    result->laps = 0;
    result->elapsed_s = 0;
    if (settings_fixed(m->settings))
        measure_fixed(m, result);
    else
        measure_until_precise(m, result);
    for (size_t i = 0; i < result->over_laps.n; i++)
        sum += m->mine[i];

    const struct spread spread = gather_spread(
        m->world->comm, sum / (double)result->over_laps.n, sampling_counts(m));
    result->mean = spread.mean;
    result->mean_min = spread.min;
    result->mean_max = spread.max;
    result->ranks = spread.ranks;
}

/* Means over laps, then over ranks, of the parts of an overlapped lap. */
static void gather_parts(struct measure *m, struct overlap_parts *parts)
{
    const struct overlap *o = m->run->overlap;
    const double laps = (double)o->laps;
    double part[4] = { clock_seconds(o->start) / laps,
                       clock_seconds(o->compute) / laps,
                       clock_seconds(o->test) / laps,
                       clock_seconds(o->wait) / laps };

    MPI_Allreduce(MPI_IN_PLACE, part, 4, MPI_DOUBLE, MPI_SUM, m->world->comm);
    parts->start = part[0] / m->run->nranks;
    parts->compute = part[1] / m->run->nranks;
    parts->test = part[2] / m->run->nranks;
    parts->wait = part[3] / m->run->nranks;
}

void measure_row(struct measure *m, struct result *result)
{
    struct overlap *o = m->run->overlap;

    if (o == NULL) {
        pass(m, result);
        return;
    }
    o->computing = false;
    pass(m, result);
    result->parts = (struct overlap_parts){ .pure = result->mean,
                                            .pure_min = result->mean_min,
                                            .pure_max = result->mean_max };
    /* One target for all ranks: the mean, or those that return early would
       compute less and hide more. */
    o->work = overlap_calibrate(result->parts.pure);
    o->computing = true;
    pass(m, result);
    gather_parts(m, &result->parts);
}
