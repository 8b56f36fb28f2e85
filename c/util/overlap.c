/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlap.h"

enum { TRIALS = 5, FIRST_WORK = 1000 };

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

void overlap_note(struct bench_run *r, clock_ticks begun, clock_ticks started,
                  clock_ticks computed, clock_ticks tested)
{
    struct overlap *o = r->overlap;

    if (r->laps.next < o->counted || r->laps.late)
        return;
    o->start += started - begun;
    o->compute += computed - started;
    o->test += tested;
    o->wait += begun + *r->laps.next - computed;
    o->laps++;
}

long overlap_calibrate(double seconds)
{
    double best = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        const clock_ticks before = clock_now();

        work(FIRST_WORK);
        const double step = clock_seconds(clock_now() - before) / FIRST_WORK;
        if (best == 0 || step < best)
            best = step;
    }
    return best > 0 && seconds > 0 ? (long)(seconds / best) + 1 : 1;
}
