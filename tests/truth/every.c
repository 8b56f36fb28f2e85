/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * every.c - the life of a one-sided program (bench_main of bench.h), once for
 *           every kind of window and every synchronisation it takes, in one
 *           job: linked with the program's own object in place of life.c.
 *
 * Each life prints "combination WINDOW SYNCHRONISATION" before its table, so
 * that a test can count them.
 */
#include <stdlib.h>

#include "run/command_line.h"
#include "run/job.h"

static enum exit_code live(const struct bench *b, const struct settings *s,
                           struct world *world)
{
    static struct gpu_use no_gpu;
    struct sweep *sweep = calloc(1, sizeof *sweep);
    enum exit_code code;

    if (sweep == NULL)
        abort();
    sweep->bench = b;
    sweep->settings = s;
    sweep->world = world;
    sweep->gpu = &no_gpu;
    sweep->complete = true;
    sweep->record = (struct record){ .bench = b, .settings = s };
    code = prepare_partners(&sweep->prepared, b, s, world);
    if (code == EXIT_OK)
        code = job_run(sweep, 0, NULL);
    free(sweep);
    return world_agree(world, code);
}

int bench_main(const struct bench *b, int argc, char **argv)
{
    const struct choice *syncs = b->takes & TAKES_ACTIVE ? settings_active_words
                                 : b->takes & TAKES_PASSIVE
                                     ? settings_passive_words
                                     : settings_sync_words;
    struct settings s;
    struct world world;
    enum exit_code code;

    clock_anchor();
    if (!command_line_read(b, argc, argv, &s, &code))
        return code;
    code = world_begin(&world, b->name, s.session, &argc, &argv);
    if (code != EXIT_OK)
        return code;
    for (const struct choice *w = settings_window_words; w->word; w++)
        for (const struct choice *y = syncs; y->word && code == EXIT_OK; y++) {
            s.window_kind = (enum window_kind)w->value;
            s.sync = (enum rma_sync)y->value;
            if (world.rank == 0)
                printf("combination %s %s\n", w->word, y->word);
            code = live(b, &s, &world);
        }
    return world_end(&world, code);
}
