/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks - how well clock_sync finds the global time, against the truth.
 *
 * All ranks must be on one machine; its clock, read by a system call, is the truth.
 * tests/faults/drift.c gives each rank its own clock_gettime, and ALIDADE_NODE_ID its
 * own node.  The program synchronizes, waits, measures residuals, refreshes, measures
 * again, and prints "when.key=value" lines:
 *
 *   clocks [SECONDS]      default 1
 *
 * error: the largest difference between a rank's global time and the truth; excess:
 * the largest value of error minus stated bound, positive if a bound was wrong; noise:
 * the error in reading the truth.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "job/placement.h"
#include "timing/clock_sync.h"

enum { READS = 200 };

/* The truth and a rank's global time at one moment. */
struct moment {
    double truth, half, global, bound;
};

static double true_time(void)
{
    struct timespec t;

    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct moment look(const struct clock_sync *s)
{
    struct moment best = { .half = HUGE_VAL };

    for (int i = 0; i < READS; i++) {
        const double before = true_time();
        const clock_ticks now = clock_now();
        const double half = (true_time() - before) / 2;

        if (half < best.half)
            best = (struct moment){ before + half, half, clock_sync_global(s, now),
                                    clock_model_bound(&s->model, clock_sync_local(s, now)) };
    }
    return best;
}

static void compare(const struct clock_sync *s, int rank, const char *when)
{
    const struct moment mine = look(s);
    struct moment root = mine;
    double worst[4];

    MPI_Bcast(&root, sizeof root, MPI_BYTE, 0, MPI_COMM_WORLD);
    worst[0] = fabs((mine.global - root.global) - (mine.truth - root.truth));
    worst[1] = mine.bound;
    worst[2] = mine.half + root.half;
    worst[3] = worst[0] - mine.bound - worst[2];
    MPI_Allreduce(MPI_IN_PLACE, worst, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s.error_us=%.3f\n%s.bound_us=%.3f\n%s.noise_us=%.3f\n"
               "%s.excess_us=%.3f\n",
               when, 1e6 * worst[0], when, 1e6 * worst[1], when, 1e6 * worst[2], when,
               1e6 * worst[3]);
}

static void residual(struct clock_sync *s, int rank, const char *when)
{
    const double before = true_time();
    const struct clock_residual r = clock_sync_residual(s);

    if (rank == 0)
        printf("%s.residual_us=%.3f\n%s.residual_bound_us=%.3f\n"
               "%s.residual_took_s=%.4f\n"
               "%s.gate_1us=%d\n%s.gate_1s=%d\n",
               when, 1e6 * r.worst_s, when, 1e6 * r.bound_s, when, true_time() - before, when,
               r.worst_s <= CLOCK_SYNC_TRUSTED * 1e-6, when, r.worst_s <= CLOCK_SYNC_TRUSTED);
}

static void facts(const struct clock_sync_facts *f, int rank, const char *when)
{
    if (rank == 0)
        printf("%s.method=%s\n%s.levels=%d\n%s.apart=%d\n%s.worst_bound_us=%.3f\n"
               "%s.slope_min_ppm=%.3f\n%s.slope_max_ppm=%.3f\n"
               "%s.slope_error_ppm=%.3f\n%s.took_s=%.4f\n",
               when, f->method, when, f->levels, when, f->apart, when, 1e6 * f->bound_s, when,
               1e6 * f->slope_min, when, 1e6 * f->slope_max, when, 1e6 * f->slope_error, when,
               f->took_s);
}

int main(int argc, char **argv)
{
    const double wait_s = argc > 1 ? atof(argv[1]) : 1;
    struct placement placement;
    struct world world = { .comm = MPI_COMM_WORLD };
    struct clock_sync sync;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world.comm, &world.rank);
    MPI_Comm_size(world.comm, &world.size);
    rank = world.rank;
    placement_split(&placement, MPI_COMM_WORLD);
    placement_find(&placement, &world, &(struct placement_talk){ .among = MPI_COMM_WORLD });
    sync = clock_sync_begin(MPI_COMM_WORLD, placement.node);
    facts(&sync.facts, rank, "fit");
    compare(&sync, rank, "fit");
    residual(&sync, rank, "fit");
    usleep((useconds_t)(1e6 * wait_s));
    residual(&sync, rank, "later");
    compare(&sync, rank, "later");
    clock_sync_refresh(&sync);
    facts(&sync.facts, rank, "refresh");
    compare(&sync, rank, "refresh");
    residual(&sync, rank, "refresh");
    clock_sync_end(&sync);
    hardware_release(&placement.hardware);
    MPI_Comm_free(&placement.node);
    MPI_Finalize();
    return 0;
}
