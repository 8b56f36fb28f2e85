/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "job/world.h"
#include "noise_report.h"
#include "report/output.h"
#include "sampling/measure.h"

enum {
    QUANTA,
    QUANTA_AND_ALLREDUCE,
    QUANTA_LEAST = 100,
    QUANTA_MOST = 4000000
};
static const double SHARE_OF_TURNS = 0.25;

/* --- Options ------------------------------------------------------------------- */

static const struct option_row options[] = {
    { 0, "quantum", "TIME", .group = OPTIONS_TIME, .common = true,
      .help = "work between two readings of the clock; suffixes us, ms, s",
      .fallback = "100us", .kind = OPTION_SECONDS,
      .offset = offsetof(struct noise_settings, quantum_s), .min = 1e-6 },
    { 0, "budget", "TIME", .group = OPTIONS_TIME, .common = true,
      .help = "length of the first part; the second, with an allreduce after "
              "each quantum, takes a quarter of it",
      .fallback = "10s", .kind = OPTION_SECONDS,
      .offset = offsetof(struct noise_settings, budget_s), .min = 1e-3 },
    { 0 },
};
static const struct noise_settings defaults = { .quantum_s = 100e-6,
                                                .budget_s = 10 };

static const struct noise_settings *settings_of(const struct settings *s)
{
    return s->family;
}

static void refuse(const struct context *c, struct refusal *r)
{
    const struct noise_settings *own = settings_of(c->settings);

    if (own->budget_s / own->quantum_s > QUANTA_MOST)
        refusal_because(r, E12_USAGE,
                        "--budget has more than 4000000 quanta; choose a "
                        "longer --quantum");
    if (own->budget_s / own->quantum_s < QUANTA_LEAST)
        refusal_because(r, E12_USAGE,
                        "--budget has fewer than 100 quanta; choose a shorter "
                        "--quantum or a longer --budget");
}

/* --- Part 1 ---------------------------------------------------------------------- */

/* Room for all of them, even if the CPU is faster than when it was calibrated. */
static bool allocate(struct quanta *q, const struct noise_settings *s)
{
    q->room = (long)(1.25 * s->budget_s / s->quantum_s) + 2;
    if (SIMULATED && q->room > MEASURE_BATCH)
        q->room = MEASURE_BATCH;
    q->mark = malloc((size_t)q->room * sizeof *q->mark);
    if (q->mark == NULL)
        return false;
    /* Page faults would be detours. */
    memset(q->mark, 1, (size_t)q->room * sizeof *q->mark);
    return true;
}

static bool judge(const struct quanta *q, struct detours *d)
{
    double *took_s = malloc((size_t)q->n * sizeof *took_s);
    bool good = took_s != NULL;

    for (long i = 0; good && i < q->n - 1; i++)
        took_s[i] = clock_seconds(q->mark[i + 1] - q->mark[i]);
    good = good && detours_of(took_s, q->n - 1, d);
    free(took_s);
    return good;
}

/* Run one lap of that loop. */
static void lap(struct measure *m, int operation)
{
    m->context->run->operation = operation;
    measure_laps(m, 1);
}

/* The coarse clock of Linux moves at each tick. */
static double tick(void)
{
    struct timespec t = { 0, 0 };

    clock_getres(CLOCK_MONOTONIC_COARSE, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool find_noise(const struct context *c, struct measure *m,
                       struct noise_rank *mine)
{
    const struct noise_settings *s = settings_of(c->settings);
    struct noise *noise = noise_of(c->run);
    struct quanta *q = &noise->quanta;
    bool good = allocate(q, s);

    *mine = (struct noise_rank){ .cpu = sched_getcpu(), .tick_s = tick() };
    q->steps = quantum_calibrate(c->world->comm, s->quantum_s);
    q->lasts = (clock_ticks)(s->budget_s / clock_state.tick_s);
    if (world_first(c->world, !good) < c->world->size)
        return false;
    lap(m, QUANTA);
    mine->moved = sched_getcpu() != mine->cpu;
    progress_phase("looking for a period");
    good = judge(q, &mine->detours);
    return world_first(c->world, !good) == c->world->size;
}

static void gather(const struct context *c, const struct noise_rank *mine)
{
    struct noise *noise = noise_of(c->run);

    environment_collect(&noise->environment, c->world, c->placement);
    if (c->world->rank == 0) {
        noise->rank = world_room((size_t)c->world->size, sizeof *noise->rank,
                                 "the noise of all ranks");
    }
    PMPI_Gather(mine, sizeof *mine, MPI_BYTE, noise->rank, sizeof *mine,
                MPI_BYTE, 0, c->world->comm);
}

/* --- Part 2 ---------------------------------------------------------------------- */

static void batch(void *measure)
{
    lap(measure, QUANTA_AND_ALLREDUCE);
}

static enum exit_code find_cost(const struct context *c, struct measure *m)
{
    struct noise *noise = noise_of(c->run);
    long wrong;
    int rank;

    if (!turns_run(&noise->turns, c->world,
                   SHARE_OF_TURNS * settings_of(c->settings)->budget_s, batch,
                   m, &noise->cost, &wrong, &rank))
        return world_refuse(c->world, E20_OUT_OF_MEMORY, c->bench->name,
                            "memory for samples could not be allocated");
    if (wrong > 0)
        return world_refuse(c->world, E14_WRONG_DATA, c->bench->name,
                            "wrong data; operation=MPI_Allreduce; size=8; "
                            "iteration=%ld; rank=%d;",
                            wrong, rank);
    return EXIT_OK;
}

/* --- The family ------------------------------------------------------------------ */

static void show_cost(const struct context *c, struct output *o,
                      const struct result *result)
{
    const struct row row = { .element = ELEMENT_CHAR,
                             .operation = QUANTA_AND_ALLREDUCE };

    output_alone(o, c, &row, result);
    if (c->world->rank == 0) {
        noise_print_blame(stdout, c, noise_of(c->run));
        fflush(stdout);
    }
}

static enum exit_code run(const struct context *c, struct measure *m,
                          struct output *o)
{
    const struct turns_cost *cost = &noise_of(c->run)->cost;
    struct noise_rank mine;
    struct result result;
    enum exit_code code;

    if (m == NULL) {
        const double budget_s = settings_of(c->settings)->budget_s;

        printf("# noise for %g s; then for %g s with an allreduce;\n", budget_s,
               SHARE_OF_TURNS * budget_s);
        return EXIT_OK;
    }
    progress_phase("noise");
    if (!find_noise(c, m, &mine))
        return world_refuse(c->world, E20_OUT_OF_MEMORY, c->bench->name,
                            "memory for samples could not be allocated");
    gather(c, &mine);
    output_title(c);
    if (c->world->rank == 0) {
        noise_print_ranks(stdout, c, noise_of(c->run));
        fflush(stdout);
    }
    progress_phase("allreduce");
    code = find_cost(c, m);
    if (code != EXIT_OK)
        return code;
    noise_of(c->run)->shown = fmax(0, cost->cost);
    result = output_result(c, c->world->size, cost->together_s, cost->least_s,
                           cost->most_s);
    result.laps = cost->n;
    result.elapsed_s = cost->elapsed_s;
    result.verified.checked = 1;
    show_cost(c, o, &result);
    output_record(c, &result);
    return EXIT_OK;
}

static void end(const struct context *c)
{
    struct noise *noise = noise_of(c->run);

    environment_release(&noise->environment);
    free(noise->quanta.mark);
    free(noise->rank);
}

static void record(const struct context *c, const struct recorded *what,
                   struct fields *to)
{
    const struct noise_settings *s = settings_of(c->settings);

    if (what->result != NULL)
        noise_record(c, noise_of(c->run), *to);
    if (!recorded_is_method(what))
        return;
    fields_flag(*to, "verified", true);
    fields_real(*to, "quantum_s", s->quantum_s);
    fields_real(*to, "budget_s", s->budget_s);
    fields_real(*to, "detour", DETOUR);
}

/* --- The row of the allreduce ------------------------------------------------------- */

static const struct report_column columns[] = {
    { { "quantum_us", "  Quantum(us)", 0, 2 },
      COLUMN_US(struct noise, cost.quantum_s) },
    { { "allreduce_us", "Allreduce(us)", 0, 2 },
      COLUMN_US(struct noise, cost.allreduce_s) },
    { { "together_us", "Together(us)", 0, 2 },
      COLUMN_US(struct noise, cost.together_s) },
    { { "cost_percent", "Cost(%)", 0, 3 },
      COLUMN_PERCENT(struct noise, shown) },
    { { "own_percent", "Own Loss(%)", 0, 3 },
      COLUMN_PERCENT(struct noise, cost.own) },
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
    .options = options,
    .defaults = &defaults,
    .settings = sizeof defaults,
    .refuse = refuse,
    .state = sizeof(struct noise),
    .run = run,
    .record = record,
    .end = end,
};
