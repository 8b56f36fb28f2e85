/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * every.c - the life of a one-sided program (bench_main of bench.h), once for
 *           every type of window and every synchronization that it takes, in one
 *           job.  It is linked with the program's object instead of run/main.c.
 *
 * The linker sends every begin and end of MPI here (--wrap): the first run begins
 * MPI, and it ends after the last one.  Each life prints "combination WINDOW
 * SYNCHRONISATION" before its table, so that a test can count them.
 */
#include <stdio.h>

#include "job/watchdog.h"
#include "job/world.h"
#include "rma/rma.h"
#include "run/command_line.h"
#include "run/run.h"

enum exit_code __real_world_begin(struct world *world, const char *program,
                                  unsigned how, int *argc, char ***argv);
enum exit_code __wrap_world_begin(struct world *world, const char *program,
                                  unsigned how, int *argc, char ***argv);
enum exit_code __real_world_end(struct world *world, enum exit_code code);
enum exit_code __wrap_world_end(struct world *world, enum exit_code code);

static struct world the_world;
static bool has_begun;
static char combination[64]; /* combination of the run under way */

enum exit_code __wrap_world_begin(struct world *world, const char *program,
                                  unsigned how, int *argc, char ***argv)
{
    if (!has_begun) {
        const enum exit_code code =
            __real_world_begin(&the_world, program, how, argc, argv);

        if (code != EXIT_OK)
            return code;
        has_begun = true;
    }
    *world = the_world;
    if (world->rank == 0)
        printf("combination %s\n", combination);
    return EXIT_OK;
}

enum exit_code __wrap_world_end(struct world *world, enum exit_code code)
{
    watchdog_end();
    return world_agree(world, code);
}

static bool takes(const struct bench *b, enum rma_sync sync)
{
    return b->takes & TAKES_ACTIVE    ? rma_is_active(sync)
           : b->takes & TAKES_PASSIVE ? !rma_is_active(sync)
                                      : true;
}

int bench_main(const struct bench *b, int argc, char **argv)
{
    struct settings s;
    enum exit_code code;

    clock_anchor();
    if (command_line_read(b, argc, argv, &s, &code)) {
        struct rma_settings *rma = s.family;

        for (const struct choice *w = rma_window_words; w->word; w++)
            for (const struct choice *y = rma_sync_words; y->word; y++) {
                if (code != EXIT_OK || !takes(b, (enum rma_sync)y->value))
                    continue;
                rma->window_kind = w->value;
                rma->sync = y->value;
                snprintf(combination, sizeof combination, "%s %s", w->word,
                         y->word);
                code = run_program(b, &s, argc, argv);
            }
    }
    if (has_begun)
        code = __real_world_end(&the_world, code);
    settings_release(&s);
    return code;
}
