/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overhead - the time that the harness adds to a ping-pong: the loop of latency.c
 *            itself, compared with a bare loop, in one job.
 *
 * Batches of both alternate, in an order that changes from pair to pair, so
 * that disturbances of the machine affect both equally.  Each batch gives the
 * mean time of its iterations; the ratio is that of the medians of the batches, its
 * spread the quartiles of the ratios of neighboring batches.
 *
 *   overhead [BYTES [PAIRS [D]]]      on two ranks; D: memory of a GPU
 */
int latency_main(int argc, char **argv);
#define main latency_main
#include "../../mpi/pt2pt/latency.c"
#undef main

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "base/stats.h"
#include "data/gpu.h"
#include "data/memory.h"
#include "job/world.h"

/* Batches of some milliseconds, shorter than the disturbances of the
   machine. */
enum { MOST_ITERATIONS = 3200, PAIRS = 2000, MOST_PAIRS = 10000, STRIDE = 32 };

static const double BATCH = 0.020; /* s, where iterations are long */

static clock_ticks sample[MOST_ITERATIONS + 2], begun[MOST_ITERATIONS + 2];
static int iterations = MOST_ITERATIONS; /* iterations of a batch; whole strides */

static double ours(struct bench_run *r, long stride)
{
    iterations_prepare(&r->iterations, sample, begun, iterations / stride, stride);
    MPI_Barrier(r->comm);
    const clock_ticks before = clock_now();
    ping_pong(r);
    return clock_seconds(clock_now() - before) / (double)(iterations / stride * stride);
}

static double bare(char *send, char *recv, int bytes, int rank)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const clock_ticks before = clock_now();
    if (rank == 0) {
        for (int i = 0; i < iterations; i++) {
            MPI_Send(send, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(recv, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        for (int i = 0; i < iterations; i++) {
            MPI_Recv(recv, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(send, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        }
    }
    return clock_seconds(clock_now() - before) / iterations;
}

/* Choose fewer iterations if they are long. */
static void choose_iterations(const struct bench_run *r)
{
    double iteration;

    iterations = STRIDE;
    bare(r->send, r->recv, r->count, r->rank);
    iteration = bare(r->send, r->recv, r->count, r->rank);
    MPI_Bcast(&iteration, 1, MPI_DOUBLE, 0, r->comm);
    iterations = (int)fmin(MOST_ITERATIONS, fmax(1, BATCH / iteration / STRIDE) * STRIDE);
    iterations -= iterations % STRIDE;
}

/* Take the GPU of this rank before MPI starts; returns its memory. */
static const struct memory_kind *take_gpu(void)
{
    const struct gpu_runtime *gpu = gpu_runtime();
    const int rank = launch_local_rank();

    if (gpu == NULL || gpu->count() == 0 || !gpu->use(rank < 0 ? 0 : rank % gpu->count())) {
        fprintf(stderr, "overhead: there is no GPU to be used\n");
        exit(EXIT_CANNOT_RUN);
    }
    return memory_kind_of(MEMORY_DEVICE);
}

int main(int argc, char **argv)
{
    static const long strides[] = { 1, 16, STRIDE };
    static double loop[MOST_PAIRS], plain[MOST_PAIRS], ratio[MOST_PAIRS];
    const int bytes = argc > 1 ? atoi(argv[1]) : 8;
    const int pairs = argc > 2 ? atoi(argv[2]) : PAIRS;
    struct bench_run r = { .comm = MPI_COMM_WORLD, .type = MPI_CHAR };
    const struct memory_kind *kind = argc > 3 ? take_gpu() : &memory_host;
    struct buffer buffer[2];
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    clock_anchor();
    MPI_Init(&argc, &argv);
    clock_choose(CLOCK_AUTO, MPI_COMM_WORLD, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.nranks);
    if (r.nranks != 2 || bytes < 1 || pairs < 6 || pairs > MOST_PAIRS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 2; i++)
        if (!buffer_allocate(&buffer[i], kind, (size_t)bytes))
            MPI_Abort(MPI_COMM_WORLD, 1);
    r.send = buffer[0].base;
    r.recv = buffer[1].base;
    r.count = bytes;
    r.peer = 1 - r.rank;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    choose_iterations(&r);
    if (r.rank == 0)
        printf("# %s; %d bytes of %s memory; %d pairs of batches of %d round "
               "trips; clock read %.1f ns\n%-8s %14s %14s %8s %20s\n",
               library, bytes, kind->name, pairs, iterations, 1e9 * clock_describe().cost_s,
               "# stride", "bare (ns)", "harness (ns)", "ratio", "quartiles of pairs");
    for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
        for (int i = -5; i < pairs; i++) { /* the first are warm-up */
            double ns[2] = { 0, 0 };

            for (int turn = 0; turn < 2; turn++)
                if ((turn + i) % 2 == 0)
                    ns[0] = 0.5e9 * bare(r.send, r.recv, bytes, r.rank);
                else
                    ns[1] = 0.5e9 * ours(&r, strides[k]);
            if (i < 0)
                continue;
            plain[i] = ns[0];
            loop[i] = ns[1];
            ratio[i] = ns[1] / ns[0];
        }
        const double a = stats_of(plain, (size_t)pairs).median;
        const double b = stats_of(loop, (size_t)pairs).median;

        stats_of(ratio, (size_t)pairs); /* sorts */
        if (r.rank == 0)
            printf("%-8ld %14.1f %14.1f %8.4f %10.4f %9.4f\n", strides[k], a, b, b / a,
                   stats_quantile(ratio, (size_t)pairs, 0.25),
                   stats_quantile(ratio, (size_t)pairs, 0.75));
    }
    buffer_release(&buffer[0]);
    buffer_release(&buffer[1]);
    MPI_Finalize();
    return 0;
}
