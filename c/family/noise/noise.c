/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/stats.h"
#include "bench.h"
#include "record/fields.h"
#include "run/measure.h"

/* --- Which ranks ------------------------------------------------------------------ */

struct ranked {
    int rank;
    double most; /* what they are sorted by */
};

static int more(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->most != y->most)
        return x->most < y->most ? 1 : -1;
    return x->rank - y->rank;
}

static int before(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    return x->rank - y->rank;
}

static double lost(const struct noise_rank *r)
{
    return r->detours.lost;
}

static bool is_tick(const struct noise_rank *r, const struct period *p)
{
    return fabs(p->period_s - r->tick_s) < 0.01 * r->tick_s;
}

/* The part of the time that goes to that period; 0: too little to name, or, unless asked
   for, the timer tick. */
static double share_of(const struct noise_rank *r, const struct period *p, bool tick)
{
    const double share = r->detours.total_s > 0 ? p->lost_s / r->detours.total_s : 0;

    return share >= NOISE_SHARE && is_tick(r, p) == tick ? share : 0;
}

static double most_share(const struct noise_rank *r, bool tick)
{
    double most = 0;

    for (int i = 0; i < PERIODS_MOST; i++)
        most = fmax(most, share_of(r, &r->detours.period[i], tick));
    return most;
}

static double lost_in_period(const struct noise_rank *r)
{
    return most_share(r, false);
}

static double slowness(const struct noise_rank *r)
{
    const struct detours *d = &r->detours;

    return d->slow ? d->typical_s / d->quantum_s : 0;
}

/* All ranks, those with most first. */
static struct ranked *sort_by(const struct noise *noise, int ranks,
                              double (*most)(const struct noise_rank *r))
{
    struct ranked *order = world_room((size_t)ranks, sizeof *order, "the order of all ranks");

    for (int i = 0; i < ranks; i++)
        order[i] = (struct ranked){ i, most(&noise->rank[i]) };
    qsort(order, (size_t)ranks, sizeof *order, more);
    return order;
}

/* --- What is printed ---------------------------------------------------------------- */

/* A number, or "-" for none. */
static const char *number(bool known, const char *format, double value, char text[32])
{
    if (!known)
        return "-";
    snprintf(text, 32, format, value);
    return text;
}

/* Has any of these ranks one?  If not, the table has no column for it. */
static bool has_periods(const struct noise *noise, const struct ranked *order, int rows)
{
    for (int i = 0; i < rows; i++)
        if (noise->rank[order[i].rank].detours.period[0].period_s > 0)
            return true;
    return false;
}

static void print_rank(FILE *to, const struct noise *noise, int rank, bool periods)
{
    const struct environment_rank *e = &noise->of[rank];
    const struct noise_rank *r = &noise->rank[rank];
    const struct detours *d = &r->detours;
    char cpu[32], period[32];

    fprintf(to, "%-7d %-5d %-12s %-5s %12.2f %10.3f %10.1f %12.2f", rank, e->node, e->host,
            number(!r->moved && r->cpu >= 0, "%.0f", r->cpu, cpu), 1e6 * d->quantum_s,
            100 * d->lost, d->per_s, 1e6 * d->longest_s);
    if (periods)
        fprintf(to, " %12s",
                number(d->period[0].period_s > 0, "%.4g", 1e3 * d->period[0].period_s, period));
    fputc('\n', to);
}

static void begin_line(FILE *to, const struct noise *noise, const char *about, int rank)
{
    const struct noise_rank *r = &noise->rank[rank];

    fprintf(to, "# %s: rank=%d; host=%s; ", about, rank, noise->of[rank].host);
    if (r->moved)
        fputs("cpu=several; ", to);
    else
        fprintf(to, "cpu=%d; ", r->cpu);
}

static void say_period(FILE *to, const struct noise *noise, int rank)
{
    const struct noise_rank *r = &noise->rank[rank];

    for (int i = 0; i < PERIODS_MOST; i++) {
        const struct period *p = &r->detours.period[i];
        const double share = share_of(r, p, false);

        if (share <= 0)
            continue;
        begin_line(to, noise, "Noise", rank);
        fprintf(to, "period=%.4g ms; lost=%.2f%%;\n", 1e3 * p->period_s, 100 * share);
    }
}

static void say_slow(FILE *to, const struct noise *noise, int rank)
{
    begin_line(to, noise, "Speed", rank);
    fprintf(to, "median quantum=%.2f times the shortest;\n", slowness(&noise->rank[rank]));
}

/* All CPUs have the tick of their kernel, so one line says what it takes. */
static void say_tick(FILE *to, const struct noise *noise, int ranks)
{
    double least = 1, most = 0, tick_s = 0;
    int n = 0;

    for (int i = 0; i < ranks; i++) {
        const double share = most_share(&noise->rank[i], true);

        if (share <= 0)
            continue;
        n++;
        least = fmin(least, share);
        if (share > most) {
            most = share;
            tick_s = noise->rank[i].tick_s;
        }
    }
    if (n > 0)
        fprintf(to,
                "# Timer tick: period=%.4g ms; lost=%.2f%% to %.2f%%; "
                "ranks=%d;\n",
                1e3 * tick_s, 100 * least, 100 * most, n);
}

/* A line for each rank that has something, those with most first. */
static void say_each(FILE *to, const struct noise *noise, int ranks, const char *about,
                     double (*most)(const struct noise_rank *r),
                     void (*say)(FILE *to, const struct noise *noise, int rank))
{
    struct ranked *order = sort_by(noise, ranks, most);
    int n = 0;

    while (n < ranks && order[n].most > 0)
        n++;
    for (int i = 0; i < n && i < NOISE_LINES; i++)
        say(to, noise, order[i].rank);
    if (n > NOISE_LINES)
        fprintf(to, "# %s: and %d more ranks;\n", about, n - NOISE_LINES);
    free(order);
}

/* A row for each rank; then lines of what is clear. */
static void noise_print_ranks(FILE *to, const struct context *c, const struct noise *noise)
{
    const int ranks = c->world->size, rows = ranks < NOISE_ROWS ? ranks : NOISE_ROWS;
    struct ranked *order = sort_by(noise, ranks, lost);

    qsort(order, (size_t)rows, sizeof *order, before);
    const bool periods = has_periods(noise, order, rows);

    fprintf(to, "%-7s %-5s %-12s %-5s %12s %10s %10s %12s", "# Rank", "Node", "Host", "CPU",
            "Quantum(us)", "Lost(%)", "Detours/s", "Longest(us)");
    if (periods)
        fprintf(to, " %12s", "Period(ms)");
    fputc('\n', to);
    for (int i = 0; i < rows; i++)
        print_rank(to, noise, order[i].rank, periods);
    free(order);
    if (ranks > rows)
        fprintf(to, "# Ranks not shown: %d, which lost less; --json=FILE has all;\n", ranks - rows);
    if (c->placement->oversubscribed) {
        fputs("# W08: more ranks than CPUs: ranks stop each other;\n", to);
        return;
    }
    say_each(to, noise, ranks, "Noise", lost_in_period, say_period);
    say_tick(to, noise, ranks);
    say_each(to, noise, ranks, "Speed", slowness, say_slow);
}

/* --- JSON ------------------------------------------------------------------------- */

static void record_rank(const struct noise *noise, int rank, struct fields to)
{
    const struct noise_rank *r = &noise->rank[rank];
    const struct detours *d = &r->detours;
    struct fields part;

    fields_int(to, "rank", rank);
    fields_text(to, "host", noise->of[rank].host);
    fields_known_int(to, "cpu", !r->moved && r->cpu >= 0, r->cpu);
    fields_int(to, "quanta", d->quanta);
    fields_real(to, "total_s", d->total_s);
    fields_us(to, "quantum_us", d->quantum_s);
    fields_us(to, "median_us", d->typical_s);
    fields_flag(to, "slow", d->slow);
    fields_int(to, "detours", d->n);
    fields_real(to, "lost", d->lost);
    fields_us(to, "longest_us", d->longest_s);
    part = fields_list(to, "periods");
    for (int i = 0; i < PERIODS_MOST && d->period[i].period_s > 0; i++) {
        const struct fields one = fields_object(part, NULL);

        fields_us(one, "period_us", d->period[i].period_s);
        fields_real(one, "lost", d->period[i].lost_s / d->total_s);
        fields_flag(one, "tick", is_tick(r, &d->period[i]));
    }
    part = fields_list(to, "longest");
    for (int i = 0; i < d->nkept; i++) {
        const struct fields one = fields_object(part, NULL);

        fields_real(one, "at_s", d->kept[i].at_s);
        fields_us(one, "lost_us", d->kept[i].lost_s);
    }
}

enum { QUANTA, QUANTA_AND_ALLREDUCE, QUANTA_LEAST = 100, QUANTA_MOST = 4000000 };
static const double SHARE_OF_TURNS = 0.25;

/* --- Options ------------------------------------------------------------------- */

static const struct option_row options[] = {
    { 0, "quantum", "TIME", .group = OPTIONS_TIME, .common = true,
      .help = "work between two readings of the clock; suffixes us, ms, s", .fallback = "100us",
      .kind = OPTION_SECONDS, .offset = offsetof(struct noise_settings, quantum_s), .min = 1e-6 },
    { 0, "budget", "TIME", .group = OPTIONS_TIME, .common = true,
      .help = "length of the first part; the second, with an allreduce after "
              "each quantum, takes a quarter of it at most",
      .fallback = "10s", .kind = OPTION_SECONDS,
      .offset = offsetof(struct noise_settings, budget_s), .min = 1e-3 },
    { 0 },
};
static const struct noise_settings defaults = { .quantum_s = 100e-6, .budget_s = 10 };

static void refuse(const struct context *c, struct refusal *r)
{
    const struct noise_settings *own = c->settings->family;

    if (own->budget_s / own->quantum_s > QUANTA_MOST)
        refusal_because(r, E12_USAGE,
                        "--budget has more than 4000000 quanta; choose a "
                        "longer --quantum");
    if (own->budget_s / own->quantum_s < QUANTA_LEAST)
        refusal_because(r, E12_USAGE,
                        "--budget has fewer than 100 quanta; choose a shorter "
                        "--quantum or a longer --budget");
}

/* --- A quantum of work --------------------------------------------------------- */

enum { TRIAL = 100000, TRIALS = 200 }; /* steps; some 0.1 ms */

void quantum_run(long steps)
{
    static volatile uint64_t sink;
    uint64_t x = sink;

    for (long i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    sink = x;
}

/* Steps that last so many seconds on the fastest rank, at least 1; the same on every rank.
   All ranks compute for some ms at a time, as they will later.  Collective over comm. */
static long quantum_calibrate(MPI_Comm comm, double seconds)
{
    double best = HUGE_VAL;

    for (int i = 0; i < TRIALS; i++) {
        const clock_ticks before = clock_now();

        quantum_run(TRIAL);
        best = fmin(best, clock_seconds(clock_now() - before));
    }
    PMPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE, MPI_MIN, comm);
    /* A clock that stands still (simulated time) tells nothing. */
    return best > 0 ? (long)fmax(1, round(seconds / best * TRIAL)) : 1;
}

/* --- Part 1 ---------------------------------------------------------------------- */

/* Room for all of them, even if the CPU is faster than when it was calibrated. */
static void allocate(struct quanta *q, const struct noise_settings *s)
{
    q->room = (long)(1.25 * s->budget_s / s->quantum_s) + 2;
    if (SIMULATED && q->room > MEASURE_BATCH)
        q->room = MEASURE_BATCH;
    q->mark = world_keep((size_t)q->room, sizeof *q->mark, "samples");
    /* Page faults would be detours. */
    memset(q->mark, 1, (size_t)q->room * sizeof *q->mark);
}

static void judge(const struct quanta *q, struct detours *d)
{
    double *took_s = world_room((size_t)q->n, sizeof *took_s, "samples");

    for (long i = 0; i < q->n - 1; i++)
        took_s[i] = clock_seconds(q->mark[i + 1] - q->mark[i]);
    detours_of(took_s, q->n - 1, d);
    free(took_s);
}

/* Run one iteration of that loop. */
static void iteration(struct measure *m, int operation)
{
    m->context->run->operation = operation;
    measure_iterations(m, 1);
}

/* The coarse clock of Linux moves at each tick. */
static double tick(void)
{
    struct timespec t = { 0, 0 };

    clock_getres(CLOCK_MONOTONIC_COARSE, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void find_noise(const struct context *c, struct measure *m, struct noise_rank *mine)
{
    const struct noise_settings *s = c->settings->family;
    struct noise *noise = noise_of(c->run);
    struct quanta *q = &noise->quanta;

    allocate(q, s);
    *mine = (struct noise_rank){ .cpu = sched_getcpu(), .tick_s = tick() };
    q->steps = quantum_calibrate(c->world->comm, s->quantum_s);
    q->lasts = (clock_ticks)(s->budget_s / clock_state.tick_s);
    iteration(m, QUANTA);
    mine->moved = sched_getcpu() != mine->cpu;
    progress_phase("looking for a period");
    judge(q, &mine->detours);
}

/* --- Part 2 ---------------------------------------------------------------------- */

/* A rank's readings, in s; and of each iteration of all ranks on rank 0. */
struct readings {
    double *work, *wait;
    struct slowest {
        double work;
        int rank;
    } * slowest;
    double together; /* sum */
};

/* --- Sums ----------------------------------------------------------------------- */

/* What a rank adds in iteration i, from 0. */
static int64_t part(int64_t i, int rank)
{
    return i + rank + 1;
}

static int64_t whole(int64_t i, int ranks)
{
    return ranks * i + (int64_t)ranks * (ranks + 1) / 2;
}

static void fill_sums(struct turns *t, long from, int rank)
{
    for (int i = 0; i < TURNS; i++) {
        t->mine[i] = part(from + i, rank);
        t->sum[i] = -1;
    }
}

/* The first that is wrong, from 1; 0: none. */
static long find_wrong(const struct turns *t, long from, int ranks)
{
    for (int i = 0; i < t->n; i++)
        if (t->sum[i] != whole(from + i, ranks))
            return from + i + 1;
    return 0;
}

/* All ranks learn of the first rank that has a wrong sum. */
static long agree(const struct world *world, long wrong, int *rank)
{
    *rank = world_first(world, wrong > 0);
    if (*rank < world->size)
        PMPI_Bcast(&wrong, 1, MPI_LONG, *rank, world->comm);
    return wrong;
}

/* --- Times ---------------------------------------------------------------------- */

static void collect(const struct turns *t, long from, struct readings *r)
{
    for (int i = 0; i < t->n; i++) {
        r->work[from + i] = clock_seconds(t->worked[i] - t->begun[i]);
        r->wait[from + i] = clock_seconds(t->begun[i + 1] - t->worked[i]);
        r->together += clock_seconds(t->begun[i + 1] - t->begun[i]);
    }
}

/* Is there time for another batch, as rank 0 sees it? */
static bool has_time(const struct world *world, clock_ticks begun, double duration_s)
{
    int more = clock_seconds(clock_now() - begun) < duration_s;

    PMPI_Bcast(&more, 1, MPI_INT, 0, world->comm);
    return more;
}

/* Of each iteration the slowest rank, and the shortest allreduce. */
static void reduce(struct readings *r, const struct world *world, long n)
{
    for (long i = 0; i < n; i++)
        r->slowest[i] = (struct slowest){ r->work[i], world->rank };
    for (long i = 0; i < n; i += GATHER_CHUNK) {
        const int count = (int)(n - i < GATHER_CHUNK ? n - i : GATHER_CHUNK);
        const bool root = world->rank == 0;

        PMPI_Reduce(root ? MPI_IN_PLACE : &r->slowest[i], root ? &r->slowest[i] : NULL, count,
                    MPI_DOUBLE_INT, MPI_MAXLOC, 0, world->comm);
        PMPI_Reduce(root ? MPI_IN_PLACE : &r->wait[i], root ? &r->wait[i] : NULL, count, MPI_DOUBLE,
                    MPI_MIN, 0, world->comm);
    }
}

/* Whose detours the others waited for. */
static struct blame find_blame(const struct readings *r, long n, int ranks, double quantum_s)
{
    double *lost = world_room((size_t)ranks, sizeof *lost, "what each rank loses");
    struct blame blame = { .rank = -1 };
    double sum = 0;

    for (long i = 0; i < n; i++)
        if (r->slowest[i].work > DETOUR * quantum_s) {
            lost[r->slowest[i].rank] += r->slowest[i].work - quantum_s;
            sum += r->slowest[i].work - quantum_s;
        }
    for (int i = 0; i < ranks && sum > 0; i++)
        if (lost[i] > blame.share * sum)
            blame = (struct blame){ i, lost[i] / sum };
    free(lost);
    return blame;
}

static void judge_turns(struct readings *r, const struct world *world, long n,
                        struct turns_cost *cost)
{
    double shortest = HUGE_VAL, lost = 0;

    for (long i = 0; i < n; i++)
        shortest = fmin(shortest, r->work[i]);
    for (long i = 0; i < n; i++)
        lost += r->work[i] - shortest;
    const struct spread quantum = over_ranks_spread(world->comm, shortest, 1),
                        own = over_ranks_spread(world->comm, lost, 1),
                        together = over_ranks_spread(world->comm, r->together, 1);

    reduce(r, world, n);
    if (world->rank > 0)
        return;
    cost->n = n;
    cost->quantum_s = quantum.max;
    cost->blame = find_blame(r, n, world->size, quantum.max);
    stats_sort(r->wait, (size_t)n);
    cost->allreduce_s = stats_quantile(r->wait, (size_t)n, 0.5);
    cost->together_s = together.mean / (double)n;
    cost->least_s = together.min / (double)n;
    cost->most_s = together.max / (double)n;

    const double ideal = cost->quantum_s + cost->allreduce_s;

    if (ideal > 0) {
        cost->cost = cost->together_s / ideal - 1;
        cost->own = own.mean / (double)n / ideal;
    }
}

/* --- Batches -------------------------------------------------------------------- */

/* Run batches until rank 0 sees that their time is over, and check every sum after its batch.  The
   cost is on rank 0.  Collective; EXIT_OK, or the code to leave with, said why. */
static enum exit_code find_cost(const struct context *c, struct measure *m)
{
    const struct noise_settings *s = c->settings->family;
    struct turns *t = &noise_of(c->run)->turns;
    struct turns_cost *cost = &noise_of(c->run)->cost;
    struct readings r = {
        .work = world_keep(TURNS_MOST, sizeof *r.work, "samples"),
        .wait = world_keep(TURNS_MOST, sizeof *r.wait, "samples"),
        .slowest = world_keep(TURNS_MOST, sizeof *r.slowest, "samples"),
    };
    const clock_ticks begun = clock_now();
    long n = 0, wrong;
    int rank;

    *cost = (struct turns_cost){ .blame.rank = -1 };
    /* The first batch is not counted: it opens connections. */
    for (bool first = true;; first = false) {
        t->n = TURNS;
        fill_sums(t, n, c->world->rank);
        iteration(m, QUANTA_AND_ALLREDUCE);
        wrong = agree(c->world, find_wrong(t, n, c->world->size), &rank);
        if (wrong > 0)
            return world_refuse(c->world, E14_WRONG_DATA,
                                "wrong data; operation=MPI_Allreduce; size=8; "
                                "iteration=%ld; rank=%d;",
                                wrong, rank);
        if (first)
            continue;
        collect(t, n, &r);
        n += TURNS;
        if (n == TURNS_MOST || !has_time(c->world, begun, SHARE_OF_TURNS * s->budget_s))
            break;
    }
    judge_turns(&r, c->world, n, cost);
    cost->elapsed_s = clock_seconds(clock_now() - begun);
    return EXIT_OK;
}

/* --- The family ------------------------------------------------------------------ */

/* The row of the allreduce, and after it the rank that it waits for, if that is clear. */
static void show_cost(const struct context *c, const struct result *result)
{
    const struct row row = { .element = ELEMENT_CHAR, .operation = QUANTA_AND_ALLREDUCE };
    const struct noise *noise = noise_of(c->run);
    const struct blame *blame = &noise->cost.blame;

    output_alone(c, &row, result);
    if (c->world->rank > 0)
        return;
    if (!c->placement->oversubscribed && result_is_straggler(blame, c->world->size)) {
        begin_line(stdout, noise, "Held up by", blame->rank);
        printf("share=%.0f%%;\n", 100 * blame->share);
    }
    fflush(stdout);
}

static enum exit_code run(const struct context *c, struct measure *m)
{
    struct noise *noise = noise_of(c->run);
    const struct turns_cost *cost = &noise->cost;
    struct noise_rank mine;
    struct result result;
    enum exit_code code;

    if (m == NULL) {
        const struct noise_settings *s = c->settings->family;

        printf("# noise for %g s; then for at most %g s with an allreduce;\n", s->budget_s,
               SHARE_OF_TURNS * s->budget_s);
        return EXIT_OK;
    }
    progress_phase("noise");
    find_noise(c, m, &mine);
    noise->of = environment_ranks(c->world, c->placement);
    noise->rank = world_gather(c->world->comm, &mine, sizeof mine, "the noise of all ranks");
    output_title(c);
    if (c->world->rank == 0) {
        noise_print_ranks(stdout, c, noise);
        fflush(stdout);
    }
    progress_phase("allreduce");
    code = find_cost(c, m);
    if (code != EXIT_OK)
        return code;
    noise->shown = fmax(0, cost->cost);
    result = output_result(c, c->world->size, cost->together_s, cost->least_s, cost->most_s);
    result.iterations = cost->n;
    result.elapsed_s = cost->elapsed_s;
    result.verified.checked = 1;
    show_cost(c, &result);
    output_record(c, &result);
    return EXIT_OK;
}

static void record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct noise_settings *s = c->settings->family;
    const struct turns_cost *cost = &noise_of(c->run)->cost;
    struct fields part;

    if (what->part == RECORDED_METHOD) {
        fields_flag(*to, "verified", true);
        fields_real(*to, "quantum_s", s->quantum_s);
        fields_real(*to, "budget_s", s->budget_s);
        fields_real(*to, "detour", DETOUR);
    }
    if (what->result == NULL)
        return;
    const struct fields object = fields_object(*to, "noise");
    const struct fields ranks = fields_list(object, "ranks");

    for (int i = 0; i < c->world->size; i++)
        record_rank(noise_of(c->run), i, fields_object(ranks, NULL));
    part = fields_object(object, "allreduce");
    fields_int(part, "iterations", cost->n);
    fields_us(part, "quantum_us", cost->quantum_s);
    fields_us(part, "allreduce_us", cost->allreduce_s);
    fields_us(part, "together_us", cost->together_s);
    fields_real(part, "cost", cost->cost);
    fields_real(part, "own", cost->own);
    part = fields_known(part, "held_up_by", cost->blame.rank >= 0);
    fields_int(part, "rank", cost->blame.rank);
    fields_real(part, "share", cost->blame.share);
}

/* --- The row of the allreduce ------------------------------------------------------- */

static const struct report_column columns[] = {
    { { "quantum_us", "  Quantum(us)", 0, 2 }, COLUMN_US(struct noise, cost.quantum_s) },
    { { "allreduce_us", "Allreduce(us)", 0, 2 }, COLUMN_US(struct noise, cost.allreduce_s) },
    { { "together_us", "Together(us)", 0, 2 }, COLUMN_US(struct noise, cost.together_s) },
    { { "cost_percent", "Cost(%)", 0, 3 }, COLUMN_PERCENT(struct noise, shown) },
    { { "own_percent", "Own Loss(%)", 0, 3 }, COLUMN_PERCENT(struct noise, cost.own) },
    { { NULL, NULL, 0 }, NULL },
};

const struct report report_noise = {
    .unit = "us",
    .sample = "a fixed quantum of work, on every rank; then a quantum and an "
              "allreduce of 8 bytes, on every rank",
    .printed = "us of the shortest quantum, time lost in %, detours/s, us of "
               "the longest, ms of their period; then us of a quantum and an "
               "allreduce, and the cost of noise in %",
    .compact = true,
    .headline = columns,
    .no_type_line = true,
};

const struct family noise_family = {
    .name = "noise",
    FAMILY_OPTIONS(options, defaults),
    .refuse = refuse,
    .state = sizeof(struct noise),
    .run = run,
    .record = record,
};
