/* SPDX-License-Identifier: BSD-3-Clause */
#include "computation.h"

#include <math.h>

#include "base/simulation.h"
#include "gpu/gpu.h"

enum { TRIALS = 5, ROUNDS = 4, FIRST_WORK = 1000 };

/* Total length of the trials of one duration, s */
static const double LONG_TRIALS = 0.1;
/* Seconds of work until a GPU runs at full speed */
static const double AWAKE = 0.1;
static const double CLOSE = 0.02; /* accepted error of the duration, relative */

/* A chain of dependent multiplications.  Its time is proportional to steps, and
   it uses no memory that the operation may need. */
static void work(long steps)
{
    static volatile double sink __attribute__((unused));
    double x = 1.0000001;

    for (long i = 0; i < steps; i++)
        x = x * 1.0000001 + 1e-9;
    sink = x;
}

/* Compute until the time is over. */
static void work_until(double seconds)
{
    const clock_ticks begun = clock_now();

    do
        work(FIRST_WORK / 10);
    while (!SIMULATED && clock_seconds(clock_now() - begun) < seconds);
}

/* Compute one slice.  On the CPU it is a part of the steps, on the GPU a part
   of the time. */
static void slice(const struct computation *c, int i, int slices,
                  clock_ticks begun)
{
    if (c->target != COMPUTE_ON_GPU) {
        /* Multiply first, so that the slices add up to the whole. */
        work(c->work * (i + 1) / slices - c->work * i / slices);
        return;
    }
    while (i + 1 < slices &&
           clock_seconds(clock_now() - begun) < c->alone_s * (i + 1) / slices)
        continue;
}

clock_ticks computation_run(const struct computation *c, MPI_Request *request)
{
    const int slices = c->tests + 1;
    const clock_ticks begun = c->target == COMPUTE_ON_GPU ? clock_now() : 0;
    clock_ticks testing = 0;

    if (c->lasts_s > 0) {
        work_until(c->lasts_s);
        return 0;
    }
    if (c->target != COMPUTE_ON_CPU)
        gpu_must(gpu_runtime()->compute(c->gpu_work), "computing");
    for (int i = 0; i < slices; i++) {
        slice(c, i, slices, begun);
        if (i < c->tests) {
            const clock_ticks before = clock_now();
            int done;

            MPI_Test(request, &done, MPI_STATUS_IGNORE);
            testing += clock_now() - before;
        }
    }
    if (c->target != COMPUTE_ON_CPU)
        gpu_must(gpu_runtime()->finish(), "computing");
    return testing;
}

/* Run so many steps on the GPU, and wait for them. */
static void gpu_work(long steps)
{
    gpu_must(gpu_runtime()->compute(steps) && gpu_runtime()->finish(),
             "computing");
}

/* The duration of so many steps: the shortest of a few trials, or of fewer if
   they are long, since disturbances only add time. */
static double time_of(void (*compute)(long), long steps)
{
    double best = 0, sum = 0;

    for (int trial = 0; trial < TRIALS && sum < LONG_TRIALS; trial++) {
        const clock_ticks before = clock_now();

        compute(steps);
        const double took = clock_seconds(clock_now() - before);
        if (trial == 0 || took < best)
            best = took;
        sum += took;
    }
    return best;
}

static double mean_over(MPI_Comm comm, double mine)
{
    int n;

    PMPI_Comm_size(comm, &n);
    PMPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, comm);
    return mine / n;
}

/* The number of steps that last so long, including the launch of a kernel; a
   launch takes no time on the CPU. */
static long calibrate(MPI_Comm comm, void (*compute)(long), double seconds,
                      double *alone_s)
{
    const double launch =
        compute == work ? 0 : mean_over(comm, time_of(compute, 0));
    long steps = FIRST_WORK;

    *alone_s = mean_over(comm, time_of(compute, steps));
    for (int round = 0; round < ROUNDS; round++) {
        const double step = (*alone_s - launch) / (double)steps;

        if (!(step > 0 && seconds > launch)) { /* simulated time, or no time */
            steps = compute == work ? 1 : 0;
            *alone_s = mean_over(comm, time_of(compute, steps));
            break;
        }
        steps = (long)((seconds - launch) / step) + 1;
        *alone_s = mean_over(comm, time_of(compute, steps));
        if (fabs(*alone_s / seconds - 1) < CLOSE)
            break;
    }
    return steps;
}

/* An idle GPU is slower than a busy one: let it work before it is timed. */
static void wake_gpu(void)
{
    static bool awake;
    const clock_ticks begun = clock_now();

    while (!awake && clock_seconds(clock_now() - begun) < AWAKE)
        gpu_work(FIRST_WORK);
    awake = true;
}

void computation_look_again(struct computation *c, MPI_Comm comm)
{
    if (c->target == COMPUTE_ON_CPU)
        return;
    const double gpu_s = mean_over(comm, time_of(gpu_work, c->gpu_work));

    c->alone_s = gpu_s > c->work_s ? gpu_s : c->work_s;
}

void computation_calibrate(struct computation *c, MPI_Comm comm, double seconds)
{
    double gpu_s = 0;

    c->work = c->gpu_work = 0;
    c->work_s = c->alone_s = c->lasts_s;
    if (c->lasts_s > 0)
        return;
    if (c->target != COMPUTE_ON_GPU)
        c->work = calibrate(comm, work, seconds, &c->work_s);
    if (c->target != COMPUTE_ON_CPU) {
        wake_gpu();
        c->gpu_work = calibrate(comm, gpu_work, seconds, &gpu_s);
    }
    /* CPU and GPU compute at the same time. */
    c->alone_s = gpu_s > c->work_s ? gpu_s : c->work_s;
}
