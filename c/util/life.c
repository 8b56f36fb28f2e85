/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a program: from the command line to the exit code (bench_main
   of bench.h). */
#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "dry_run.h"
#include "gather.h"
#include "launch.h"
#include "sweep.h"
#include "watchdog.h"

static enum exit_code check_ranks(const struct bench *b,
                                  const struct world *world)
{
    const int n = world->size, min = b->ranks.min, max = b->ranks.max;
    const bool odd = b->ranks.even && n % 2 != 0;
    char needs[64];

    if (n >= min && (max == 0 || n <= max) && !odd)
        return EXIT_OK;
    snprintf(needs, sizeof needs, "%s%d", max == min ? "exactly " : "at least ",
             min);
    if (world->rank == 0)
        message_print(E02_WRONG_RANKS, b->name,
                      "needs %s ranks; started: %d. For example: %s -n %d %s",
                      b->ranks.even ? "an even number of" : needs, n,
                      launch_command(),
                      n < min              ? min
                      : max > 0 && n > max ? max
                                           : n + 1,
                      b->name);
    return messages[E02_WRONG_RANKS].code;
}

/* One line of key=value; pairs and never a bare number before a blank, which
   known readers of the table would take for a result. */
static void print_identity(const struct sweep *s)
{
    printf("# Alidade %s: ranks=%d; nodes=%d; path=%s; mem=%s-%s; bound=%s; "
           "start=%s; mpi=%s;\n",
           PACKAGE_VERSION, s->world->size, s->placement.nodes,
           s->placement.path, memory_host.letter, memory_host.letter,
           s->placement.bound,
           settings_word_of(settings_start_words, s->settings->start),
           s->world->library);
}

static enum exit_code open_record(struct sweep *s)
{
    char why[4200] = "";
    enum exit_code code = EXIT_OK;

    if (s->world->rank == 0 &&
        !record_open(&s->record, s->bench, s->settings, why, sizeof why)) {
        code = messages[E17_FILE].code;
        message_print(E17_FILE, s->bench->name, "%s", why);
    }
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

/* Start-up programs: one line out of what MPI_Init took. */
static enum exit_code print_start_up(struct sweep *s)
{
    const struct spread spread =
        gather_spread(s->world->comm, s->world->init_s, 1);
    const struct result result = { .mean = spread.mean,
                                   .mean_min = spread.min,
                                   .mean_max = spread.max,
                                   .ranks = spread.ranks,
                                   .laps = 1,
                                   .stride = 1,
                                   .precise = true,
                                   .scale = s->bench->report->scale };
    struct cell cells[1];

    if (s->world->rank == 0) {
        print_identity(s);
        report_title(stdout, s->bench, &s->prepared.run, s->settings);
        s->bench->report->line(stdout, &result);
        fflush(stdout);
        record_row(&s->record, &s->context, &s->table, &result, cells);
    }
    return EXIT_OK;
}

/* From the memory plan to the last row; everything here is collective. */
static enum exit_code run_rows(struct sweep *s)
{
    enum exit_code code = sweep_choose(s);

    if (code != EXIT_OK)
        return code;
    watchdog_phase("memory");
    if (!prepare_buffers(&s->prepared, s->bench, s->settings, s->world,
                         sweep_largest(s)) ||
        world_agree(s->world,
                    measure_begin(&s->measure) ? EXIT_OK : EXIT_RUN)) {
        if (s->world->rank == 0)
            message_print(E20_OUT_OF_MEMORY, s->bench->name,
                          "memory for buffers or samples was refused");
        return messages[E20_OUT_OF_MEMORY].code;
    }
    code = sweep_rehearse(s);
    if (code != EXIT_OK)
        return code;
    if (s->world->rank == 0) {
        print_identity(s);
        report_title(stdout, s->bench, &s->prepared.run, s->settings);
    }
    return sweep_measure(s);
}

/* Start-up programs have no loop: their line is all. */
static enum exit_code run(struct sweep *s)
{
    return s->bench->run != NULL ? run_rows(s) : print_start_up(s);
}

/* What is known of the job goes into the record before the first row. */
static enum exit_code measure_all(struct sweep *s, int argc, char **argv)
{
    struct environment environment = { 0 };
    enum exit_code code;

    watchdog_phase("placement");
    placement_find(&s->placement, s->world->comm, s->bench->timed != TIMED_ALL,
                   s->prepared.run.peer);
    warn_early(s);
    if (s->settings->json != NULL)
        environment_collect(&environment, s->world, &s->placement);
    report_table(&s->table, s->bench, s->settings);
    s->measure = (struct measure){ .bench = s->bench,
                                   .settings = s->settings,
                                   .world = s->world,
                                   .run = &s->prepared.run,
                                   .clock = clock_describe() };
    s->context = (struct record_context){ .world = s->world,
                                          .placement = &s->placement,
                                          .environment = &environment,
                                          .clock = &s->measure.clock,
                                          .run = &s->prepared.run,
                                          .argc = argc,
                                          .argv = argv };
    if (s->world->rank == 0)
        record_begin(&s->record, &s->context, &s->table);
    code = run(s);
    measure_end(&s->measure);
    environment_release(&environment);
    placement_release(&s->placement);
    return code;
}

/* With MPI running; every rank leaves with the same code. */
static enum exit_code live(struct sweep *s, int argc, char **argv)
{
    enum exit_code code = check_ranks(s->bench, s->world);

    if (code != EXIT_OK)
        return code;
    code = open_record(s);
    if (code != EXIT_OK)
        return code;
    code = prepare_partners(&s->prepared, s->bench, s->settings, s->world);
    if (code == EXIT_OK)
        code = measure_all(s, argc, argv);
    watchdog_phase("ending");
    prepare_release(&s->prepared);
    if (s->world->rank == 0 &&
        !record_finish(&s->record, code, s->complete && code == EXIT_OK)) {
        message_print(E21_NOT_WRITTEN, s->bench->name, "--json or --csv: %s",
                      strerror(errno));
        code = messages[E21_NOT_WRITTEN].code;
    }
    return world_agree(s->world, code);
}

int bench_main(const struct bench *b, int argc, char **argv)
{
    struct settings settings;
    struct world world;
    struct sweep *sweep;
    enum exit_code code;

    if (!command_line_read(b, argc, argv, &settings, &code))
        return code;
    if (settings.dry_run)
        return dry_run(b, &settings);
    code = command_line_check(b, &settings);
    if (code != EXIT_OK)
        return code;
    watchdog_begin(b->name, launch_rank(), settings.timeout_s);
    code = world_begin(&world, b->name, &argc, &argv);
    if (code != EXIT_OK)
        return code;
    sweep = calloc(1, sizeof *sweep);
    if (sweep == NULL)
        abort();
    sweep->bench = b;
    sweep->settings = &settings;
    sweep->world = &world;
    sweep->complete = true;
    code = live(sweep, argc, argv);
    free(sweep);
    return world_end(&world, code);
}
