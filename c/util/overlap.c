/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlap.h"

#include <math.h>

enum { TRIALS = 5, ROUNDS = 4, FIRST_WORK = 1000 };

static const double LONG_TRIALS = 0.1; /* s */
static const double CLOSE = 0.02;      /* of what the computation should last */

/* A chain of dependent multiplications: its time is steps times a constant,
   and it touches no memory that the operation could want. */
static void work(long steps)
{
    static volatile double sink __attribute__((unused));
    double x = 1.0000001;

    for (long i = 0; i < steps; i++)
        x = x * 1.0000001 + 1e-9;
    sink = x;
}

clock_ticks overlap_compute(const struct overlap *o, MPI_Request *request)
{
    const int slices = o->tests + 1;
    clock_ticks testing = 0;

    for (int i = 0; i < slices; i++) {
        /* Multiplied first, so that slices add up to the whole. */
        work(o->work * (i + 1) / slices - o->work * i / slices);
        if (i < o->tests) {
            const clock_ticks before = clock_now();
            int done;

            MPI_Test(request, &done, MPI_STATUS_IGNORE);
            testing += clock_now() - before;
        }
    }
    return testing;
}

void overlap_reset(struct overlap *o)
{
    o->start = o->compute = o->test = o->wait = 0;
    o->laps = 0;
}

void overlap_note(struct bench_run *r, clock_ticks begun,
                  struct overlap_part part)
{
    struct overlap *o = r->overlap;

    if (r->laps.next < o->counted || r->laps.late)
        return;
    o->start += part.started - begun;
    o->compute += part.computed - part.started;
    o->test += part.tested;
    o->wait += r->laps.mark + *r->laps.next - part.computed;
    o->laps++;
}

/* Duration of so many steps: the quickest of a few, or of fewer if they are
   long, for what disturbs can only add. */
static double time_of(long steps)
{
    double best = 0, sum = 0;

    for (int trial = 0; trial < TRIALS && sum < LONG_TRIALS; trial++) {
        const clock_ticks before = clock_now();

        work(steps);
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

    MPI_Comm_size(comm, &n);
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, comm);
    return mine / n;
}

long overlap_calibrate(MPI_Comm comm, double seconds, double *alone_s)
{
    long steps = FIRST_WORK;

    *alone_s = mean_over(comm, time_of(steps));
    for (int round = 0; round < ROUNDS; round++) {
        if (!(*alone_s > 0 && seconds > 0)) /* simulated time */
            return 1;
        steps = (long)((double)steps * seconds / *alone_s) + 1;
        *alone_s = mean_over(comm, time_of(steps));
        if (fabs(*alone_s / seconds - 1) < CLOSE)
            break;
    }
    return steps;
}
