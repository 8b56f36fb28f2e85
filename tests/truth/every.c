/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * every.c - the life of a one-sided program (bench_main of bench.h), once for
 *           every type of window and every synchronization that it takes, in one
 *           job.  It is linked with the program's object instead of run/main.c.
 *
 * The first run starts MPI, and it is kept until the last one is over, as in the suite.
 * Each life prints "combination WINDOW SYNCHRONISATION" before its table, so that a test
 * can count them.
 */
#include <stdio.h>

#include "job/launch.h"
#include "job/startup.h"
#include "rma/rma.h"
#include "run/command_line.h"
#include "run/run.h"

static bool takes(const struct bench *b, enum rma_sync sync)
{
    return b->takes & TAKES_ACTIVE    ? rma_is_active(sync)
           : b->takes & TAKES_PASSIVE ? !rma_is_active(sync)
                                      : true;
}

int bench_main(const struct bench *b, int argc, char **argv)
{
    struct startup startup = { .kept = true };
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
                if (launch_rank() == 0)
                    printf("combination %s %s\n", w->word, y->word);
                code = run_program(b, &s, &startup, argc, argv);
            }
    }
    startup.kept = false;
    if (startup.begun)
        startup_end(&startup);
    settings_release(&s);
    return code;
}
