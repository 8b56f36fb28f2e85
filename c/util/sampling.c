/* SPDX-License-Identifier: BSD-3-Clause */
#include "sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "memory.h"
#include "overlap.h"
#include "watchdog.h"

enum {
    ROOM = 131072, /* samples: 1 MiB */
    ARRAYS = 4,    /* of them */
};

static const double SHARE = 0.1; /* of the memory of a node, at most */

bool measure_begin(struct measure *m)
{
    const struct settings *s = m->settings;

    /* Stopwatch loops and percentiles take a sample each lap. */
    m->room = s->laps > ROOM && !measure_strides(m) ? s->laps : ROOM;
    if ((double)m->room * ARRAYS * sizeof *m->mine >
        SHARE * (double)memory_available())
        return false;
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
    return true;
}

void measure_end(struct measure *m)
{
    free(m->ticks);
    free(m->mine);
    free(m->slowest);
    free(m->sorted);
    m->ticks = NULL;
    m->mine = m->slowest = m->sorted = NULL;
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
    const double elapsed = clock_seconds(clock_now() - before);
    watchdog_wait();
    return elapsed;
}

void measure_once(struct measure *m)
{
    batch(m, 1, 1);
}

void sampling_untimed(struct measure *m, long laps)
{
    while (laps > 0) {
        const long n = laps < m->room ? laps : m->room;

        batch(m, n, 1);
        laps -= n;
    }
}

void sampling_decide(const struct measure *m, double *value, int n)
{
    MPI_Bcast(value, n, MPI_DOUBLE, 0, m->world->comm);
}

double sampling_settle(struct measure *m, double seconds, long *laps)
{
    double spent = 0, next[2] = { 1, 0 }; /* laps of the batch, lap time */

    *laps = 0;
    while (next[0] > 0) {
        const double elapsed = batch(m, (long)next[0], 1);

        spent += elapsed;
        *laps += (long)next[0];
        next[1] = elapsed / next[0];
        next[0] = spent >= seconds ? 0 : fmin(2 * next[0], (double)m->room);
        sampling_decide(m, next, 2);
    }
    return next[1];
}

bool sampling_counts(const struct measure *m)
{
    if (m->bench->timed == TIMED_RANK_0)
        return m->run->rank == 0;
    return m->bench->timed == TIMED_ALL ||
           (m->run->sender && m->run->peer != MPI_PROC_NULL);
}

void sampling_collect(struct measure *m, struct result *result, long n,
                      bool lead_in)
{
    const long have = (long)result->over_laps.n, lead = lead_in ? 1 : 0;
    const double counts = sampling_counts(m) ? 1 : 0;

    if (have == 0 && m->run->overlap != NULL)
        overlap_reset(m->run->overlap); /* warm-up does not count */
    if (m->run->overlap != NULL)
        m->run->overlap->counted = m->ticks + 1 + lead;
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

void sampling_describe(struct measure *m, struct result *result)
{
    const size_t n = result->over_laps.n;

    result->series = m->bench->timed == TIMED_RANK_0 ? m->mine : m->slowest;
    result->sorted = m->sorted;
    result->over_laps = stats_of_series(result->series, m->sorted, n);
}
