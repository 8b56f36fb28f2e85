/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program does that is started: bench_main of bench.h, for which the suite has another. */
#include "run.h"

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
    struct world_start startup = { .begun = false };
    struct settings settings;
    enum exit_code code;

    clock_anchor();
    if (!command_line_read(b, argc, argv, &settings, &code))
        code = run_refused(b, &settings, argc, argv, output_flush(code));
    else if (done_instead(b, &settings, &code))
        code = output_flush(code);
    else if ((code = command_line_check(b, &settings)) != EXIT_OK)
        code = run_refused(b, &settings, argc, argv, code);
    else
        code = run_program(b, &settings, &startup, argc, argv, NULL);
    settings_release(&settings);
    return code;
}
