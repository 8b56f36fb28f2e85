/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a program: from the command line to the exit code (bench_main
   of bench.h). */
#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "dry_run.h"
#include "job.h"
#include "job/launch.h"
#include "sweep.h"
#include "job/watchdog.h"

static enum exit_code open_files(struct sweep *s)
{
    char why[4200] = "";
    enum exit_code code = EXIT_OK;

    if (s->world->rank == 0)
        code = graph_open(&s->graph, s->bench->name, s->settings);
    if (s->world->rank == 0 && code == EXIT_OK &&
        !record_open(&s->record, s->bench, s->settings, why, sizeof why)) {
        code = messages[E17_FILE].code;
        message_print(E17_FILE, s->bench->name, "%s", why);
    }
    return world_agree(s->world, code);
}

/* What was printed has to arrive as well; else E21 in place of code. */
static enum exit_code end_output(const struct bench *b, enum exit_code code)
{
    const bool fails_now = fflush(stdout) != 0;

    if (!fails_now && !ferror(stdout))
        return code;
    return message_print(E21_NOT_WRITTEN, b->name, "standard output: %s",
                         fails_now ? strerror(errno) : "not all was taken");
}

static enum exit_code work(struct sweep *s, int argc, char **argv)
{
    enum exit_code code = validation_log_begin(&s->log, s->settings->log,
                                               s->world, s->bench->name);

    if (code != EXIT_OK)
        return code;
    code = prepare_partners(&s->prepared, s->bench, s->settings, s->world);
    if (code == EXIT_OK)
        return job_run(s, argc, argv);
    prepare_release(&s->prepared);
    return code;
}

/* With MPI running; every rank leaves with the same code. */
static enum exit_code live(struct sweep *s, int argc, char **argv)
{
    char why[4200] = "";
    enum exit_code code =
        gpu_use_agree(s->gpu, s->settings, s->world, s->bench->name);

    if (code == EXIT_OK && s->world->rank == 0)
        command_line_warn(s->bench, s->settings);
    if (code == EXIT_OK)
        code = command_line_check_ranks(s->bench, s->settings, s->world->size,
                                        s->world->rank == 0);
    if (code != EXIT_OK)
        return code;
    code = counters_open(&s->counters, s->bench->name, s->settings, s->world);
    if (code == EXIT_OK)
        code = open_files(s);
    if (code != EXIT_OK)
        return code;
    code = work(s, argc, argv);
    watchdog_phase("ending");
    if (s->world->rank == 0 &&
        !record_finish(&s->record, code, s->complete && code == EXIT_OK, why,
                       sizeof why)) {
        message_print(E21_NOT_WRITTEN, s->bench->name, "%s", why);
        code = messages[E21_NOT_WRITTEN].code;
    }
    if (!counters_close(&s->counters))
        code = message_print(E21_NOT_WRITTEN, s->bench->name, "-P %s: %s",
                             s->settings->events_file, strerror(errno));
    if (s->world->rank == 0)
        code = end_output(s->bench, code);
    return world_agree(s->world, code);
}

int bench_main(const struct bench *b, int argc, char **argv)
{
    struct settings settings;
    struct gpu_use gpu;
    struct world world;
    struct sweep *sweep;
    enum exit_code code;

    clock_anchor();
    if (!command_line_read(b, argc, argv, &settings, &code))
        return launch_leave(end_output(b, code));
    if (settings.dry_run)
        return end_output(b, dry_run(b, &settings));
    code = command_line_check(b, &settings);
    if (code != EXIT_OK)
        return launch_leave(code);
    watchdog_begin(b->name, launch_rank(), settings.timeout_s);
    code = gpu_use_begin(&gpu, &settings, b->name);
    if (code != EXIT_OK)
        return code;
    code =
        world_begin(&world, b->name,
                    (settings.session ? STARTUP_BY_SESSION : 0) |
                        (b->report->steps ? STARTUP_BARRIERS : 0) |
                        (bench_is_threaded(b, &settings) ? STARTUP_THREADS : 0),
                    &argc, &argv);
    if (code != EXIT_OK)
        return code;
    sweep = calloc(1, sizeof *sweep);
    if (sweep == NULL)
        abort();
    sweep->bench = b;
    sweep->settings = &settings;
    sweep->world = &world;
    sweep->gpu = &gpu;
    sweep->complete = true;
    code = live(sweep, argc, argv);
    code = world_end(&world, code);
    /* Rank 0 goes on behind MPI_Finalize, as MPI grants it: nobody waits. */
    if (world.rank == 0)
        graph_finish(&sweep->graph);
    free(sweep);
    return code;
}
