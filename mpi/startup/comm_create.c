/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm_create - time to create a communicator or a window, by number of ranks
 *
 * Sample   one call on every rank of the communicator it starts from, after all
 *          ranks were synchronized. The new object is freed afterwards,
 *          untimed.
 * Printed  mean over iterations, then over ranks, in us; a section of the table
 *          for each operation: MPI_Comm_dup; MPI_Comm_split, all ranks of one
 *          color and in the same order; MPI_Comm_create_group of all ranks;
 *          MPI_Win_allocate of 8 bytes on each rank.
 * Ranks    2, 4, 8, ... and all; the first ranks of the job take part, and the
 *          others wait.
 *
 * The four operations make it longer than one loop would be.
 */
#include "bench.h"
#include "collective/collective.h"

static void duplicate(struct bench_run *r)
{
    MPI_Comm made;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Comm_dup(r->comm, &made);
        bench_stop(r);
        MPI_Comm_free(&made);
    }
}

static void split(struct bench_run *r)
{
    MPI_Comm made;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Comm_split(r->comm, 0, r->rank, &made);
        bench_stop(r);
        MPI_Comm_free(&made);
    }
}

static void create_group(struct bench_run *r)
{
    MPI_Group group;
    MPI_Comm made;

    MPI_Comm_group(r->comm, &group);
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Comm_create_group(r->comm, group, BENCH_TAG, &made);
        bench_stop(r);
        MPI_Comm_free(&made);
    }
    MPI_Group_free(&group);
}

static void allocate(struct bench_run *r)
{
    MPI_Win made;
    void *base;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Win_allocate(8, 1, MPI_INFO_NULL, r->comm, &base, &made);
        bench_stop(r);
        MPI_Win_free(&made);
    }
}

static const struct bench bench = {
    .name = "comm_create",
    .about = "time to create a communicator or a window, by number of ranks",
    .title = "MPI Communicator Creation Latency Test",
    .ranks = { .min = 2 },
    .counts = &counts_collective,
    .takes = TAKES_ITERATIONS,
    .flow = &flow_none,
    .timed = TIMED_ALL,
    .parameter = { .kind = PARAMETER_RANKS },
    .operations = { { "MPI_Comm_dup", duplicate },
                    { "MPI_Comm_split", split },
                    { "MPI_Comm_create_group", create_group },
                    { "MPI_Win_allocate", allocate } },
    .report = &report_barrier,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
