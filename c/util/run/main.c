/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program does that is started: bench_main of bench.h. */
#include "bench.h"
#include "job/launch.h"
#include "report/output.h"
#include "run.h"
#include "watch.h"

/* Leave before MPI is started. */
static enum exit_code refused(const struct bench *b, const struct settings *s, int argc,
                              char **argv, enum exit_code code)
{
    const struct context c = { .bench = b, .settings = s, .argc = argc, .argv = argv };

    if (code != EXIT_OK) {
        watch_begin(&c);
        code = watch_close(&c, code);
    }
    return launch_leave(code);
}

/* Does one of those who look on do something in place of the run? */
static bool done_instead(const struct bench *b, struct settings *s, enum exit_code *code)
{
    for (int i = 0; watch_options[i] != NULL; i++)
        if (watch_options[i]->instead != NULL && watch_options[i]->instead(b, s, code))
            return true;
    return false;
}

int bench_main(const struct bench *b, int argc, char **argv)
{
    struct startup startup = { .begun = false };
    struct settings settings;
    enum exit_code code;

    clock_anchor();
    if (!command_line_read(b, argc, argv, &settings, &code))
        code = refused(b, &settings, argc, argv, output_flush(code));
    else if (done_instead(b, &settings, &code))
        code = output_flush(code);
    else if ((code = command_line_check(b, &settings)) != EXIT_OK)
        code = refused(b, &settings, argc, argv, code);
    else
        code = run_program(b, &settings, &startup, argc, argv, NULL);
    settings_release(&settings);
    return code;
}
