/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program does that is started: bench_main of bench.h. */
#include "bench.h"
#include "command_line.h"
#include "dry_run.h"
#include "job/launch.h"
#include "record/output.h"
#include "run.h"

int bench_main(const struct bench *b, int argc, char **argv)
{
    struct startup startup = { .begun = false };
    struct settings settings;
    enum exit_code code;

    clock_anchor();
    if (!command_line_read(b, argc, argv, &settings, &code))
        code = launch_leave(output_flush(b->name, code));
    else if (settings.dry_run)
        code = output_flush(b->name, dry_run(b, &settings, NULL));
    else if ((code = command_line_check(b, &settings)) != EXIT_OK)
        code = launch_leave(code);
    else
        code = run_program(b, &settings, &startup, argc, argv, NULL);
    settings_release(&settings);
    return code;
}
