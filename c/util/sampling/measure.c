/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include "buffer_pool.h"
#include "gpu/gpu.h"
#include "job/world.h"
#include "machine/hardware.h"
#include "machine/interference.h"
#include "machine/placement.h"
#include "memory/memory.h"
#include "over_ranks.h"
#include "sampling.h"
#include "start.h"

enum {
    LEAST_LAPS = 20, /* measured beyond the budget, as far as patience goes: */
    SLOW_LAPS = 3,   /* are enough of those that take long */
    LEAST_SAMPLES = 50, /* before an interval is believed */
    MOST_STRIDE = 1000,
};

static const double SETTLED = 0.005; /* s of warm-up */
static const double UNSETTLED = 4;   /* times that, if it does not settle */
static const double ENOUGH = 0.010;  /* s, before a row may end */
/* Runs differ by more than what a row gains beyond this (doc/method.md): with the default
   budget and precision it is enough. */
enum { ENOUGH_LAPS = 1000 };
static const double OVERRUN = 3;   /* budgets, for the laps above */
static const double PATIENCE = 10; /* s; no budget is overrun beyond it */
static const double CLOCK_SHARE = 0.0015; /* of a sample, at most */

/* A batch is so short that most are undisturbed next to what runs for some milliseconds
   now and then, and so long that what it costs to look is less than 1 % of it. */
static const double BATCH = 1e-3; /* s */
enum { LEAST_BATCH = 10 }; /* samples, so that a lead-in adds a tenth at most */

/* Do threads share CPUs?  They take turns of some milliseconds then: an iteration may
   take a thousand times as long as the ones before it. */
static bool takes_turns(const struct measure *m)
{
    return m->context->placement->threads.threads > 0;
}

/* Is it a disturbance when the kernel takes the CPU from a rank?  Not where ranks or their
   threads share CPUs, since they take it from each other. */
static bool has_cpus(const struct measure *m)
{
    const struct placement *p = m->context->placement;

    return !SIMULATED && !p->oversubscribed && p->shared.n == 0 &&
           !takes_turns(m);
}

/* May a sample be several laps?  Not of a stopwatch loop, not where percentiles over
   laps are asked for, not with something between laps, not where few laps are a batch. */
static bool may_stride(const struct measure *m)
{
    return !takes_turns(m) && m->context->bench->loop & LAPS &&
           m->context->settings->npercentiles == 0 &&
           !buffer_pool_pauses(m->context->run);
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
    const double k =
        ceil(m->context->clock->cost_s / CLOCK_SHARE / fmax(lap_s, 1e-9));

    if (!may_stride(m) || k < 1)
        return 1;
    return k > MOST_STRIDE ? MOST_STRIDE : (long)k;
}

double measure_budget(const struct measure *m)
{
    return settings_budget(m->context->settings);
}

/* What a pass may take until it has the least number of laps. */
static double patience_of(const struct measure *m)
{
    return fmax(m->budget_s, fmin(OVERRUN * m->budget_s, PATIENCE));
}

/* Samples beyond the budget: up to the least number of laps, as many as patience has room for. */
static double overrun(const struct measure *m, const struct result *result)
{
    const double n = (double)result->over_laps.n;
    const double left = patience_of(m) - m->spent_s;

    return fmax(0, fmin((double)(LEAST_LAPS - result->laps),
                        floor(left * n / fmax(m->spent_s, 1e-9))));
}

/* Samples of the next look; 0 and the reason if there shall be none. */
static double next_look(struct measure *m, struct result *result)
{
    const double target = settings_precision(m->context->settings);
    const double enough = fmin(m->budget_s / 10, ENOUGH);
    const clock_ticks before = clock_now();

    sampling_describe(m, result);
    m->spent_s += clock_seconds(clock_now() - before);
    const double left = m->budget_s - m->spent_s;
    const double n = (double)result->over_laps.n;
    /* As long as all batches were disturbed, the next may not be. */
    const bool sure =
        m->doubtful == 0 && n >= least_samples(m->context->settings);
    result->precise = sure && stats_half_width(&result->over_laps) <= target;
    if (result->precise && result->elapsed_s >= enough) {
        result->stop = STOP_PRECISION;
        return 0;
    }
    result->stop = STOP_ENOUGH;
    if (m->brief && sure && result->elapsed_s >= enough &&
        result->laps >= ENOUGH_LAPS && result->over_laps.has_interval)
        return 0;
    result->stop = STOP_BUDGET;
    if (left <= 0)
        return overrun(m, result);
    if (result->elapsed_s <= 0 && n >= LEAST_SAMPLES)
        return 0; /* a clock at rest (simulated time) uses no budget up */
    if (n == 0)   /* all were late */
        return LEAST_LAPS;
    return fmax(1, fmin(fmin(n, (double)m->most),
                        ceil(left * n / fmax(m->spent_s, 1e-9))));
}

static void measure_until_precise(struct measure *m, struct result *result)
{
    const double budget = m->budget_s;
    const double settled = fmin(budget / 25, SETTLED);
    const double limit = fmin(budget, UNSETTLED * settled);
    const double lap_s = sampling_settle(m, settled, limit, &result->warmup);
    double next =
        fmin(LEAST_LAPS, fmax(SLOW_LAPS, ceil(budget / fmax(lap_s, 1e-9))));
    double stride = (double)choose_stride(m, lap_s);

    /* First laps that take long are not the row's. */
    m->spent_s += fmin((double)result->warmup.laps * lap_s, limit);
    /* Clocks differ in cost from rank to rank. */
    sampling_decide(m, &stride);
    result->stride = (long)stride;
    const double sample_s = lap_s * stride;
    /* What takes longer is a batch each, and needs no lead-in: beginning unevenly is little
       next to it. */
    const bool brief = sample_s < BATCH;

    m->batch = brief
                   ? (long)fmin((double)m->room,
                                fmax(LEAST_BATCH, BATCH / fmax(sample_s, 1e-9)))
                   : 1;
    while (next > 0) {
        sampling_collect(m, result, (long)next, brief);
        if (m->context->world->rank == 0)
            next = next_look(m, result);
        sampling_decide(m, &next);
    }
}

static void measure_fixed(struct measure *m, struct result *result)
{
    const struct settings *s = m->context->settings;
    const size_t bytes =
        result->row->bytes; /* of the row: of stripes ranks differ */
    const struct sizes_counts *const omb = m->context->bench->counts;

    result->warmup.laps = settings_warmup(s, omb, bytes);
    result->stride = 1;
    result->stop = STOP_COUNT;
    result->precise = true;
    m->batch = m->room;
    /* The last lap of the warm-up is the lead-in. */
    sampling_untimed(m, result->warmup.laps - 1);
    sampling_collect(m, result, settings_laps(s, omb, bytes),
                     result->warmup.laps > 0);
    if (m->context->world->rank == 0)
        sampling_describe(m, result);
}

void measure_pass(struct measure *m, struct result *result, double budget_s)
{
    m->budget_s = budget_s;
    result->laps = 0;
    result->elapsed_s = 0;
    m->spent_s = 0;
    m->doubtful = 0;
    m->strict = m->leapt = false;
    result->over_laps = (struct stats){ 0 };
    sampling_clear(m);
    if (settings_fixed(m->context->settings))
        measure_fixed(m, result);
    else
        measure_until_precise(m, result);

    const struct spread spread = over_ranks_spread(
        m->context->world->comm,
        m->moments.n > 0 ? moments_mean(&m->moments) : NAN, sampling_counts(m));
    result->mean = spread.mean;
    result->mean_min = spread.min;
    result->mean_max = spread.max;
    result->ranks = spread.ranks;
    result->stepped |=
        over_ranks_spread(m->context->world->comm,
                          m->leapt ? -1 : m->moments.min, sampling_counts(m))
            .min < 0;
}

/* Do calls of MPI return before the GPU has done what they asked of it?  Then a figure
   is less than the operation takes, and verification, whose copies wait, misses it. */
enum { LOOKS = 5 };

static const double LITTLE = 0.05;     /* of a lap */
static const double LEAST_LEFT = 5e-6; /* s: what a wait may take longer */
static const double REST = 1e-3;       /* s */

static double wait_for_gpu(void)
{
    const clock_ticks before = clock_now();

    gpu_must(gpu_runtime()->wait(), "waiting after an iteration");
    return clock_seconds(clock_now() - before);
}

/* What a wait takes by itself, as after a lap: what is needed for it is no longer at hand. */
static double wait_in_vain(void)
{
    const clock_ticks before = clock_now();

    while (clock_seconds(clock_now() - before) < REST)
        continue;
    return wait_for_gpu();
}

/* Untimed laps, each by itself: what the wait after it takes longer than the longest wait
   in vain was left.  Certain: after every lap it was at least what is named above. */
static struct gpu_pending look_for_pending(struct measure *m, double lap_s)
{
    double left[LOOKS], found[] = { 0, 1 }; /* left, certain */
    double vain = 0;

    sampling_decide(m, &lap_s);
    for (int i = 0; i < LOOKS; i++) {
        sampling_untimed(m, 1);
        left[i] = wait_for_gpu();
        const double idle = wait_in_vain();
        vain = idle > vain ? idle : vain;
    }
    for (int i = 0; i < LOOKS; i++) {
        left[i] -= vain;
        if (left[i] < vain + LEAST_LEFT || left[i] < LITTLE * lap_s)
            found[1] = 0;
    }
    const double median = stats_of(left, LOOKS).median;

    found[0] = median > 0 ? median : 0;
    PMPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_DOUBLE, MPI_MAX,
                   m->context->world->comm);
    return (struct gpu_pending){ .known = true,
                                 .left_s = found[0],
                                 .certain = found[1] > 0 };
}

/* After the row: how far the clocks have run apart, and whether that is little
   enough next to what was measured by them. */
static void judge_clocks(struct measure *m, struct result *result)
{
    const struct clock_residual residual =
        clock_sync_residual(m->context->sync);

    result->global.synchronised = true;
    result->global.residual_s = residual.worst_s;
    result->global.bound_s = residual.bound_s;
    result->global.trusted =
        clock_sync_gate(&residual, result->over_laps.median);
}

void measure_row(struct measure *m, struct result *result)
{
    const struct family *family = m->context->bench->family;
    struct steady_state before, after;

    result->stepped = false;
    result->disturbed = (struct disturbance){ .watched = has_cpus(m) };
    m->watch = interference_watch(
        bench_is_threaded(m->context->bench, m->context->settings));
    if (m->context->sync != NULL)
        clock_sync_refresh(m->context->sync);
    buffer_pool_begin(m->context->run, m->context->world->comm);
    m->brief = settings_brief(m->context->settings);
    interference_look(&before);
    if (family != NULL && family->measure != NULL)
        family->measure(m, result);
    else
        measure_pass(m, result, measure_budget(m));
    interference_look(&after);
    if (settings_on_gpu(m->context->settings))
        result->gpu = look_for_pending(m, result->over_laps.median);
    buffer_pool_end(m->context->run);
    if (m->context->world->rank == 0)
        result->shape = series_shape(&m->series);
    if (m->context->sync != NULL)
        judge_clocks(m, result);
    result->steady =
        interference_compare(m->context->world->comm, &before, &after);
}

/* Memory of the sampling engine: measure_begin and measure_end. */

enum { LEAST = 1024 }; /* samples in a batch */

static const double SHARE = 0.1; /* of the memory of a node, at most */
static const double TURN = 4e-3; /* s, of a thread on a CPU that it shares */

/* Zeroed, and touched in a way that no compiler leaves out: a memset to 0 after calloc
   would be. */
static void *zeroed(size_t n, size_t size, bool *good)
{
    void *block = calloc(n, size);

    if (block == NULL)
        *good = false;
    else
        memory_rewrite(block, n * size);
    return block;
}

/* What all ranks of the fullest node need. */
static double need(const struct measure *m)
{
    return 3.0 * (double)m->room * sizeof *m->mine *
               m->context->placement->max_node_size +
           2.0 * SERIES_ROOM * sizeof *m->mine +
           3.0 * HISTOGRAM_COUNTERS * sizeof(uint64_t);
}

bool measure_begin(struct measure *m)
{
    const size_t ranks = (size_t)m->context->world->size;
    bool good = true;
    size_t room;

    m->room = MEASURE_BATCH;
    while (m->room > LEAST && need(m) > SHARE * (double)capacity_memory())
        m->room /= 2;
    PMPI_Allreduce(MPI_IN_PLACE, &m->room, 1, MPI_LONG, MPI_MIN,
                   m->context->world->comm);
    m->most = m->room;
    if (takes_turns(m))
        m->most =
            fmax(LEAST_LAPS, fmin(m->room, OVERRUN * measure_budget(m) / TURN));
    room = (size_t)m->room;
    m->ticks = zeroed(room + 2, sizeof *m->ticks, &good);
    m->begun = zeroed(room + 2, sizeof *m->begun, &good);
    m->mine = zeroed(room, sizeof *m->mine, &good);
    if (m->context->world->rank != 0)
        return good;
    m->blame_slowest = zeroed(ranks, sizeof *m->blame_slowest, &good);
    m->blame_start = zeroed(ranks, sizeof *m->blame_start, &good);
    return series_begin(&m->series) && histogram_begin(&m->completion) &&
           histogram_begin(&m->skew) && good;
}

void measure_end(struct measure *m)
{
    free(m->ticks);
    free(m->begun);
    free(m->mine);
    free(m->blame_slowest);
    free(m->blame_start);
    series_end(&m->series);
    histogram_end(&m->completion);
    histogram_end(&m->skew);
}
