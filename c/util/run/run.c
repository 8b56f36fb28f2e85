/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "command_line.h"
#include "job/launch.h"
#include "job/progress.h"
#include "look_around.h"
#include "measure_rows.h"
#include "rows_list.h"
#include "watch.h"

unsigned run_how(const struct bench *b, const struct settings *s)
{
    return (s->session ? STARTUP_BY_SESSION : 0) |
           (b->takes & TAKES_STEPS ? STARTUP_BARRIERS : 0) |
           (bench_is_threaded(b, s) ? STARTUP_THREADS : 0);
}

enum exit_code run_read_sizes(const char *program, struct settings *s,
                              const struct world *world)
{
    const char *const path = s->sizes.file, *why;
    char host[HOST_NAME_MAX + 1] = "", *text;

    if (path == NULL)
        return EXIT_OK;
    text = world == NULL ? proc_text(path) : world_read_file(path, world->comm);
    why = text != NULL ? sizes_take_list(text, &s->sizes) : strerror(errno);
    free(text);
    if (why == NULL)
        return EXIT_OK;
    gethostname(host, sizeof host);
    if (world != NULL ? world->rank == 0 : launch_rank() == 0)
        message_print(E12_USAGE, program,
                      "--sizes=@%.1000s: %s (read on host=%s;)", path, why,
                      host);
    return EXIT_USAGE;
}

/* Before any other process waits for this one. */
static enum exit_code start_mpi(struct job *job, struct startup *startup,
                                int *argc, char ***argv)
{
    const struct bench *b = job->context.bench;
    const struct settings *s = job->context.settings;
    enum exit_code code;

    progress_begin(b->name, launch_rank());
    code = watch_begin(&job->context);
    if (code == EXIT_OK)
        return world_begin(&job->world, startup, b->name, run_how(b, s), argc,
                           argv);
    return code;
}

/* Does what was asked for go with what was started, and can it be written?  Errors of the
   user come before any work. */
static enum exit_code check_job(struct job *job, struct settings *s)
{
    const struct context *c = &job->context;
    const char *name = c->bench->name;
    enum exit_code code = run_read_sizes(name, s, &job->world);

    if (code == EXIT_OK)
        code = command_line_check_ranks(c->bench, c->settings, job->world.size,
                                        job->world.rank == 0);
    if (code == EXIT_OK)
        code = watch_open(c);
    return code;
}

static enum exit_code set_up(struct job *job)
{
    const struct context *c = &job->context;
    enum exit_code code;

    progress_phase("memory");
    code = setup_memory(&job->setup, c, rows_largest(&job->rows));
    if (code == EXIT_OK)
        code = world_agree_memory(c->world, c->bench->name,
                                  measure_begin(&job->measure),
                                  "buffers or samples");
    return code == EXIT_OK ? setup_loop(&job->setup, c) : code;
}

/* List, set up, measure: what a program with a table does. */
static enum exit_code run_rows(struct job *job)
{
    enum exit_code code =
        rows_list_fitting(&job->rows, &job->setup, &job->context);

    if (code == EXIT_OK)
        code = set_up(job);
    if (code == EXIT_OK) {
        output_title(&job->context);
        slots_say(&job->setup, &job->context, &job->rows);
        code = measure_rows(job);
    }
    return code;
}

/* Some families have one figure in place of a table. */
static enum exit_code run_whole(struct job *job)
{
    const struct context *c = &job->context;
    enum exit_code code = bench_has_loop(c->bench) ? set_up(job) : EXIT_OK;

    return code == EXIT_OK
               ? c->bench->family->run(c, &job->measure, &job->output)
               : code;
}

/* It leads to the parts of the job, which are filled later. */
static void begin_context(struct job *job, const struct bench *b,
                          const struct settings *s, int argc, char **argv)
{
    job->context = (struct context){ .bench = b,
                                     .settings = s,
                                     .argc = argc,
                                     .argv = argv,
                                     .known = KNOWN_OPTIONS,
                                     .world = &job->world,
                                     .run = &job->setup.run,
                                     .side = job->setup.side,
                                     .talk = &job->talk,
                                     .placement = &job->placement,
                                     .clock = &job->clock,
                                     .limits = &job->limits,
                                     .device = job->around.device,
                                     .identity = job->identity,
                                     .table = &job->output.table };
}

enum exit_code run_program(const struct bench *b, struct settings *s,
                           struct startup *startup, int argc, char **argv,
                           struct verified *sum)
{
    struct job job = { .placement.node = MPI_COMM_NULL,
                       .measure.context = &job.context };
    struct context *c = &job.context;
    enum exit_code code;

    begin_context(&job, b, s, argc, argv);
    message_printed = false; /* by a program before it in the job */
    code = start_mpi(&job, startup, &argc, &argv);
    if (code != EXIT_OK)
        return watch_close(c, code);
    c->known = KNOWN_RANKS;
    setup_describe(&job.setup, c);

    code = check_job(&job, s);
    if (code == EXIT_OK)
        code = setup_partners(&job.setup, c);
    if (code == EXIT_OK)
        code = look_around(&job);
    if (code == EXIT_OK) {
        output_begin(&job.output, c);
        code = watch_ready(c);
    }
    if (code == EXIT_OK)
        code = bench_family(b)->run != NULL ? run_whole(&job) : run_rows(&job);

    code = world_conclude(&job.world, b->name, code);
    const struct ending ending = {
        .code = code,
        .complete = code == EXIT_OK && job.rows.left_out == 0,
        .rows = job.rows.begun != 0 ? &job.rows : NULL,
    };
    code = output_close(c, &ending);
    /* What families record is in their state until here. */
    measure_end(&job.measure);
    setup_release(&job.setup, c);
    if (sum != NULL)
        rows_add_up(&job.rows, sum);
    rows_release(&job.rows);
    look_around_end(&job);
    /* Rank 0 goes on after MPI_Finalize, as MPI grants it: nobody waits. */
    return watch_close(c, world_end(&job.world, code));
}
