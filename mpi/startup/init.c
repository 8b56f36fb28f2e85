/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * init - time of MPI_Init
 *
 * Sample   the call of MPI_Init on every rank, timed by the monotonic clock.
 *          Every program calls it in the same way (world.c).
 * Printed  minimum, maximum and mean over ranks, in ms, rounded. With -f also
 *          the steps of the start, in us (startup.h).
 */
#include "bench.h"

#include "startup/startup.h"

static const struct bench bench = {
    .name = "init",
    .about = "time of MPI_Init",
    .title = "OSU MPI Init Test",
    .idle = "mix",
    .ranks = { .min = 1 },
    .takes = TAKES_STEPS,
    .flow = &flow_none,
    .timed = TIMED_ALL,
    .report = &report_init,
    .family = &startup_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
