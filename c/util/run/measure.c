/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "job/placement.h"
#include "job/progress.h"
#include "prepare.h"
#include "watch.h"

/* --- Samples of many ranks made into one row ------------------------------------------ */

struct pair { /* MPI_DOUBLE_INT */
    double value;
    int rank;
};

static int rank_in(MPI_Comm comm)
{
    int rank;

    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/* MPI_MAXLOC would name the lowest rank of equals: here nobody is. */
static void larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const struct pair *a = in;
    struct pair *b = inout;

    for (int i = 0; i < *n; i++)
        if (a[i].value > b[i].value) {
            /* Not the whole struct: the library's buffer may end before the padding of the last. */
            b[i].value = a[i].value;
            b[i].rank = a[i].rank;
        } else if (a[i].value == b[i].value) {
            b[i].rank = -1;
        }
}

/* The largest of mine[0..n-1] over the ranks, and whose alone it is, or -1; on rank 0. */
static void largest(MPI_Comm comm, const double *mine, int n, struct pair *result)
{
    const int rank = rank_in(comm);
    struct pair pair[GATHER_CHUNK];
    MPI_Op op;

    memset(pair, 0, sizeof pair);
    for (int i = 0; i < n; i++)
        pair[i] = (struct pair){ mine[i], rank };
    PMPI_Op_create(larger, 1, &op);
    PMPI_Reduce(pair, result, n, MPI_DOUBLE_INT, op, 0, comm);
    PMPI_Op_free(&op);
}

static int chunk_at(long i, long n)
{
    return n - i < GATHER_CHUNK ? (int)(n - i) : GATHER_CHUNK;
}

void over_ranks_slowest(MPI_Comm comm, const double *mine, long n, double *slowest, long *blame)
{
    const bool root = rank_in(comm) == 0;
    struct pair most[GATHER_CHUNK];

    for (long i = 0; i < n; i += GATHER_CHUNK) {
        const int m = chunk_at(i, n);

        largest(comm, mine + i, m, most);
        for (int k = 0; root && k < m; k++) {
            slowest[i + k] = most[k].value;
            if (most[k].rank >= 0)
                blame[most[k].rank]++;
        }
    }
}

/* Per iteration, by the global clock, in seconds: from the first start to the last end
   (completion), and from the first start to the last (skew); blame[rank] counts the
   iterations that this rank began last.  counts: this rank measures.  n is at most
   GATHER_CHUNK.  Collective; results on rank 0. */
static void span(MPI_Comm comm, const double *begun, const double *ended, bool counts, int n,
                 double *completion, double *skew, long *blame)
{
    double start[GATHER_CHUNK], edge[2 * GATHER_CHUNK], most[2 * GATHER_CHUNK];
    struct pair last[GATHER_CHUNK];

    for (int i = 0; i < n; i++) {
        start[i] = counts ? begun[i] : -DBL_MAX;
        /* A maximum of the negative is the minimum. */
        edge[i] = counts ? -begun[i] : -DBL_MAX;
        edge[n + i] = counts ? ended[i] : -DBL_MAX;
    }
    largest(comm, start, n, last);
    PMPI_Reduce(edge, most, 2 * n, MPI_DOUBLE, MPI_MAX, 0, comm);
    for (int i = 0; rank_in(comm) == 0 && i < n; i++) {
        completion[i] = most[n + i] + most[i];
        skew[i] = last[i].value + most[i];
        if (last[i].rank >= 0)
            blame[last[i].rank]++;
    }
}

void over_ranks_any_zero(MPI_Comm comm, clock_ticks *ticks, long n)
{
    unsigned char zero[GATHER_CHUNK];

    for (long i = 0; i < n; i += GATHER_CHUNK) {
        const int m = chunk_at(i, n);

        for (int k = 0; k < m; k++)
            zero[k] = ticks[i + k] == 0;
        PMPI_Allreduce(MPI_IN_PLACE, zero, m, MPI_UNSIGNED_CHAR, MPI_MAX, comm);
        for (int k = 0; k < m; k++)
            if (zero[k])
                ticks[i + k] = 0;
    }
}

struct spread over_ranks_spread(MPI_Comm comm, double mine, int measures)
{
    double sum[2] = { measures ? mine : 0, measures != 0 };
    double edge[2] = { measures ? -mine : -DBL_MAX, measures ? mine : -DBL_MAX };

    PMPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, comm);
    PMPI_Allreduce(MPI_IN_PLACE, edge, 2, MPI_DOUBLE, MPI_MAX, comm);
    return (struct spread){
        .mean = sum[0] / sum[1], .min = -edge[0], .max = edge[1], .ranks = (int)sum[1]
    };
}

struct extreme over_ranks_longest(MPI_Comm comm, double time, int partner)
{
    struct {
        double time;
        int rank;
    } longest = { .time = time }; /* MPI_DOUBLE_INT */

    PMPI_Comm_rank(comm, &longest.rank);
    PMPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    PMPI_Bcast(&partner, 1, MPI_INT, longest.rank, comm);
    return (struct extreme){ longest.time, longest.rank, partner };
}

/* --- Running the loop in batches, and keeping what it took --------------------------- */

static const double AGREEMENT = 1.10; /* of two batches of the warm-up */
static const double LEAP = 1.01;      /* clocks that nobody sets differ less */
static const double AT_LAST = 10;     /* limits, and the warm-up ends */

/* Run samples times stride iterations, from a common start; their duration here. */
static double run_batch(struct measure *m, long samples, long stride)
{
    struct bench_run *r = m->context->run;
    const struct flow *flow = m->context->bench->flow;
    /* Where iterations differ, or threads share them, the flow does not tell. */
    const bool alike = !r->root_rotates && flow->turns == NULL &&
                       !bench_is_threaded(m->context->bench, m->context->settings);

    if (subset_waits(r)) {
        subset_wait(m->ticks, m->begun, samples);
        progress.waiting = true;
        return 0;
    }
    iterations_prepare(&r->iterations, m->ticks, m->begun, samples, stride);
    progress_row(r->bytes, &r->iterations, alike ? flow->sends(r) : 0,
                 alike ? flow->receives(r) : 0);
    start_batch(r);
    const double witness_s = clock_witness_s();
    const clock_ticks before = clock_now();
    bench_loop(m->context->bench, r->operation)(r);
    const double elapsed = clock_seconds(clock_now() - before);
    /* The witness sees no less than the clock, also where the CPU is taken away in between. */
    m->leapt |= !SIMULATED &&
                elapsed > LEAP * (clock_witness_s() - witness_s) + m->context->clock->resolution_s;
    progress.waiting = true;
    return elapsed;
}

double measure_iterations(struct measure *m, long iterations)
{
    return run_batch(m, iterations, 1);
}

/* What rank 0 decided, on every rank. */
static void decide(const struct measure *m, double *value)
{
    PMPI_Bcast(value, 1, MPI_DOUBLE, 0, m->context->world->comm);
}

static bool agree(double a, double b)
{
    return a <= AGREEMENT * b && b <= AGREEMENT * a;
}

/* Warm-up: iterations in doubling batches until a time has passed and the last two batches agree,
   but for no longer than limit.  Returns the time of an iteration in the quickest batch, on every
   rank. */
static double settle(struct measure *m, double seconds, double limit, struct warmup *warmup)
{
    double spent = 0, before = 0, iteration = 0, quickest = HUGE_VAL, next = 1;

    warmup->iterations = 0;
    warmup->settled = false;
    while (next > 0) {
        const double elapsed = run_batch(m, (long)next, 1);

        spent += elapsed;
        warmup->iterations += (long)next;
        before = iteration;
        iteration = elapsed / next;
        quickest = fmin(quickest, iteration);
        /* Iterations count as if all had been as quick as the quickest: one that
           takes long once, the first use of something, is no reason to warm
           up less.  What only one batch says is not believed. */
        const double took = before > 0 ? (double)warmup->iterations * quickest : 0;

        warmup->settled = took >= seconds && agree(iteration, before);
        /* A clock at rest, as simulated time may be, never gets there. */
        if (warmup->settled || took >= limit || spent >= AT_LAST * limit ||
            (spent <= 0 && warmup->iterations >= m->room))
            next = 0;
        else if (elapsed < limit)
            next = fmin(fmin(2 * next, (double)m->most),
                        fmax(next, ceil((seconds - took) / quickest)));
        decide(m, &next);
    }
    warmup->last_s = iteration;
    decide(m, &quickest);
    return quickest;
}

/* Do this rank's times count? */
static bool is_timed(const struct measure *m)
{
    if (subset_waits(m->context->run))
        return false;
    if (m->context->bench->timed == TIMED_RANK_0)
        return m->context->run->rank == 0;
    return m->context->bench->timed == TIMED_ALL || m->context->run->sender;
}

/* Forget the samples of the row before. */
static void clear(struct measure *m)
{
    m->moments = (struct moments){ 0 };
    watch_batch(BATCH_CLEAR);
    if (m->context->world->rank != 0)
        return;
    series_clear(&m->series);
    series_clear(&m->completion);
    series_clear(&m->skew);
    series_clear(&m->latest);
    memset(m->blame_slowest, 0, (size_t)m->context->world->size * sizeof *m->blame_slowest);
    memset(m->blame_start, 0, (size_t)m->context->world->size * sizeof *m->blame_start);
}

/* Close the gaps of iterations that some rank began too late; how many are left. */
static long drop_late(struct measure *m, clock_ticks *ticks, clock_ticks *begun, long n)
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

/* Completion and skew of each iteration by the global clock, and what is left between them. */
static void keep_global(struct measure *m, const clock_ticks *ticks, const clock_ticks *begun,
                        long n)
{
    double from[GATHER_CHUNK], to[GATHER_CHUNK], completion[GATHER_CHUNK], skew[GATHER_CHUNK];
    double latest[GATHER_CHUNK];

    for (long i = 0; i < n; i += GATHER_CHUNK) {
        const int k = chunk_at(i, n);

        for (int j = 0; j < k; j++) {
            from[j] = clock_sync_global(m->context->sync, begun[i + j]);
            to[j] = clock_sync_global(m->context->sync, begun[i + j] + ticks[i + j]);
        }
        span(m->context->world->comm, from, to, is_timed(m), k, completion, skew, m->blame_start);
        if (m->context->world->rank == 0) {
            for (int j = 0; j < k; j++)
                latest[j] = completion[j] - skew[j];
            series_add(&m->completion, completion, (size_t)k);
            series_add(&m->skew, skew, (size_t)k);
            series_add(&m->latest, latest, (size_t)k);
        }
    }
}

/* Is something done between iterations? */
static bool pauses(const struct bench_run *r)
{
    return r->iterations.between != NULL;
}

/* Does every iteration begin with all ranks, so that one of them can be late for it? */
static bool iterations_start_together(const struct measure *m)
{
    const struct bench_run *r = m->context->run;

    return r->start->can_be_late &&
           (!(m->context->bench->loop & BACK_TO_BACK) || (pauses(r) && r->pool->together));
}

static const double MANY = 0.2; /* of the iterations */

/* After so many iterations: if some rank was told too late in more than a fifth of them, twice the
   lead from now on, up to eight times the first. */
static void review_start(struct start *start, long iterations)
{
    PMPI_Allreduce(MPI_IN_PLACE, &start->told_late, 1, MPI_LONG, MPI_MAX, start->comm);
    if ((double)start->told_late > MANY * (double)iterations)
        start->lead_s = fmin(2 * start->lead_s, start->most_lead_s);
    start->told_late = 0;
}

/* Take over the n samples of a batch that begin at first; how many count. */
static long keep(struct measure *m, struct result *result, long first, long n)
{
    clock_ticks *ticks = m->ticks + first, *begun = m->begun + first;
    const double counts = is_timed(m) ? 1 : 0;
    const long ran = n;

    if (iterations_start_together(m)) {
        n = drop_late(m, ticks, begun, n);
        if (!subset_waits(m->context->run))
            review_start(m->context->run->start, ran);
    }
    result->late += ran - n;
    for (long i = 0; i < n; i++)
        m->mine[i] = counts * clock_seconds(ticks[i]) / (double)result->stride;
    moments_add(&m->moments, m->mine, (size_t)n);
    if (m->context->skewed)
        keep_global(m, ticks, begun, n);
    if (m->context->bench->timed != TIMED_RANK_0)
        over_ranks_slowest(m->context->world->comm, m->mine, n, m->mine, m->blame_slowest);
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
    int disturbed = !subset_waits(m->context->run) && interference_batch_disturbed(&m->watch);

    PMPI_Allreduce(MPI_IN_PLACE, &disturbed, 1, MPI_INT, MPI_MAX, m->context->world->comm);
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
    clear(m);
    result->iterations = 0;
    result->elapsed_s = 0;
    result->late = 0;
}

/* One batch of n samples after a lead-in of lead samples, which takes the time that is returned. */
static double collect_batch(struct measure *m, struct result *result, long n, long lead)
{
    const struct family *family = bench_family(m->context->bench);
    const bool watched = result->disturbed.watched;
    struct bench_run *const r = m->context->run;
    const int last_root = r->root;

    /* The root of a lead-in would never count where as many ranks as iterations are in a batch. */
    if (r->root_rotates && lead > 0 && result->iterations > 0)
        r->root = (last_root + r->nranks - 1) % r->nranks;
    r->iterations.counted = m->ticks + 1 + lead;
    if (watched)
        interference_batch_begins(&m->watch);
    watch_batch(BATCH_START);
    const double elapsed = run_batch(m, n + lead, result->stride);
    watch_batch(BATCH_STOP);
    /* Samples of threads overlap: one may be longer than its share of the batch. */
    const double lead_s = lead > 0 ? fmin(clock_seconds(m->ticks[1]), elapsed) : 0;
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
    result->iterations += result->stride * keep(m, result, 1 + lead, n);
    return lead_s;
}

/* Measure n more samples.  With a lead-in one sample more runs in front of each batch
   and is dropped: ranks enter the loop at slightly different times, with caches that
   something else has used. */
static void collect(struct measure *m, struct result *result, long n, bool lead_in)
{
    const struct family *family = bench_family(m->context->bench);
    const long lead = lead_in ? 1 : 0;
    const long most = m->batch < m->room - lead ? m->batch : m->room - lead;
    const clock_ticks begun = clock_now();
    double lead_s = 0;

    if (result->iterations == 0 && family->forget != NULL)
        family->forget(m->context->run, true, true); /* warm-up does not count */
    for (long k; n > 0; n -= k) {
        k = n < most ? n : most;
        lead_s += collect_batch(m, result, k, lead);
    }
    /* A long lead-in does not use up the time of the row. */
    m->spent_s += clock_seconds(clock_now() - begun) - lead_s;
}

static struct blame most_blamed(const long *blame, int ranks, size_t n)
{
    struct blame b = { -1, 0 };

    for (int i = 0; n > 0 && i < ranks; i++)
        if ((double)blame[i] > b.share * (double)n)
            b = (struct blame){ i, (double)blame[i] / (double)n };
    return b;
}

/* Fill in what the samples so far say of the population over iterations; on rank 0. */
static void describe(struct measure *m, struct result *result)
{
    const int ranks = m->context->world->size;

    result->series = &m->series;
    m->series.slack = m->context->clock->tick_s / 2 / (double)result->stride;
    result->over_iterations = series_describe(&m->series);
    result->slowest = m->context->bench->timed == TIMED_RANK_0
                          ? (struct blame){ -1, 0 }
                          : most_blamed(m->blame_slowest, ranks, m->series.n);
}

/* The same of what the global clock says of them. */
static void describe_global(struct measure *m, struct result *result)
{
    struct global_times *g = &result->global;

    g->measured = true;
    g->completion_s = series_describe(&m->completion).median;
    g->skew_s = series_describe(&m->skew).median;
    g->latest_s = series_describe(&m->latest).median;
    g->skew_p95_s = series_quantile(&m->skew, 0.95);
    g->last_start = most_blamed(m->blame_start, m->context->world->size, m->series.n);
}

/* --- How long: what rank 0 decides between batches ----------------------------------- */

enum {
    LEAST_ITERATIONS = 20, /* measured beyond the budget, as far as patience goes: */
    SLOW_ITERATIONS = 3,   /* are enough of those that take long */
    LEAST_SAMPLES = 50,    /* before an interval is believed */
    MOST_STRIDE = 1000,
};

static const double WARM = 0.02, SETTLED = 0.005;  /* of the budget, and s, of warm-up */
static const double UNSETTLED = 4;                 /* times that, if it does not settle */
static const double LASTED = 0.05, ENOUGH = 0.010; /* of it, and s, before a row may end */
/* Runs differ by more than what a row gains beyond this (doc/method.md): with the default
   budget and precision it is enough. */
enum { ENOUGH_ITERATIONS = 1000 };
static const double OVERRUN = 1.5;        /* budgets, for the iterations above */
static const double PATIENCE = 10;        /* s; no budget is overrun beyond it */
static const double CLOCK_SHARE = 0.0015; /* of a sample, at most */

/* A batch is so short that most are undisturbed next to what runs for some milliseconds
   now and then, and so long that what it costs to look is less than 1 % of it. */
static const double BATCH = 1e-3; /* s */
enum { LEAST_BATCH = 10 };        /* samples, so that a lead-in adds a tenth at most */
static const double MISLED = 4;   /* times as long as it is, an iteration seemed */

/* Do threads share CPUs?  They take turns of some milliseconds then: an iteration may
   take a thousand times as long as the ones before it. */
static bool takes_turns(const struct measure *m)
{
    return m->context->placement->threads.threads > 0;
}

/* May a sample be several iterations?  Not of a stopwatch loop, not where percentiles over
   iterations are asked for, not with something between iterations, not where few iterations are a
   batch. */
static bool may_stride(const struct measure *m)
{
    return !takes_turns(m) && m->context->bench->loop & BACK_TO_BACK &&
           m->context->settings->npercentiles == 0 && !pauses(m->context->run);
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

static long choose_stride(const struct measure *m, double iteration_s)
{
    const double k = ceil(m->context->clock->cost_s / CLOCK_SHARE / fmax(iteration_s, 1e-9));

    if (!may_stride(m) || k < 1)
        return 1;
    return k > MOST_STRIDE ? MOST_STRIDE : (long)k;
}

/* Samples beyond the budget: up to the least number of iterations, as many as patience has room
   for. */
static double overrun(const struct measure *m, const struct result *result)
{
    const double n = (double)m->series.n;
    const double patience = fmax(m->budget_s, fmin(OVERRUN * m->budget_s, PATIENCE));
    const double left = patience - m->spent_s;

    return fmax(0, fmin((double)(LEAST_ITERATIONS - result->iterations),
                        floor(left * n / fmax(m->spent_s, 1e-9))));
}

/* What follows a look at the samples so far: so many more, or none, and then why the row ends. */
struct next {
    double samples;
    enum stop_reason stop;
};

/* Samples until the row has lasted that long, as far as those before tell; n: there are. */
static double missing(const struct result *result, double n, double seconds)
{
    return ceil(n * (seconds / fmax(result->elapsed_s, 1e-9) - 1));
}

/* Why the row may end with the samples so far; STOP_BUDGET: there is no reason yet. */
static enum stop_reason reason(struct measure *m, struct result *result)
{
    const double target = m->context->settings->precision;
    const clock_ticks before = clock_now();

    describe(m, result);
    m->spent_s += clock_seconds(clock_now() - before);
    /* As long as all batches were disturbed, the next may not be. */
    const bool sure =
        m->doubtful == 0 && (double)m->series.n >= least_samples(m->context->settings);
    result->precise = sure && stats_half_width(&result->over_iterations) <= target;
    return result->precise ? STOP_PRECISION
           : m->brief && sure && result->iterations >= ENOUGH_ITERATIONS &&
                   result->over_iterations.has_interval
               ? STOP_ENOUGH
               : STOP_BUDGET;
}

static struct next next_look(struct measure *m, struct result *result)
{
    const double enough_s = fmin(LASTED * m->budget_s, ENOUGH);
    /* Before that nothing ends the row, and samples need not be described. */
    const bool long_enough = result->elapsed_s >= enough_s;
    struct next next = { 0, STOP_BUDGET };

    if (long_enough)
        next.stop = reason(m, result);
    if (next.stop != STOP_BUDGET)
        return next;

    const double left = m->budget_s - m->spent_s;
    const double n = (double)m->series.n;
    /* There are twice as many then, or just enough to end. */
    const double most = fmin(n, (double)m->most);
    const double wanted = long_enough ? most : fmin(most, missing(result, n, enough_s));
    if (left <= 0)
        next.samples = overrun(m, result);
    else if (n == 0) /* all were late */
        next.samples = LEAST_ITERATIONS;
    else if (result->elapsed_s > 0 || n < LEAST_SAMPLES)
        next.samples = fmax(1, fmin(wanted, ceil(left * n / fmax(m->spent_s, 1e-9))));
    /* Else a clock at rest (simulated time) uses no budget up. */
    if (next.samples == 0 && !long_enough)
        describe(m, result);
    return next;
}

static void measure_until_precise(struct measure *m, struct result *result)
{
    const double budget = m->budget_s;
    const double settled = fmin(WARM * budget, SETTLED);
    const double limit = fmin(budget, UNSETTLED * settled);
    double iteration_s = settle(m, settled, limit, &result->warmup), next, stride, median_s;

    /* First iterations that take long are not the row's. */
    m->spent_s += fmin((double)result->warmup.iterations * iteration_s, limit);
    for (;;) {
        next =
            fmin(LEAST_ITERATIONS, fmax(SLOW_ITERATIONS, ceil(budget / fmax(iteration_s, 1e-9))));
        stride = (double)choose_stride(m, iteration_s);
        /* Clocks differ in cost from rank to rank. */
        decide(m, &stride);
        result->stride = (long)stride;
        const double sample_s = fmax(iteration_s * stride, 1e-9);
        /* What takes longer is a batch each, and needs no lead-in: beginning unevenly is little
           next to it. */
        m->batch =
            sample_s < BATCH ? (long)fmin((double)m->room, fmax(LEAST_BATCH, BATCH / sample_s)) : 1;
        collect(m, result, (long)next, m->batch > 1);
        median_s = m->context->world->rank == 0 ? series_describe(&m->series).median : 0;
        decide(m, &median_s);
        if (!(median_s > 0 && median_s < iteration_s / MISLED))
            break;
        /* Something else had the CPU in all batches of the warm-up, which goes on. */
        result->warmup.iterations += result->iterations;
        start_again(m, result);
        m->doubtful = 0;
        m->strict = false; /* until one of the row's own is undisturbed */
        iteration_s = median_s;
    }
    while (next > 0) {
        if (m->context->world->rank == 0) {
            const struct next look = next_look(m, result);

            next = look.samples;
            result->stop = look.stop;
        }
        decide(m, &next);
        if (next > 0)
            collect(m, result, (long)next, m->batch > 1);
    }
}

static void measure_fixed(struct measure *m, struct result *result)
{
    const struct settings *s = m->context->settings;
    const size_t bytes = result->row->bytes; /* of the row: of stripes ranks differ */
    const struct sizes_counts *const omb = m->context->bench->counts;

    result->warmup.iterations = sizes_count(s->warmup.steps > 0 ? &s->warmup : &omb->warmup, bytes);
    result->stride = 1;
    result->stop = STOP_COUNT;
    result->precise = true;
    m->batch = m->room;
    /* The last iteration of the warm-up is the lead-in. */
    for (long left = result->warmup.iterations - 1; left > 0; left -= m->room)
        run_batch(m, left < m->room ? left : m->room, 1);
    collect(m, result, settings_iterations(s, omb, bytes), result->warmup.iterations > 0);
    if (m->context->world->rank == 0)
        describe(m, result);
}

void measure_pass(struct measure *m, struct result *result, double budget_s)
{
    m->budget_s = budget_s;
    result->iterations = 0;
    result->elapsed_s = 0;
    result->precise = false;
    m->spent_s = 0;
    m->doubtful = 0;
    m->strict = m->leapt = false;
    result->over_iterations = (struct stats){ 0 };
    clear(m);
    if (settings_fixed(m->context->settings))
        measure_fixed(m, result);
    else
        measure_until_precise(m, result);
    if (m->context->skewed && m->context->world->rank == 0)
        describe_global(m, result);

    const struct spread spread = over_ranks_spread(
        m->context->world->comm, m->moments.n > 0 ? moments_mean(&m->moments) : NAN, is_timed(m));
    result->mean = spread.mean;
    result->mean_min = spread.min;
    result->mean_max = spread.max;
    result->ranks = spread.ranks;
    int stepped = is_timed(m) && (m->leapt || m->moments.min < 0);

    PMPI_Allreduce(MPI_IN_PLACE, &stepped, 1, MPI_INT, MPI_MAX, m->context->world->comm);
    result->stepped |= stepped;
}

/* --- Memory of the sampling engine --------------------------------------------------- */

enum { LEAST = 1024 }; /* samples in a batch */

static const double SHARE = 0.1; /* of the memory of a node, at most */
static const double TURN = 4e-3; /* s, of a thread on a CPU that it shares */

/* Zeroed, and touched in a way that no compiler leaves out: a memset to 0 after calloc would be. */
static void *zeroed(size_t n, size_t size)
{
    void *const block = world_keep(n, size, "samples");

    memory_rewrite(block, n * size);
    return block;
}

/* What all ranks of the fullest node need. */
static double need(const struct measure *m)
{
    return 3.0 * (double)m->room * sizeof *m->mine * m->context->placement->max_node_size +
           (m->context->skewed ? 4.0 : 1.0) * SERIES_BYTES;
}

void measure_begin(struct measure *m)
{
    const size_t ranks = (size_t)m->context->world->size;
    size_t room;

    m->room = MEASURE_BATCH;
    while (m->room > LEAST && need(m) > SHARE * (double)capacity_memory())
        m->room /= 2;
    PMPI_Allreduce(MPI_IN_PLACE, &m->room, 1, MPI_LONG, MPI_MIN, m->context->world->comm);
    m->most = m->room;
    if (takes_turns(m))
        m->most = fmax(LEAST_ITERATIONS,
                       fmin(m->room, OVERRUN * settings_budget(m->context->settings) / TURN));
    room = (size_t)m->room;
    m->ticks = zeroed(room + 2, sizeof *m->ticks);
    m->begun = zeroed(room + 2, sizeof *m->begun);
    m->mine = zeroed(room, sizeof *m->mine);
    if (m->context->world->rank != 0)
        return;
    m->blame_slowest = zeroed(ranks, sizeof *m->blame_slowest);
    m->blame_start = zeroed(ranks, sizeof *m->blame_start);
    series_begin(&m->series, zeroed(1, SERIES_BYTES));
    if (!m->context->skewed)
        return;
    series_begin(&m->completion, zeroed(1, SERIES_BYTES));
    series_begin(&m->skew, zeroed(1, SERIES_BYTES));
    series_begin(&m->latest, zeroed(1, SERIES_BYTES));
}
