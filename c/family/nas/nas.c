/* SPDX-License-Identifier: BSD-3-Clause */
#include "nas.h"

#include <math.h>
#include <stdio.h>

#include "base/sizes.h"
#include "bench.h"
#include "job/hardware.h"
#include "job/placement.h"
#include "job/world.h"
#include "run/measure.h"

/* --- What the specification fixes ---------------------------------------------------- */

uint64_t nas_random_skip(uint64_t state, uint64_t n)
{
    const uint64_t mask = (UINT64_C(1) << 46) - 1;
    uint64_t factor = 1220703125;

    for (; n > 0; n >>= 1) {
        if (n & 1)
            state = state * factor & mask;
        factor = factor * factor & mask;
    }
    return state;
}

/* clang-format off */
const struct nas_is nas_is[NAS_CLASSES] = {
    [NAS_S] = { 1 << 16, 1 << 11, {
        { 48427, 0, 1, 0 },
        { 17148, 18, 1, 0 },
        { 23627, 346, 1, 0 },
        { 62548, 64917, -1, 0 },
        { 4431, 65463, -1, 0 } } },
    [NAS_W] = { 1 << 20, 1 << 16, {
        { 357773, 1249, 1, 2 },
        { 934767, 11698, 1, 2 },
        { 875723, 1039987, -1, 0 },
        { 898999, 1043896, -1, 0 },
        { 404505, 1048018, -1, 0 } } },
    [NAS_A] = { 1 << 23, 1 << 19, {
        { 2112377, 104, 1, 1 },
        { 662041, 17523, 1, 1 },
        { 5336171, 123928, 1, 1 },
        { 3642833, 8288932, -1, 1 },
        { 4250760, 8388264, -1, 1 } } },
    [NAS_B] = { 1 << 25, 1 << 21, {
        { 41869, 33422937, -1, 0 },
        { 812306, 10244, 1, 0 },
        { 5102857, 59149, 1, 0 },
        { 18232239, 33135281, -1, 0 },
        { 26860214, 99, 1, 0 } } },
    [NAS_C] = { 1 << 27, 1 << 23, {
        { 44172927, 61147, 1, 0 },
        { 72999161, 882988, 1, 0 },
        { 74326391, 266290, 1, 0 },
        { 129606274, 133997595, -1, 0 },
        { 21736814, 133525895, -1, 0 } } },
};

const struct nas_ft nas_ft[NAS_CLASSES] = {
    [NAS_S] = { { 64, 64, 64 }, 6, {
        { 554.6087004964, 484.5363331978 },
        { 554.6385409189, 486.5304269511 },
        { 554.6148406171, 488.3910722336 },
        { 554.5423607415, 490.1273169046 },
        { 554.4255039624, 491.7475857993 },
        { 554.2683411902, 493.2597244941 } } },
    [NAS_W] = { { 128, 128, 32 }, 6, {
        { 567.3612178944, 529.3246849175 },
        { 563.1436885271, 528.2149986629 },
        { 559.4024089970, 527.0996558037 },
        { 556.0698047020, 526.0027904925 },
        { 553.0898991250, 524.9400845633 },
        { 550.4159734538, 523.9212247086 } } },
    [NAS_A] = { { 256, 256, 128 }, 6, {
        { 504.6735008193, 511.4047905510 },
        { 505.9412319734, 509.8809666433 },
        { 506.9376896287, 509.8144042213 },
        { 507.7892868474, 510.1336130759 },
        { 508.5233095391, 510.4914655194 },
        { 509.1487099959, 510.7917842803 } } },
    [NAS_B] = { { 512, 256, 256 }, 20, {
        { 517.7643571579, 507.7803458597 },
        { 515.4521291263, 508.8249431599 },
        { 514.6409228649, 509.6208912659 },
        { 514.2378756213, 510.1023387619 },
        { 513.9626667737, 510.3976610617 },
        { 513.7423460082, 510.5948019802 },
        { 513.5547056878, 510.7404165783 },
        { 513.3910925466, 510.8576573661 },
        { 513.2470705390, 510.9577278523 },
        { 513.1197729984, 511.0460304483 },
        { 513.0070319283, 511.1252433800 },
        { 512.9070537032, 511.1968077718 },
        { 512.8182883502, 511.2616233064 },
        { 512.7393733383, 511.3203605551 },
        { 512.6691062020, 511.3735928093 },
        { 512.6064276004, 511.4218460548 },
        { 512.5504076570, 511.4656139760 },
        { 512.5002331720, 511.5053595966 },
        { 512.4551951846, 511.5415130407 },
        { 512.4146770029, 511.5744692211 } } },
    [NAS_C] = { { 512, 512, 512 }, 20, {
        { 519.5078707457, 514.9019699238 },
        { 515.5422171134, 512.7578201997 },
        { 514.4678022222, 512.2251847514 },
        { 514.0150594328, 512.1090289018 },
        { 513.7550426810, 512.1143685824 },
        { 513.5811056728, 512.1496764568 },
        { 513.4569343165, 512.1870921893 },
        { 513.3651975661, 512.2193250322 },
        { 513.2955192805, 512.2454735794 },
        { 513.2410471738, 512.2663649603 },
        { 513.1971141679, 512.2830879827 },
        { 513.1605205716, 512.2965869718 },
        { 513.1290734194, 512.3075927445 },
        { 513.1012720314, 512.3166486553 },
        { 513.0760908195, 512.3241541685 },
        { 513.0528295923, 512.3304037599 },
        { 513.0310107773, 512.3356167976 },
        { 513.0103090133, 512.3399592211 },
        { 512.9905029333, 512.3435588985 },
        { 512.9714421109, 512.3465164008 } } },
};
/* clang-format on */

double nas_is_operations(enum nas_class class)
{
    return (double)NAS_IS_ITERATIONS * nas_is[class].keys;
}

double nas_ft_operations(enum nas_class class)
{
    const struct nas_ft *ft = &nas_ft[class];
    const double points = (double)ft->n[0] * ft->n[1] * ft->n[2];

    return points * (14.8157 + 7.19641 * log(points) +
                     (5.23518 + 7.21113 * log(points)) * (double)ft->iterations);
}

bool nas_ft_is_right(enum nas_class class, int i, const double sum[2])
{
    const double *right = nas_ft[class].checksum[i - 1];
    const double off = hypot(sum[0] - right[0], sum[1] - right[1]);

    /* Written so that NaN counts as wrong. */
    return off <= 1e-12 * hypot(right[0], right[1]);
}

/* --- Options ------------------------------------------------------------------- */

static const struct choice class_words[] = {
    { "S", NAS_S, "for tests: milliseconds" },
    { "W", NAS_W, "small" },
    { "A", NAS_A, "at least four times as large as W" },
    { "B", NAS_B, "at least four times as large as A" },
    { "C", NAS_C, "at least four times as large as B" },
    { 0 },
};

#define CLASS(first)                                                                               \
    {                                                                                              \
        0, "class", "CLASS", .group = OPTIONS_DATA, .common = true,                                \
                             .help = "problem size, by the NAS specification",                     \
                             .fallback = (first), .kind = OPTION_CHOICE,                           \
                             .offset = offsetof(struct nas_settings, class),                       \
                             .choices = class_words, .json = "class"                               \
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
    refusal_because(r, E02_WRONG_RANKS, "class %s needs %s; given: %d. For example: %s --class=%s",
                    class_name(c->settings), problem_of(c, fewer).needs, c->world->size, example,
                    class_name(c->settings));
}

static void print_problem(const struct context *c, const struct problem *p)
{
    printf("# class=%s; %s iterations=%d;\n", class_name(c->settings), p->size, p->iterations);
}

static void say_plan(const struct context *c)
{
    const struct problem problem = problem_of(c, c->world->size);
    const double available = MEMORY_PERCENT / 100.0 * (double)capacity_memory();
    char text[2][32];

    print_problem(c, &problem);
    printf("# memory of each rank=%s; memory free here=%s;\n",
           size_words((double)problem.bytes, text[0]), size_words(available, text[1]));
}

/* --- Memory -------------------------------------------------------------------- */

/* Is there room on every node for its ranks?  All ranks need as much. */
static enum exit_code check_memory(const struct context *c)
{
    const double own = (double)problem_of(c, c->world->size).bytes;
    const size_t limit = c->settings->memory_limit;
    double need = own, least = MEMORY_PERCENT / 100.0 * (double)c->placement->available;
    char needed[32], available[32];
    int fits;

    if (limit > 0 && own > (double)limit)
        return world_refuse(c->world, E10_NOTHING_FITS,
                            "class=%s; needs=%s; mem-limit per rank=%zu;", class_name(c->settings),
                            size_words(own, needed), limit);
    PMPI_Allreduce(MPI_IN_PLACE, &need, 1, MPI_DOUBLE, MPI_SUM, c->placement->node);
    fits = need <= least;
    PMPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, c->world->comm);
    PMPI_Allreduce(MPI_IN_PLACE, &need, 1, MPI_DOUBLE, MPI_MAX, c->world->comm);
    PMPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, c->world->comm);
    return fits
               ? EXIT_OK
               : world_refuse(c->world, E10_NOTHING_FITS,
                              "class=%s; needs=%s per node; available=%s;", class_name(c->settings),
                              size_words(need, needed), size_words(least, available));
}

static enum exit_code begin(const struct context *c)
{
    const struct nas_settings *n = nas_settings(c->settings);
    const enum exit_code code = check_memory(c);
    char what[32];

    if (code != EXIT_OK)
        return code;
    snprintf(what, sizeof what, "class %s", class_name(c->settings));
    return world_agree_memory(c->world, n->application->begin(c->run, n->class), what);
}

void nas_end(const struct context *c)
{
    const struct application *a = nas_settings(c->settings)->application;

    if (a->end != NULL)
        a->end(c->run);
}

/* --- Its results --------------------------------------------------------------- */

static struct cell verdict(const struct result *r)
{
    return cell_word(result_verdict(r, false));
}

static const struct report_column columns[] = {
    { { "run_s", "       Run Time(s)", 0, 6 }, COLUMN_OF(struct nas, whole.run.max) },
    { { "communication_s", "In MPI(s)", 0, 6 }, COLUMN_OF(struct nas, whole.inside.mean) },
    { { "computation_s", "Outside(s)", 0, 6 }, COLUMN_OF(struct nas, whole.outside.mean) },
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
    .scale = 1e-6, /* an iteration is a whole run, and its time is printed in s */
    .compact = true,
    .headline = columns,
    .no_type_line = true,
};

static void print_share(const struct share *share)
{
    printf("%-20s", share->name);
    if (share->calls > 0)
        printf("%10ld", share->calls);
    else
        printf("%10s", "-");
    printf("%18.6f%18.6f%18d\n", share->mean, share->max, share->slowest);
}

static void record_share(const struct share *share, const char *name, struct fields to)
{
    const struct fields part = fields_object(to, name);

    fields_real(part, "mean_s", share->mean);
    fields_real(part, "max_s", share->max);
    fields_int(part, "slowest", share->slowest);
    if (share->calls > 0)
        fields_int(part, "calls", share->calls);
}

void nas_record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct whole *w = &nas_of(c->run)->whole;

    if (what->result == NULL) {
        fields_flag(*to, "verified", true);
        return;
    }
    const struct fields object = fields_object(*to, "application");

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
static double run_kernel(const struct context *c, struct measure *m, int iterations)
{
    struct nas *nas = nas_of(c->run);

    nas->iterations = iterations;
    nas->parts = (struct parts){ 0 };
    nas->keys.passed = 0;
    measure_iterations(m, 1);
    return clock_seconds(m->ticks[1]);
}

static struct share share_of(const struct world *world, const char *name, long calls, double mine)
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

        w->call[w->calls++] = share_of(c->world, a->calls[i], p->calls[i], part);
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

static void show_result(const struct context *c, const struct result *result)
{
    const struct row row = { .element = ELEMENT_CHAR };
    const struct whole *w = &nas_of(c->run)->whole;

    output_alone(c, &row, result);
    if (c->world->rank == 0) {
        printf("%-20s%10s%18s%18s%18s\n", "# Part", "Calls", "Mean(s)", "Max(s)", "Slowest rank");
        for (int i = 0; i < w->calls; i++)
            print_share(&w->call[i]);
        print_share(&w->outside);
        print_share(&w->run);
        fflush(stdout);
    }
    output_record(c, result);
}

static enum exit_code measure(const struct context *c, struct measure *m)
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

    result = output_result(c, spread.ranks, spread.mean, spread.min, spread.max);
    result.warmup.first_s = first_s;
    result.warmup.iterations = 1;
    result.verified.checked = 1;
    result.verified.wrong = !a->verify(c->run, why, sizeof why);
    result.own_headline = true;
    result.elapsed_s = result.headline_s = spread.max;
    show_result(c, &result);
    if (result.verified.wrong == 0)
        return EXIT_OK;
    return world_refuse(c->world, E14_WRONG_DATA, "wrong data; class=%s; %s", whole->class, why);
}

enum exit_code nas_run(const struct context *c, struct measure *m)
{
    enum exit_code code;

    if (m == NULL) {
        say_plan(c);
        return EXIT_OK;
    }
    progress_phase("memory");
    code = begin(c);
    return code == EXIT_OK ? measure(c, m) : code;
}
