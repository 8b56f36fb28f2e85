/* SPDX-License-Identifier: BSD-3-Clause */
#include "nas.h"

#include <math.h>
#include <stdio.h>

#include "base/sizes.h"
#include "bench.h"
#include "job/launch.h"
#include "job/world.h"
#include "machine/hardware.h"
#include "machine/placement.h"
#include "report/output.h"
#include "report/report.h"
#include "sampling/measure.h"
#include "sampling/over_ranks.h"

/* --- Options ------------------------------------------------------------------- */

static const struct choice class_words[] = {
    { "S", NAS_S, "for tests: milliseconds" },
    { "W", NAS_W, "small" },
    { "A", NAS_A, "at least four times as large as W" },
    { "B", NAS_B, "at least four times as large as A" },
    { "C", NAS_C, "at least four times as large as B" },
    { 0 },
};

#define CLASS(first)                                                           \
    {                                                                          \
        0, "class", "CLASS", .group = OPTIONS_DATA, .common = true,            \
                             .help = "problem size, by the NAS specification", \
                             .fallback = (first), .kind = OPTION_CHOICE,       \
                             .offset = offsetof(struct nas_settings, class),   \
                             .choices = class_words, .json = "class"           \
    }
const struct option_row nas_is_options[] = { CLASS("B"), { 0 } };
const struct option_row nas_ft_options[] = { CLASS("A"), { 0 } };

static const char *class_name(const struct settings *s)
{
    return choice_word(class_words, nas_settings(s)->class);
}

static struct problem problem_of(const struct context *c, int ranks)
{
    const struct nas_settings *n = nas_settings(c->settings);
    struct problem problem;

    n->application->describe(n->class, ranks, &problem);
    return problem;
}

void nas_refuse(const struct context *c, struct refusal *r)
{
    char example[600];
    int fewer;

    if (c->known < KNOWN_RANKS)
        return;
    fewer = c->world->size;
    while (!problem_of(c, fewer).divides)
        fewer--;
    if (fewer == c->world->size)
        return;
    launch_example(example, sizeof example, fewer, c->settings->started_as);
    refusal_because(r, E02_WRONG_RANKS,
                    "class %s needs %s; started: %d. For example: %s",
                    class_name(c->settings), problem_of(c, fewer).needs,
                    c->world->size, example);
}

static void print_problem(const struct context *c, const struct problem *p)
{
    printf("# class=%s; %s iterations=%d;\n", class_name(c->settings), p->size,
           p->iterations);
}

static void say_plan(const struct context *c)
{
    const struct problem problem = problem_of(c, c->world->size);
    const double available = MEMORY_PERCENT / 100.0 * (double)capacity_memory();
    char text[2][32];

    print_problem(c, &problem);
    printf("# memory of each rank=%s; memory free here=%s;\n",
           size_words((double)problem.bytes, text[0]),
           size_words(available, text[1]));
}

/* --- Memory -------------------------------------------------------------------- */

/* Is there room on every node for its ranks?  All ranks need as much. */
static enum exit_code check_memory(const struct context *c)
{
    const double own = (double)problem_of(c, c->world->size).bytes;
    const size_t limit = c->settings->memory_limit;
    double need = own, least = (double)c->placement->available;
    char needed[32], available[32];
    int fits;

    if (limit > 0 && own > (double)limit)
        return world_refuse(c->world, E10_NOTHING_FITS, c->bench->name,
                            "class=%s; needs=%s; mem-limit per rank=%zu;",
                            class_name(c->settings), size_words(own, needed),
                            limit);
    PMPI_Allreduce(MPI_IN_PLACE, &need, 1, MPI_DOUBLE, MPI_SUM,
                   c->placement->node);
    fits = need <= MEMORY_PERCENT / 100.0 * least;
    PMPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, c->world->comm);
    PMPI_Allreduce(MPI_IN_PLACE, &need, 1, MPI_DOUBLE, MPI_MAX, c->world->comm);
    PMPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN,
                   c->world->comm);
    return fits
               ? EXIT_OK
               : world_refuse(c->world, E10_NOTHING_FITS, c->bench->name,
                              "class=%s; needs=%s per node; available=%s;",
                              class_name(c->settings), size_words(need, needed),
                              size_words(least, available));
}

static enum exit_code begin(const struct context *c)
{
    const struct nas_settings *n = nas_settings(c->settings);
    const enum exit_code code = check_memory(c);
    char what[32];

    if (code != EXIT_OK)
        return code;
    snprintf(what, sizeof what, "class %s", class_name(c->settings));
    return world_agree_memory(c->world, c->bench->name,
                              n->application->begin(c->run, n->class), what);
}

void nas_end(const struct context *c)
{
    nas_settings(c->settings)->application->end(c->run);
}

/* --- Its results --------------------------------------------------------------- */

static struct cell verdict(const struct result *r)
{
    return cell_word(result_verdict(r, false));
}

static const struct report_column columns[] = {
    { { "run_s", "       Run Time(s)", 0, 6 },
      COLUMN_OF(struct nas, whole.run.max) },
    { { "communication_s", "In MPI(s)", 0, 6 },
      COLUMN_OF(struct nas, whole.inside.mean) },
    { { "computation_s", "Outside(s)", 0, 6 },
      COLUMN_OF(struct nas, whole.outside.mean) },
    { { "mop_per_s", "Mop/s", 0 }, COLUMN_OF(struct nas, whole.mop_per_s) },
    { { "validation", "Validation", 0 }, verdict },
    { { NULL, NULL, 0 }, NULL },
};

const struct report report_whole = {
    .unit = "s",
    .sample = "one run of all iterations, on every rank, after an untimed "
              "one of a single iteration",
    .printed = "s: run time of the slowest rank; time in MPI and outside, mean "
               "over ranks; Mop/s by the operations that NAS counts; then each "
               "MPI call: how often, mean over ranks, slowest rank",
    .scale =
        1e-6, /* an iteration is a whole run, and its time is printed in s */
    .compact = true,
    .headline = columns,
    .no_type_line = true,
};

static void print_share(FILE *to, const struct share *share)
{
    fprintf(to, "%-20s", share->name);
    if (share->calls > 0)
        fprintf(to, "%10ld", share->calls);
    else
        fprintf(to, "%10s", "-");
    fprintf(to, "%18.6f%18.6f%18d\n", share->mean, share->max, share->slowest);
}

static void whole_print(FILE *to, const struct whole *w)
{
    fprintf(to, "%-20s%10s%18s%18s%18s\n", "# Part", "Calls", "Mean(s)",
            "Max(s)", "Slowest rank");
    for (int i = 0; i < w->calls; i++)
        print_share(to, &w->call[i]);
    print_share(to, &w->outside);
    print_share(to, &w->run);
    fflush(to);
}

static void record_share(const struct share *share, const char *name,
                         struct fields to)
{
    const struct fields part = fields_object(to, name);

    fields_real(part, "mean_s", share->mean);
    fields_real(part, "max_s", share->max);
    fields_int(part, "slowest", share->slowest);
    if (share->calls > 0)
        fields_int(part, "calls", share->calls);
}

static void whole_record(const struct whole *w, struct fields to)
{
    const struct fields object = fields_object(to, "application");

    fields_text(object, "class", w->class);
    fields_text(object, "size", w->problem.size);
    fields_int(object, "iterations", w->problem.iterations);
    fields_real(object, "operations", w->problem.operations);
    record_share(&w->run, w->run.name, object);
    record_share(&w->inside, w->inside.name, object);
    record_share(&w->outside, w->outside.name, object);
    const struct fields calls = fields_object(object, "calls");

    for (int i = 0; i < w->calls; i++)
        record_share(&w->call[i], w->call[i].name, calls);
}

/* --- The run ------------------------------------------------------------------- */

/* Run once, of so many iterations of the kernel; returns its seconds on this rank. */
static double run_kernel(const struct context *c, struct measure *m,
                         int iterations)
{
    struct nas *nas = nas_of(c->run);

    nas->iterations = iterations;
    nas->parts = (struct parts){ 0 };
    nas->keys.passed = 0;
    measure_iterations(m, 1);
    return clock_seconds(m->ticks[1]);
}

static struct share share_of(const struct world *world, const char *name,
                             long calls, double mine)
{
    const struct extreme most = over_ranks_longest(world->comm, mine, 0);

    return (struct share){
        .name = name,
        .calls = calls,
        .mean = over_ranks_spread(world->comm, mine, 1).mean,
        .max = most.time,
        .slowest = most.rank,
    };
}

/* Divide the time of the run into its parts. */
static void divide(const struct context *c, double seconds)
{
    const struct application *a = nas_settings(c->settings)->application;
    const struct parts *p = &nas_of(c->run)->parts;
    struct whole *w = &nas_of(c->run)->whole;
    double inside = 0;

    for (int i = 0; i < PARTS_MAX && a->calls[i] != NULL; i++) {
        const double part = clock_seconds(p->spent[i]);

        w->call[w->calls++] =
            share_of(c->world, a->calls[i], p->calls[i], part);
        inside += part;
    }
    w->run = share_of(c->world, "run", 0, seconds);
    w->mop_per_s = 1e-6 * w->problem.operations / w->run.max;
    w->inside = share_of(c->world, "communication", 0, inside);
    w->outside = share_of(c->world, "computation", 0, seconds - inside);
}

/* Print the title and the problem. */
static void show_problem(const struct context *c)
{
    struct whole *w = &nas_of(c->run)->whole;

    w->class = class_name(c->settings);
    w->problem = problem_of(c, c->world->size);
    output_title(c);
    if (c->world->rank > 0)
        return;
    print_problem(c, &w->problem);
    fflush(stdout);
}

static void show_result(const struct context *c, struct output *o,
                        const struct result *result)
{
    const struct row row = { .element = ELEMENT_CHAR };

    output_alone(o, c, &row, result);
    if (c->world->rank == 0)
        whole_print(stdout, &nas_of(c->run)->whole);
    output_record(c, result);
}

static enum exit_code measure(const struct context *c, struct measure *m,
                              struct output *o)
{
    const struct application *a = nas_settings(c->settings)->application;
    struct whole *whole = &nas_of(c->run)->whole;
    char why[300];
    struct result result;
    double seconds, first_s;

    show_problem(c);
    progress_phase("first iteration");
    first_s = run_kernel(c, m, 1);
    progress_phase("measuring");
    seconds = run_kernel(c, m, whole->problem.iterations);
    progress_phase("verification");
    divide(c, seconds);

    const struct spread spread = over_ranks_spread(c->world->comm, seconds, 1);

    result =
        output_result(c, spread.ranks, spread.mean, spread.min, spread.max);
    result.warmup.first_s = first_s;
    result.warmup.iterations = 1;
    result.verified.checked = 1;
    result.verified.wrong = !a->verify(c->run, why, sizeof why);
    result.own_headline = true;
    result.elapsed_s = result.headline_s = spread.max;
    show_result(c, o, &result);
    if (result.verified.wrong == 0)
        return EXIT_OK;
    return world_refuse(c->world, E14_WRONG_DATA, c->bench->name,
                        "wrong data; class=%s; %s", whole->class, why);
}

enum exit_code nas_run(const struct context *c, struct measure *m,
                       struct output *o)
{
    enum exit_code code;

    if (m == NULL) {
        say_plan(c);
        return EXIT_OK;
    }
    progress_phase("memory");
    code = begin(c);
    return code == EXIT_OK ? measure(c, m, o) : code;
}

/* --- JSON ---------------------------------------------------------------------- */

void nas_record(const struct context *c, const struct recorded *what,
                struct fields *to)
{
    if (what->result != NULL)
        whole_record(&nas_of(c->run)->whole, *to);
    else
        fields_flag(*to, "verified", true);
}
