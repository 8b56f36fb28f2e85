/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/proc_file.h"
#include "base/simulation.h"
#include "base/stats.h"

/* A simulated clock costs the same each time, and far more real time. */
enum { BLOCKS = SIMULATED ? 1 : 256, READS = 64, TRIES = 20, TICK_BLOCKS = 40, TICK_WAITS = 23 };

static const double BASELINE = 0.020; /* s */
static const double SAME_RATE = 5e-5; /* one clock's, as ranks measure it, differ less */

static const char *name = "CLOCK_MONOTONIC";

static clock_ticks posix(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (clock_ticks)t.tv_sec * 1000000000u + (clock_ticks)t.tv_nsec;
}

/* What this processor counts by: its name in results, that of the kernel, and the flags of
   /proc/cpuinfo without which it may not be used. */
static const struct {
    const char *name, *kernel, *flag[2];
    clock_ticks (*read)(void);
} counter = {
#ifndef CLOCK_HAS_TSC
    NULL, "", { NULL, NULL }, posix
#elif defined __x86_64__
    "TSC", "tsc", { " constant_tsc", " nonstop_tsc" }, clock_counter
#else
    "CNTVCT", "arch_sys_counter", { NULL, NULL }, clock_counter
#endif
};

double clock_witness_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct clock_state clock_state = { false, posix, 1e-9, 0 };

/* Nanoseconds since the first reading: a double has no room for those since 1970. */
static clock_ticks by_mpi(void)
{
    return (clock_ticks)(int64_t)((MPI_Wtime() - clock_state.base_s) * 1e9);
}

/* Does the kernel vouch for the counter: a constant rate, in every sleep state, which
   arm64 promises of its own, and the clock that it keeps time by? */
static bool tsc_is_safe(void)
{
    char line[8192];
    bool safe = counter.name != NULL && !SIMULATED &&
                proc_line("/sys/devices/system/clocksource/clocksource0", "current_clocksource",
                          counter.kernel, line, sizeof line);

    for (int i = 0; i < 2 && counter.flag[i] != NULL; i++)
        safe = safe && proc_line("/proc", "cpuinfo", "flags", line, sizeof line) &&
               strstr(line, counter.flag[i]) != NULL;
    return safe;
}

/* The two clocks at one moment: of some tries the one that took least. */
static struct anchor {
    clock_ticks tsc, posix;
} first;

static struct anchor anchor(void)
{
    clock_ticks least = 0;
    struct anchor best = { 0 };

    for (int i = 0; i < TRIES; i++) {
        const clock_ticks before = counter.read(), ns = posix(), after = counter.read();

        if (i > 0 && after - before >= least)
            continue;
        least = after - before;
        best = (struct anchor){ before + least / 2, ns };
    }
    return best;
}

void clock_anchor(void)
{
    first = anchor();
}

static double tsc_tick(void)
{
    struct anchor now;

    do
        now = anchor();
    while (1e-9 * (double)(now.posix - first.posix) < BASELINE);
    return 1e-9 * (double)(now.posix - first.posix) / (double)(now.tsc - first.tsc);
}

static void clock_use(enum clock_kind kind)
{
    clock_state = (struct clock_state){ false, posix, 1e-9, 0 };
    name = "CLOCK_MONOTONIC";
    if (kind == CLOCK_TSC) {
        clock_state = (struct clock_state){ true, posix, tsc_tick(), 0 };
        name = counter.name;
    } else if (kind == CLOCK_MPI) {
        clock_state = (struct clock_state){ false, by_mpi, 1e-9, MPI_Wtime() };
        name = "MPI_Wtime";
    }
}

bool clock_choose(enum clock_kind wanted, MPI_Comm all, MPI_Comm node)
{
    double leader[2];
    int safe = wanted != CLOCK_POSIX && wanted != CLOCK_MPI && tsc_is_safe();

    PMPI_Allreduce(MPI_IN_PLACE, &safe, 1, MPI_INT, MPI_MIN, all);
    if (wanted == CLOCK_TSC && !safe)
        return false;
    if (wanted == CLOCK_AUTO)
        wanted = safe ? CLOCK_TSC : CLOCK_POSIX;
    clock_use(wanted);
    leader[0] = clock_state.tick_s;
    leader[1] = clock_state.base_s;
    PMPI_Bcast(leader, 2, MPI_DOUBLE, 0, node);
    /* Rates that are farther apart belong to two oscillators, whatever the node says. */
    if (fabs(leader[0] / clock_state.tick_s - 1) < SAME_RATE)
        clock_state.tick_s = leader[0];
    /* MPI may count from the start of each process; no ticks are negative. */
    if (wanted == CLOCK_MPI && leader[1] <= MPI_Wtime())
        clock_state.base_s = leader[1];
    return true;
}

static clock_ticks common_divisor(clock_ticks a, clock_ticks b)
{
    while (b != 0) {
        const clock_ticks rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* What all differences are multiples of: some clocks count in larger steps than their
   unit.  The reads are not evenly apart, so that it is not their cost. */
static clock_ticks tick_of(void)
{
    clock_ticks last = clock_now(), tick = 0;

    /* A simulated clock is exact. */
    for (int i = 0; !SIMULATED && i < READS * TICK_BLOCKS; i++) {
        for (volatile int wait = i % TICK_WAITS; wait > 0; wait--)
            ;
        const clock_ticks now = clock_now();

        if (now > last)
            tick = common_divisor(now - last, tick);
        last = now;
    }
    return tick;
}

/* A pair of reads is as coarse as the resolution, so the cost is taken from blocks of
   reads; the resolution is the smallest step inside them. */
struct clock_facts clock_describe(void)
{
    double cost[BLOCKS];
    clock_ticks step = 0;

    for (int block = 0; block < BLOCKS; block++) {
        const clock_ticks start = clock_now();
        clock_ticks last = start;

        for (int i = 0; i < READS; i++) {
            const clock_ticks now = clock_now();

            if (now > last && (step == 0 || now - last < step))
                step = now - last;
            last = now;
        }
        cost[block] = clock_seconds(last - start) / READS;
    }
    stats_sort(cost, BLOCKS);
    return (struct clock_facts){
        .name = name,
        .resolution_s = clock_seconds(step),
        .tick_s = clock_seconds(tick_of()),
        .cost_s = cost[BLOCKS / 2],
        .cost_p99_s = cost[BLOCKS * 99 / 100],
    };
}

void iterations_pause(struct iterations *l)
{
    l->between(l->owner);
}
