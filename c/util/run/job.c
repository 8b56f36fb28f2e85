/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"

#include <stdlib.h>

#include "timing/clock_choice.h"
#include "options/check_identity.h"
#include "base/simulation.h"
#include "startup/steps.h"
#include "job/watchdog.h"
#include "nas/application_run.h"

/* One line of key=value; pairs and never a bare number before a blank, which
   known readers of the table would take for a result. */
static void describe(struct sweep *s)
{
    snprintf(s->identity, sizeof s->identity,
             "Alidade %s: ranks=%d; nodes=%d; path=%s; mem=%s-%s; bound=%s; "
             "start=%s; mpi=%s;%s%s",
             PACKAGE_VERSION, s->world->size, s->placement.nodes,
             s->placement.path, s->prepared.side[0]->letter,
             s->prepared.side[1]->letter, s->placement.bound,
             settings_word_of(settings_start_words, s->settings->start),
             s->world->library,
             s->world->startup.sessions ? " init=session;" : "",
             !s->gpu->used    ? ""
             : s->gpu->shared ? " gpu=shared;"
                              : " gpu=own;");
}

/* Rank 0 prints the line, and rank 0 decides. */
static enum exit_code meet_expectations(const struct sweep *s)
{
    enum exit_code code = EXIT_OK;
    char unmet[1000];

    if (s->world->rank == 0 &&
        identity_unmet(s->identity, s->settings->expect, s->settings->nexpect,
                     unmet, sizeof unmet) > 0)
        code = message_print(E35_UNEXPECTED, s->bench->name, "%s", unmet);
    return world_agree(s->world, code);
}

static void warn_early(const struct sweep *s)
{
    const struct settings *set = s->settings;

    if (s->world->rank != 0)
        return;
    if (s->placement.oversubscribed)
        message_print(W08_OVERSUBSCRIBED, s->bench->name,
                      "more processes than CPUs (ranks per node=%d; usable "
                      "CPUs=%d;)",
                      s->placement.max_node_size, s->placement.usable_cpus);
    if (s->placement.mpi_nodes != s->placement.nodes &&
        getenv("ALIDADE_NODE_ID") == NULL)
        message_print(W21_SHARED_MEMORY, s->bench->name,
                      "nodes by their kernel=%d; by MPI=%d;",
                      s->placement.nodes, s->placement.mpi_nodes);
    for (int i = 0; i < set->npercentiles && set->laps > 0; i++)
        if (set->percentiles[i] < 100 &&
            (1 - set->percentiles[i] / 100) * (double)set->laps < 1) {
            message_print(W22_FEW_SAMPLES, s->bench->name,
                          "percentile=%g; of samples=%ld; is the largest of "
                          "them",
                          set->percentiles[i], set->laps);
            return;
        }
}

/* From the memory plan to the last row; everything here is collective. */
static enum exit_code run_rows(struct sweep *s)
{
    enum exit_code code = sweep_choose(s);

    if (code != EXIT_OK)
        return code;
    sweep_order(s);
    watchdog_phase("memory");
    code = prepare_memory(&s->prepared, s->bench, s->settings, s->world,
                          sweep_largest(s));
    if (code != EXIT_OK)
        return code;
    if (!prepare_buffers(&s->prepared, s->bench, s->settings, s->world,
                         s->measure.sync, s->measure.clock.resolution_s,
                         sweep_largest(s)) ||
        world_agree(s->world,
                    measure_begin(&s->measure) ? EXIT_OK : EXIT_RUN)) {
        if (s->world->rank == 0)
            message_print(E20_OUT_OF_MEMORY, s->bench->name,
                          "memory for buffers or samples was refused");
        return messages[E20_OUT_OF_MEMORY].code;
    }
    code = prepare_transport(&s->prepared, s->bench, s->world,
                             s->placement.nodes == 1);
    if (code == EXIT_OK)
        code = sweep_rehearse(s, 0);
    if (code != EXIT_OK)
        return code;
    if (s->world->rank == 0) {
        printf("# %s\n", s->identity);
        report_title(stdout, s->bench, &s->prepared.run, s->settings);
        s->graph.facts = (struct graph_facts){
            .about = s->bench->about,
            .identity = s->identity,
            .axis = s->table.column[0].heading,
            .population =
                s->bench->timed == TIMED_RANK_0 ? "rank 0" : "slowest rank",
            .sized = sweep_is_sized(s),
        };
    }
    return sweep_measure(s);
}

/* Start-up programs have no loop: their line is all. */
static enum exit_code run(struct sweep *s)
{
    if (s->bench->application != NULL)
        return whole_run(s);
    if (bench_has_loop(s->bench))
        return run_rows(s);
    if (s->world->rank == 0)
        printf("# %s\n", s->identity);
    steps_print(s);
    return EXIT_OK;
}

/* Programs in which several ranks time a lap, not a sum, that they begin together. */
static bool is_concerted(const struct bench *b)
{
    return bench_has_loop(b) && !b->strides && b->timed != TIMED_RANK_0 &&
           !(b->takes & TAKES_MATRIX);
}

/* Global time, where it says something.  Its clock must not be another later. */
static void synchronise(struct sweep *s)
{
    struct measure *m = &s->measure;

    m->skewed = is_concerted(s->bench) && s->world->size > 1;
    if (!m->skewed &&
        (s->settings->start != START_CLOCK || !bench_has_loop(s->bench)))
        return;
    watchdog_phase("synchronising clocks");
    /* All simulated nodes have one clock. */
    s->sync = clock_sync_begin(
        s->world->comm, SIMULATED ? s->world->comm : s->placement.node, 0);
    clock_sync_fit(&s->sync);
    m->sync = &s->sync;
}

static enum exit_code choose_clock(const struct sweep *s)
{
    if (clock_choose(s->settings->clock, s->world, s->placement.node))
        return EXIT_OK;
    if (s->world->rank == 0)
        message_print(E23_NO_TSC, s->bench->name,
                      "--clock=tsc: the kernel of a node does not keep time "
                      "by it");
    return messages[E23_NO_TSC].code;
}

/* What is known of the job goes into the record before the first row. */
static enum exit_code measure_all(struct sweep *s, int argc, char **argv)
{
    struct environment environment = { 0 };
    struct gpu_rank *gpus = NULL;
    enum exit_code code;

    warn_early(s);
    if (s->settings->json != NULL) {
        environment_collect(&environment, s->world, &s->placement);
        gpus = gpu_use_collect(s->gpu, s->world);
    }
    report_table(&s->table, s->bench, s->settings);
    s->measure = (struct measure){ .bench = s->bench,
                                   .settings = s->settings,
                                   .world = s->world,
                                   .run = &s->prepared.run,
                                   .node_ranks = s->placement.max_node_size,
                                   .counters = &s->counters,
                                   .clock = clock_describe() };
    synchronise(s);
    s->limits = sweep_limits(s);
    /* Where ranks share few of the caches, pools are larger than need be. */
    s->prepared.cache_ranks =
        (s->placement.node_size + s->placement.caches - 1) /
        s->placement.caches;
    sweep_seed(s);
    s->context =
        (struct record_context){ .world = s->world,
                                 .placement = &s->placement,
                                 .environment = &environment,
                                 .clock = &s->measure.clock,
                                 .sync = s->measure.sync,
                                 .limits = &s->limits,
                                 .run = &s->prepared.run,
                                 .side = s->prepared.side,
                                 .gpu = s->gpu,
                                 .gpus = gpus,
                                 .seed = s->seed,
                                 .pool = buffer_pool_pool(s->settings,
                                                       s->prepared.cache_ranks),
                                 .argc = argc,
                                 .argv = argv };
    if (s->world->rank == 0)
        record_begin(&s->record, &s->context, &s->table);
    describe(s);
    code = meet_expectations(s);
    if (code == EXIT_OK)
        code = run(s);
    measure_end(&s->measure);
    environment_release(&environment);
    free(gpus);
    return code;
}

static struct placement_talk who_talks(const struct sweep *s)
{
    const struct bench_run *r = &s->prepared.run;
    const bool hot = s->bench->levels.kind == LEVELS_OF_RANKS;

    return (struct placement_talk){
        .among = r->groups != NULL                     ? r->groups->row
                 : hot || s->bench->timed == TIMED_ALL ? s->world->comm
                                                       : MPI_COMM_NULL,
        .star = hot || r->groups != NULL,
        .peer = r->peer,
    };
}

enum exit_code job_run(struct sweep *s, int argc, char **argv)
{
    const struct placement_talk talk = who_talks(s);
    enum exit_code code;

    watchdog_phase("placement");
    placement_find(&s->placement, s->world->comm, &talk);
    code = prepare_check_nodes(s->bench, s->settings, s->world, &s->placement);
    if (code == EXIT_OK)
        code = choose_clock(s);
    if (code == EXIT_OK)
        code = measure_all(s, argc, argv);
    prepare_release(&s->prepared);
    if (s->measure.sync != NULL)
        clock_sync_end(&s->sync);
    placement_release(&s->placement);
    return code;
}
