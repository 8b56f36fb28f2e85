/* SPDX-License-Identifier: BSD-3-Clause */
#include "startup.h"

#include <math.h>
#include <unistd.h>

#include "bench.h"
#include "record/fields.h"
#include "run/measure.h"

/* --- What is printed --------------------------------------------------------- */

static void print_init(FILE *to, const struct result *r)
{
    fprintf(to, "nprocs: %d, min: %.0f ms, max: %.0f ms, avg: %.0f ms\n", r->ranks,
            1e3 * r->mean_min, 1e3 * r->mean_max, 1e3 * r->mean);
}

static void print_steps(FILE *to, const struct steps *s)
{
    fprintf(to, "# before_init: in steps of %.0fms;\n", 1e3 * s->tick_s);
    fprintf(to, "%-16s%18s%18s%18s\n", "# Step", "Mean(us)", "Min(us)", "Max(us)");
    for (int i = 0; i < s->n; i++)
        fprintf(to, "%-16s%18.2f%18.2f%18.2f\n", s->step[i].name, 1e6 * s->step[i].mean,
                1e6 * s->step[i].min, 1e6 * s->step[i].max);
}

const struct report report_init = {
    .unit = "us",
    .sample = "the call of MPI_Init, on every rank",
    .printed = "ms, rounded; minimum, maximum and mean over ranks",
    .headline = report_latency_columns,
    .compact = true,
};
const struct report report_hello = { .sample = "none",
                                     .printed = "the number of ranks; to be timed from outside",
                                     .compact = true };

/* --- The family ---------------------------------------------------------------- */

static const char *const names[STARTUP_STEPS] = {
    [STARTUP_BEFORE] = "before_init",   [STARTUP_INIT] = "init",
    [STARTUP_SESSION] = "session_init", [STARTUP_GROUP] = "group",
    [STARTUP_COMM] = "communicator",    [STARTUP_FIRST] = "first_barrier",
    [STARTUP_SECOND] = "second_barrier"
};

/* Collect the steps that took place, over the ranks. */
static void look_at_steps(struct steps *s, const struct world *world)
{
    s->tick_s = 1 / (double)sysconf(_SC_CLK_TCK);
    for (int i = 0; i < STARTUP_STEPS; i++) {
        const double mine = world->startup->step_s[i];
        const struct spread spread = over_ranks_spread(world->comm, mine, isfinite(mine));

        if (spread.ranks > 0)
            s->step[s->n++] = (struct step){ names[i], spread.mean, spread.min, spread.max };
    }
}

static enum exit_code run(const struct context *c, struct measure *m)
{
    const bool timed = c->bench->takes & TAKES_STEPS;
    const struct spread spread =
        over_ranks_spread(c->world->comm, c->world->startup->step_s[STARTUP_INIT], 1);
    struct result result = output_result(c, spread.ranks, spread.mean, spread.min, spread.max);
    struct steps *steps = steps_of(c->run);

    if (timed)
        look_at_steps(steps, c->world);
    output_title(c);
    if (c->world->rank == 0) {
        if (timed)
            print_init(stdout, &result);
        else
            printf("This is a test with %d processes\n", result.ranks);
        if (c->settings->full && steps->n > 0)
            print_steps(stdout, steps);
        fflush(stdout);
    }
    output_record(c, &result);
    return EXIT_OK;
}

static void record_steps(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct steps *s = steps_of(c->run);

    if (what->result == NULL || s->n == 0)
        return;
    const struct fields steps = fields_object(*to, "steps");

    for (int i = 0; i < s->n; i++) {
        const struct fields step = fields_object(steps, s->step[i].name);

        fields_us(step, "mean_us", s->step[i].mean);
        fields_us(step, "min_us", s->step[i].min);
        fields_us(step, "max_us", s->step[i].max);
    }
    fields_us(steps, "tick_us", s->tick_s);
}

const struct family startup_family = {
    .name = "startup",
    .state = sizeof(struct steps),
    .run = run,
    .record = record_steps,
};
