/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where - where each rank runs, and what of its node may hinder MPI
 *
 * Sample   none; nothing is timed.
 * Printed  a row for each rank: host, CPUs, core, NUMA node, socket, GPU and the
 *          nearest network devices; then findings: shared memory, locked
 *          memory, reading another rank's memory, CPU quota, threads.
 */
#include "bench.h"

#include "where/where.h"

static const struct bench bench = {
    .name = "where",
    .about = "where each rank runs, and what of its node may hinder MPI",
    .title = "MPI Placement Test",
    .ranks = { .min = 1 },
    .flow = &flow_none,
    .timed = TIMED_ALL,
    .report = &report_where,
    .family = &where_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
