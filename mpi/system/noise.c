/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise - system noise on every CPU, and what it costs an 8-byte allreduce
 *
 *     rank   |quantum|quantum|quan  other work  tum|quantum|
 *                             `---- a detour ----'
 *
 * Sample   a quantum: a fixed count of operations in registers, on every rank;
 *          then a quantum and an allreduce, on every rank.
 * Printed  for each rank the part of its time that detours take, detours per
 *          second, the longest in us, and their period in ms where it is clear;
 *          then the mean time of a quantum and an allreduce, in us, compared
 *          with that without noise.
 *
 * A little longer than 60 lines: it has two loops.
 */
#include "bench.h"

#include "noise/noise.h"

static void work(struct bench_run *r)
{
    struct quanta *q = &noise_of(r)->quanta;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        while (noise_goes_on(q))
            quantum_run(q->steps);
        bench_stop(r);
    }
}

static void work_and_allreduce(struct bench_run *r)
{
    struct turns *t = &noise_of(r)->turns;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        for (int i = 0; turns_next(t, i); i++) {
            quantum_run(noise_of(r)->quanta.steps);
            turns_worked(t, i);
            MPI_Allreduce(&t->mine[i], &t->sum[i], 1, MPI_INT64_T, MPI_SUM, r->comm);
        }
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "noise",
    .about = "system noise on every CPU, and what it costs an 8-byte allreduce",
    .title = "MPI System Noise",
    .ranks = { .min = 1 },
    .flow = &flow_none,
    .timed = TIMED_ALL,
    .operations = { { "quantum", work }, { "quantum and MPI_Allreduce", work_and_allreduce } },
    .report = &report_noise,
    .family = &noise_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
