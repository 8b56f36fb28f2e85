/* SPDX-License-Identifier: BSD-3-Clause */
#include "sampling.h"

#include <math.h>
#include <string.h>

#include "base/simulation.h"
#include "buffer_pool.h"
#include "job/progress.h"
#include "over_ranks.h"
#include "start.h"
#include "watch.h"

static const double AGREEMENT = 1.10; /* of two batches of the warm-up */
static const double LEAP = 1.01;      /* clocks that nobody sets differ less */
static const double AT_LAST = 10;     /* limits, and the warm-up ends */

/* Run samples times stride laps, from a common start; their duration here. */
static double run_batch(struct measure *m, long samples, long stride)
{
    struct bench_run *r = m->context->run;
    const struct flow *flow = m->context->bench->flow;
    /* Where iterations differ, or threads share them, the flow does not tell. */
    const bool alike =
        !r->root_rotates && flow->turns == NULL &&
        !bench_is_threaded(m->context->bench, m->context->settings);

    if (subset_waits(r)) {
        subset_wait(m->ticks, m->begun, samples);
        progress.waiting = true;
        return 0;
    }
    laps_prepare(&r->laps, m->ticks, m->begun, samples, stride);
    progress_row(r->bytes, &r->laps, alike ? flow->sends(r) : 0,
                 alike ? flow->receives(r) : 0);
    start_batch(r);
    const double witness_s = clock_witness_s();
    const clock_ticks before = clock_now();
    bench_loop(m->context->bench, r->operation)(r);
    const double elapsed = clock_seconds(clock_now() - before);
    /* The witness sees no less than the clock, also where the CPU is taken away in between. */
    m->leapt |= !SIMULATED && elapsed > LEAP * (clock_witness_s() - witness_s) +
                                            m->context->clock->resolution_s;
    progress.waiting = true;
    return elapsed;
}

double measure_laps(struct measure *m, long laps)
{
    return run_batch(m, laps, 1);
}

void sampling_untimed(struct measure *m, long laps)
{
    for (; laps > 0; laps -= m->room)
        run_batch(m, laps < m->room ? laps : m->room, 1);
}

void sampling_decide(const struct measure *m, double *value)
{
    PMPI_Bcast(value, 1, MPI_DOUBLE, 0, m->context->world->comm);
}

static bool agree(double a, double b)
{
    return a <= AGREEMENT * b && b <= AGREEMENT * a;
}

double sampling_settle(struct measure *m, double seconds, double limit,
                       struct warmup *warmup)
{
    double spent = 0, before = 0, lap = 0, quickest = HUGE_VAL, next = 1;

    warmup->laps = 0;
    warmup->settled = false;
    while (next > 0) {
        const double elapsed = run_batch(m, (long)next, 1);

        spent += elapsed;
        warmup->laps += (long)next;
        before = lap;
        lap = elapsed / next;
        quickest = fmin(quickest, lap);
        /* Laps count as if all had been as quick as the quickest: one that
           takes long once, the first use of something, is no reason to warm
           up less.  What only one batch says is not believed. */
        const double took = before > 0 ? (double)warmup->laps * quickest : 0;

        warmup->settled = took >= seconds && agree(lap, before);
        /* A clock at rest, as simulated time may be, never gets there. */
        if (warmup->settled || took >= limit || spent >= AT_LAST * limit ||
            (spent <= 0 && warmup->laps >= m->room))
            next = 0;
        else if (elapsed < limit)
            next = fmin(2 * next, (double)m->most);
        sampling_decide(m, &next);
    }
    warmup->last_s = lap;
    sampling_decide(m, &quickest);
    return quickest;
}

bool sampling_counts(const struct measure *m)
{
    if (subset_waits(m->context->run))
        return false;
    if (m->context->bench->timed == TIMED_RANK_0)
        return m->context->run->rank == 0;
    return m->context->bench->timed == TIMED_ALL || m->context->run->sender;
}

void sampling_clear(struct measure *m)
{
    m->moments = (struct moments){ 0 };
    watch_batch(BATCH_CLEAR);
    if (m->context->world->rank != 0)
        return;
    series_clear(&m->series);
    histogram_clear(&m->completion);
    histogram_clear(&m->skew);
    memset(m->blame_slowest, 0,
           (size_t)m->context->world->size * sizeof *m->blame_slowest);
    memset(m->blame_start, 0,
           (size_t)m->context->world->size * sizeof *m->blame_start);
}

/* Close the gaps of laps that some rank began too late; how many are left. */
static long drop_late(struct measure *m, clock_ticks *ticks, clock_ticks *begun,
                      long n)
{
    long left = 0;

    over_ranks_any_zero(m->context->world->comm, begun, n);
    for (long i = 0; i < n; i++)
        if (begun[i] != 0) {
            ticks[left] = ticks[i];
            begun[left++] = begun[i];
        }
    return left;
}

/* Completion and skew of each lap by the global clock. */
static void keep_global(struct measure *m, const clock_ticks *ticks,
                        const clock_ticks *begun, long n)
{
    double from[GATHER_CHUNK], to[GATHER_CHUNK], completion[GATHER_CHUNK],
        skew[GATHER_CHUNK];

    for (long i = 0; i < n; i += GATHER_CHUNK) {
        const int k = n - i < GATHER_CHUNK ? (int)(n - i) : GATHER_CHUNK;

        for (int j = 0; j < k; j++) {
            from[j] = clock_sync_global(m->context->sync, begun[i + j]);
            to[j] = clock_sync_global(m->context->sync,
                                      begun[i + j] + ticks[i + j]);
        }
        over_ranks_span(m->context->world->comm, from, to, sampling_counts(m),
                        k, completion, skew, m->blame_start);
        if (m->context->world->rank == 0) {
            histogram_add_many(&m->completion, completion, (size_t)k);
            histogram_add_many(&m->skew, skew, (size_t)k);
        }
    }
}

/* Does every lap begin with all ranks, so that one of them can be late for it? */
static bool laps_start_together(const struct measure *m)
{
    const struct bench_run *r = m->context->run;

    return r->start->can_be_late &&
           (!(m->context->bench->loop & LAPS) ||
            (buffer_pool_pauses(r) && r->pool->together));
}

/* Take over the n samples of a batch that begin at first; how many count. */
static long keep(struct measure *m, struct result *result, long first, long n)
{
    clock_ticks *ticks = m->ticks + first, *begun = m->begun + first;
    const double counts = sampling_counts(m) ? 1 : 0;
    const long ran = n;

    if (laps_start_together(m)) {
        n = drop_late(m, ticks, begun, n);
        if (!subset_waits(m->context->run))
            start_review(m->context->run->start, ran);
    }
    result->late += ran - n;
    for (long i = 0; i < n; i++)
        m->mine[i] = counts * clock_seconds(ticks[i]) / (double)result->stride;
    moments_add(&m->moments, m->mine, (size_t)n);
    if (m->context->skewed)
        keep_global(m, ticks, begun, n);
    if (m->context->bench->timed != TIMED_RANK_0)
        over_ranks_slowest(m->context->world->comm, m->mine, n, m->mine,
                           m->blame_slowest);
    if (m->context->world->rank == 0)
        series_add(&m->series, m->mine, (size_t)n);
    return n;
}

/* What becomes of a batch that has ended, and of those before it in this pass. */
enum fate { KEPT, LEFT_OUT, FIRST_UNDISTURBED };

/* The same on all ranks: what disturbs one of them, all wait for. */
static enum fate fate_of_batch(struct measure *m, struct result *result)
{
    struct disturbance *d = &result->disturbed;
    int disturbed = !subset_waits(m->context->run) &&
                    interference_batch_disturbed(&m->watch);

    PMPI_Allreduce(MPI_IN_PLACE, &disturbed, 1, MPI_INT, MPI_MAX,
                   m->context->world->comm);
    d->batches++;
    d->found += disturbed;
    if (settings_disturbed(m->context->settings) == DISTURBED_KEPT)
        return KEPT;
    if (disturbed && m->strict) {
        d->left_out++;
        return LEFT_OUT;
    }
    if (disturbed) {
        m->doubtful++;
        return KEPT;
    }
    m->strict = true;
    if (m->doubtful == 0)
        return KEPT;
    d->left_out += m->doubtful;
    m->doubtful = 0;
    return FIRST_UNDISTURBED;
}

/* Forget what this pass has measured so far. */
static void start_again(struct measure *m, struct result *result)
{
    sampling_clear(m);
    result->laps = 0;
    result->elapsed_s = 0;
    result->late = 0;
}

/* One batch of n samples after a lead-in of lead samples, which takes the time that is
   returned. */
static double collect_batch(struct measure *m, struct result *result, long n,
                            long lead)
{
    const struct family *family = bench_family(m->context->bench);
    const bool watched = result->disturbed.watched;
    struct bench_run *const r = m->context->run;
    const int last_root = r->root;

    /* The root of a lead-in would never count where as many ranks as laps are in a batch. */
    if (r->root_rotates && lead > 0 && result->laps > 0)
        r->root = (last_root + r->nranks - 1) % r->nranks;
    r->laps.counted = m->ticks + 1 + lead;
    if (watched)
        interference_batch_begins(&m->watch);
    watch_batch(BATCH_START);
    const double elapsed = run_batch(m, n + lead, result->stride);
    watch_batch(BATCH_STOP);
    /* Samples of threads overlap: one may be longer than its share of the batch. */
    const double lead_s =
        lead > 0 ? fmin(clock_seconds(m->ticks[1]), elapsed) : 0;
    const enum fate fate = watched ? fate_of_batch(m, result) : KEPT;

    if (fate == FIRST_UNDISTURBED)
        start_again(m, result);
    if (family->forget != NULL)
        family->forget(r, fate == FIRST_UNDISTURBED, fate == LEFT_OUT);
    if (fate == LEFT_OUT) {
        r->root = last_root;
        return lead_s;
    }
    watch_batch(BATCH_KEEP);
    result->elapsed_s += elapsed - lead_s;
    result->laps += result->stride * keep(m, result, 1 + lead, n);
    return lead_s;
}

void sampling_collect(struct measure *m, struct result *result, long n,
                      bool lead_in)
{
    const struct family *family = bench_family(m->context->bench);
    const long lead = lead_in ? 1 : 0;
    const long most = m->batch < m->room - lead ? m->batch : m->room - lead;
    const clock_ticks begun = clock_now();
    double lead_s = 0;

    if (result->laps == 0 && family->forget != NULL)
        family->forget(m->context->run, true,
                       true); /* warm-up does not count */
    for (long k; n > 0; n -= k) {
        k = n < most ? n : most;
        lead_s += collect_batch(m, result, k, lead);
    }
    /* A long lead-in does not use up the time of the row. */
    m->spent_s += clock_seconds(clock_now() - begun) - lead_s;
}

/* What the samples say so far. */

static struct blame most_blamed(const long *blame, int ranks, size_t n)
{
    struct blame b = { -1, 0 };

    for (int i = 0; n > 0 && i < ranks; i++)
        if ((double)blame[i] > b.share * (double)n)
            b = (struct blame){ i, (double)blame[i] / (double)n };
    return b;
}

void sampling_describe(struct measure *m, struct result *result)
{
    const int ranks = m->context->world->size;
    struct global_times *g = &result->global;

    result->series = &m->series;
    m->series.slack = m->context->clock->tick_s / 2 / (double)result->stride;
    result->over_laps = series_describe(&m->series);
    result->slowest = m->context->bench->timed == TIMED_RANK_0
                          ? (struct blame){ -1, 0 }
                          : most_blamed(m->blame_slowest, ranks, m->series.n);
    if (!m->context->skewed)
        return;
    g->measured = true;
    g->completion_s = histogram_quantile(&m->completion, 0.5);
    g->skew_s = histogram_quantile(&m->skew, 0.5);
    g->skew_p95_s = histogram_quantile(&m->skew, 0.95);
    g->last_start = most_blamed(m->blame_start, ranks, m->series.n);
}
