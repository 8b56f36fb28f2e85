/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "overlap.h"
#include "watchdog.h"

enum {
    ROOM = 131072,      /* samples: 1 MiB */
    LEAST_LAPS = 20,    /* measured whatever they take */
    LEAST_SAMPLES = 50, /* before an interval is believed */
    MOST_STRIDE = 1000,
};

static const double SETTLED = 0.005;    /* s of warm-up */
static const double ENOUGH = 0.010;     /* s, before a row counts as precise */
static const double CLOCK_SHARE = 0.01; /* of a sample, at most */

bool measure_begin(struct measure *m)
{
    const struct settings *s = m->settings;

    /* A stopwatch loop takes a sample each lap; others can stride. */
    m->room = s->laps > ROOM && !m->bench->strides ? s->laps : ROOM;
    m->ticks = malloc((size_t)(m->room + 2) * sizeof *m->ticks);
    m->mine = malloc((size_t)m->room * sizeof *m->mine);
    m->slowest = malloc((size_t)m->room * sizeof *m->slowest);
    m->sorted = malloc((size_t)m->room * sizeof *m->sorted);
    if (!m->ticks || !m->mine || !m->slowest || !m->sorted)
        return false;
    /* Touched now, or page faults would land in samples. */
    memset(m->ticks, 1, (size_t)(m->room + 2) * sizeof *m->ticks);
    memset(m->mine, 1, (size_t)m->room * sizeof *m->mine);
    memset(m->slowest, 1, (size_t)m->room * sizeof *m->slowest);
    m->clock = clock_describe();
    return true;
}

void measure_end(struct measure *m)
{
    free(m->ticks);
    free(m->mine);
    free(m->slowest);
    free(m->sorted);
}

/* Run samples times stride laps, from a common start; their duration here. */
static double batch(struct measure *m, long samples, long stride)
{
    struct bench_run *r = m->run;

    laps_prepare(&r->laps, m->ticks, samples, stride);
    watchdog_row(r->bytes, &r->laps);
    bench_sync(r);
    const clock_ticks before = clock_now();
    m->bench->run(r);
    return clock_seconds(clock_now() - before);
}

void measure_once(struct measure *m)
{
    batch(m, 1, 1);
}

static void untimed(struct measure *m, long laps)
{
    while (laps > 0) {
        const long n = laps < m->room ? laps : m->room;

        batch(m, n, 1);
        laps -= n;
    }
}

/* What rank 0 decided, on every rank. */
static void decide(const struct measure *m, double *value, int n)
{
    MPI_Bcast(value, n, MPI_DOUBLE, 0, m->world->comm);
}

/* Laps in doubling batches until a time has passed; returns the time of a lap
   in the last of them. */
static double settle(struct measure *m, double seconds, long *laps)
{
    double spent = 0, next[2] = { 1, 0 }; /* laps of the batch, lap time */

    *laps = 0;
    while (next[0] > 0) {
        const double elapsed = batch(m, (long)next[0], 1);

        spent += elapsed;
        *laps += (long)next[0];
        next[1] = elapsed / next[0];
        next[0] = spent >= seconds ? 0 : fmin(2 * next[0], (double)m->room);
        decide(m, next, 2);
    }
    return next[1];
}

static long choose_stride(const struct measure *m, double lap_s)
{
    const double k = ceil(m->clock.cost_s / CLOCK_SHARE / fmax(lap_s, 1e-9));

    if (!m->bench->strides || m->settings->npercentiles > 0 || k < 1)
        return 1;
    return k > MOST_STRIDE ? MOST_STRIDE : (long)k;
}

/* Does this rank's time count? */
static bool measures(const struct measure *m)
{
    if (m->bench->timed == TIMED_RANK_0)
        return m->run->rank == 0;
    return m->bench->timed == TIMED_ALL ||
           (m->run->sender && m->run->peer != MPI_PROC_NULL);
}

/*
 * Measure n more samples after those already there.  A loop with bench_lap
 * runs one sample more in front: the ranks enter it at slightly different
 * times, which must not count.
 */
static void collect(struct measure *m, struct result *result, long n,
                    bool lead_in)
{
    const long have = (long)result->over_laps.n, lead = lead_in ? 1 : 0;
    const double counts = measures(m) ? 1 : 0;

    if (have == 0 && m->run->overlap != NULL)
        overlap_reset(m->run->overlap); /* warm-up does not count */
    result->elapsed_s += batch(m, n + lead, result->stride);
    for (long i = 0; i < n; i++)
        m->mine[have + i] = counts * clock_seconds(m->ticks[1 + lead + i]) /
                            (double)result->stride;
    if (m->bench->timed != TIMED_RANK_0)
        gather_slowest(m->world->comm, m->mine + have, m->slowest + have,
                       (int)n);
    result->over_laps.n = (size_t)(have + n);
    result->laps += n * result->stride;
}

/* The series over laps, described; on rank 0. */
static void describe(struct measure *m, struct result *result)
{
    const size_t n = result->over_laps.n;

    result->series = m->bench->timed == TIMED_RANK_0 ? m->mine : m->slowest;
    memcpy(m->sorted, result->series, n * sizeof *m->sorted);
    result->sorted = m->sorted;
    result->over_laps = stats_of(m->sorted, n);
}

/* Samples of the next look; 0 and the reason if there shall be none. */
static double next_look(struct measure *m, struct result *result)
{
    const double target = settings_precision(m->settings);
    const double budget = settings_budget(m->settings);
    const double n = (double)result->over_laps.n;
    const double left = budget - result->elapsed_s;
    const double enough = fmin(budget / 5, ENOUGH);

    describe(m, result);
    result->precise =
        n >= LEAST_SAMPLES && stats_half_width(&result->over_laps) <= target;
    if (result->precise && result->elapsed_s >= enough) {
        result->stop = STOP_PRECISION;
        return 0;
    }
    result->stop = n >= (double)m->room ? STOP_SAMPLES : STOP_BUDGET;
    if (result->stop == STOP_SAMPLES ||
        (left <= 0 && result->laps >= LEAST_LAPS))
        return 0;
    return fmax(1, fmin(fmin(n, (double)m->room - n),
                        ceil(left * n / result->elapsed_s)));
}

static void measure_until_precise(struct measure *m, struct result *result)
{
    const double lap_s = settle(
        m, fmin(settings_budget(m->settings) / 10, SETTLED), &result->warmup);
    double next = LEAST_LAPS, stride = (double)choose_stride(m, lap_s);

    decide(m, &stride, 1); /* clocks differ in cost from rank to rank */
    result->stride = (long)stride;
    while (next > 0) {
        collect(m, result, (long)next, m->bench->strides);
        if (m->world->rank == 0)
            next = next_look(m, result);
        decide(m, &next, 1);
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
    result->stride = m->bench->strides ? (laps + m->room - 1) / m->room : 1;
    result->stop = STOP_COUNT;
    result->precise = true;
    untimed(m, result->warmup);
    collect(m, result, (laps + result->stride - 1) / result->stride, false);
    if (m->world->rank == 0)
        describe(m, result);
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
        m->world->comm, sum / (double)result->over_laps.n, measures(m));
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
