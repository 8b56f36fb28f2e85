/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ft - NAS FT, a 3-D Fourier transform, and the share of communication
 *
 *     planes of x and y   --------->   columns of z   (and back)
 *                         Alltoall
 *
 * Sample   the timed region of the NAS specification: fill a grid with random
 *          numbers, transform it, then in each iteration evolve the spectrum,
 *          transform it back and sum up points; on every rank. FFTW's plans are
 *          made before it, and one iteration runs untimed.
 * Printed  the slowest rank's time, in s; the time in each MPI call and outside
 *          of MPI, mean over ranks; Mop/s, millions of operations per second;
 *          whether all checksums are right.
 * Ranks    any number that divides the numbers of points in y and in z.
 *
 * The file has all that a run does, which makes it longer than one loop around
 * one call.
 */
#include "bench.h"

#include "nas/nas.h"

static void exchange(struct bench_run *r, const void *from, void *to)
{
    struct nas *a = nas_of(r);

    part_begin(&a->parts);
    MPI_Alltoall(from, a->grid.block, MPI_C_DOUBLE_COMPLEX, to, a->grid.block, MPI_C_DOUBLE_COMPLEX,
                 r->comm);
    part_end(&a->parts, FT_ALLTOALL);
}

static void solve(struct bench_run *r)
{
    struct nas *a = nas_of(r);
    struct grid *g = &a->grid;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        grid_fill(g);
        grid_leave(g);
        exchange(r, g->other, g->spectrum);
        grid_enter(g);
        for (int i = 1; nas_goes_on(a, i); i++) {
            grid_evolve(g, i);
            exchange(r, g->space, g->other);
            grid_arrive(g);
            grid_sum(g);
            part_begin(&a->parts);
            MPI_Allreduce(&g->part, &g->sum[i - 1], 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, r->comm);
            part_end(&a->parts, FT_ALLREDUCE);
        }
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "ft",
    .about = "NAS FT, a 3-D Fourier transform, and the share of communication",
    .title = "NAS FT 3-D Fast Fourier Transform",
    .ranks = { .min = 1 },
    .takes = TAKES_MEMORY_LIMIT,
    .flow = &flow_none,
    .timed = TIMED_ALL,
    .run = solve,
    .report = &report_whole,
    .family = &nas_ft_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
