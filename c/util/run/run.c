/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <stdlib.h>

#include "command_line.h"
#include "gpu/gpu_use.h"
#include "job/launch.h"
#include "job/watchdog.h"
#include "job/world.h"
#include "look_around.h"
#include "measure_rows.h"
#include "rows_list.h"

unsigned run_how(const struct bench *b, const struct settings *s)
{
    return (s->session ? STARTUP_BY_SESSION : 0) |
           (b->takes & TAKES_STEPS ? STARTUP_BARRIERS : 0) |
           (bench_is_threaded(b, s) ? STARTUP_THREADS : 0);
}

/* Before any other process waits for this one. */
static enum exit_code start_mpi(const struct bench *b, const struct settings *s,
                                struct gpu_use *gpu, struct world *world,
                                struct startup *startup, int *argc,
                                char ***argv)
{
    enum exit_code code;

    watchdog_begin(b->name, launch_rank(), s->timeout_s);
    code = gpu_use_begin(gpu, s, bench_plan(b, s).computes_on_gpu, b->name);
    if (code == EXIT_OK)
        return world_begin(world, startup, b->name, run_how(b, s), argc, argv);
    watchdog_end();
    return code;
}

/* Does what was asked for go with what was started? */
static enum exit_code check_job(const struct context *c, struct gpu_use *gpu)
{
    const enum exit_code code =
        gpu_use_agree(gpu, c->settings, c->world, c->bench->name);

    return code == EXIT_OK
               ? command_line_check_ranks(c->bench, c->settings, c->world->size,
                                          c->world->rank == 0)
               : code;
}

static enum exit_code set_up(struct setup *p, const struct context *c,
                             struct measure *m, size_t largest)
{
    enum exit_code code;

    watchdog_phase("memory");
    code = setup_memory(p, c, largest);
    if (code == EXIT_OK)
        code = world_agree_memory(c->world, c->bench->name, measure_begin(m),
                                  "buffers or samples");
    return code == EXIT_OK ? setup_loop(p, c) : code;
}

/* List, set up, verify, measure: what a program with a table does. */
static enum exit_code run_rows(const struct stage *at, bool *complete)
{
    const struct context *c = at->context;
    struct rows rows = { .row = NULL };
    enum exit_code code = rows_list_fitting(&rows, at->setup, c);

    if (code == EXIT_OK)
        code = set_up(at->setup, c, at->measure, rows_largest(&rows));
    if (code == EXIT_OK)
        code = verify_rows(at, &rows);
    if (code == EXIT_OK) {
        output_title(c);
        code = measure_rows(at, &rows);
    }
    *complete = rows.left_out == 0;
    rows_release(&rows);
    return code;
}

/* Some families have one figure in place of a table. */
static enum exit_code run_whole(const struct stage *at)
{
    const struct context *c = at->context;
    enum exit_code code = EXIT_OK;

    if (bench_has_loop(c->bench))
        code = set_up(at->setup, c, at->measure, 0);
    return code == EXIT_OK ? c->bench->family->run(c, at->measure, at->output)
                           : code;
}

enum exit_code run_program(const struct bench *b, const struct settings *s,
                           struct startup *startup, int argc, char **argv)
{
    struct gpu_use gpu;
    struct world world;
    struct setup setup;
    struct placement_talk talk;
    struct surroundings around = { .placement.node = MPI_COMM_NULL };
    struct counters counters = { 0 };
    struct validation_log log;
    struct output output = { .printed = 0 };
    struct measure measure = { .counters = &counters };
    struct context c = {
        .bench = b, .settings = s, .argc = argc, .argv = argv
    };
    const struct stage stage = { &c, &setup, &measure, &output, &log };
    bool complete = true;
    enum exit_code code = start_mpi(b, s, &gpu, &world, startup, &argc, &argv);

    if (code != EXIT_OK)
        return code;
    c.world = &world;
    c.gpu = &gpu;
    c.run = &setup.run;
    c.side = setup.side;
    c.talk = &talk;
    measure.context = &c;
    setup_describe(&setup, &c);

    code = check_job(&c, &gpu);
    if (code == EXIT_OK)
        code = counters_open(&counters, b->name, s, &world);
    if (code == EXIT_OK)
        code = output_open(&output, &c);
    if (code == EXIT_OK)
        code = validation_log_begin(&log, s->log, &world, b->name);
    if (code == EXIT_OK)
        code = setup_partners(&setup, &c);
    if (code == EXIT_OK)
        code = look_around(&around, &c, &setup);
    if (code == EXIT_OK) {
        measure.sync = around.synchronised ? &around.sync : NULL;
        measure.carriers = around.counting ? &around.carriers : NULL;
        output_begin(&output, &c);
        if (s->expects == NULL)
            code = look_around_expect(&c);
    }
    if (code == EXIT_OK && bench_family(b)->run != NULL)
        code = run_whole(&stage);
    else if (code == EXIT_OK)
        code = run_rows(&stage, &complete);

    measure_end(&measure);
    setup_release(&setup, &c);
    code = output_close(&output, &c, code, complete);
    code = counters_close(&counters, &world, b->name, code);
    look_around_end(&around);
    code = world_end(&world, code);
    /* Rank 0 goes on after MPI_Finalize, as MPI grants it: nobody waits. */
    if (world.rank == 0)
        graph_finish(&output.graph);
    return code;
}
