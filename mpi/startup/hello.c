/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hello - start MPI, print the number of ranks, and exit
 *
 * Sample   none; time the whole program from outside.
 * Printed  the number of ranks.
 */
#include "bench.h"

#include "startup/startup.h"

static const struct bench bench = {
    .name = "hello",
    .about = "start MPI, print the number of ranks, and exit",
    .title = "OSU MPI Hello World Test",
    .idle = "mix",
    .ranks = { .min = 1 },
    .flow = &flow_none,
    .timed = TIMED_ALL,
    .report = &report_hello,
    .family = &startup_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
