/* SPDX-License-Identifier: BSD-3-Clause */
#include "interference.h"

#include <glob.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "base/simulation.h"
#include "timing/clock.h"

enum { STEPS = 4000, LOOPS = 8 }; /* some 10 us each */

static const double CHANGED = 0.02;

/* A chain in which every step waits for the one before it. */
static double fixed_loop(void)
{
    static volatile uint64_t sink __attribute__((unused));
    double best = HUGE_VAL;

    for (int i = 0; i < LOOPS; i++) {
        const clock_ticks before = clock_now();
        uint64_t x = before | 1;

        for (int step = 0; step < STEPS; step++)
            x = x * 6364136223846793005u + 1442695040888963407u;
        sink = x;
        best = fmin(best, clock_seconds(clock_now() - before));
    }
    return best;
}

static void look(struct steady_state *state)
{
    struct rusage usage = { 0 };

    memset(state, 0, sizeof *state);
    state->cpu = sched_getcpu();
    affinity_read(&state->allowed);
    getrusage(RUSAGE_SELF, &usage);
    state->preempted = usage.ru_nivcsw;
    state->throttled_s = capacity_throttled();
    state->loop_s = fixed_loop();
}

/* Time that was stolen from a CPU since the machine started, in s, as the file "stat" of a
   folder of the kernel's says; 0: none, or not known. */
static double stolen_from(const char *folder, int cpu)
{
    enum { STOLEN = 8 }; /* of the numbers in the line of a CPU */
    char key[24], text[256];
    char *at = text;
    double ticks = 0;

    snprintf(key, sizeof key, "cpu%d ", cpu);
    if (!proc_line(folder, "stat", key, text, sizeof text))
        return 0;
    for (int i = 0; i < STOLEN; i++)
        ticks = strtod(at, &at);
    return ticks / (double)sysconf(_SC_CLK_TCK);
}

static double cpu_time(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
           1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

/* Threads of this process, besides this one, that run or wait for a CPU. */
static int others_running(void)
{
    char rest[40];
    int running = -1;
    glob_t task = { 0 };

    glob("/proc/self/task/*", 0, NULL, &task);
    for (size_t i = 0; i < task.gl_pathc; i++)
        running += proc_line(task.gl_pathv[i], "status", "State:\tR", rest, sizeof rest);
    globfree(&task);
    return running;
}

static const double LITTLE = 0.05; /* of the time */

/* What this thread gets, and which others run, for so many seconds. */
static struct cpu_share share_of(double seconds)
{
    struct rusage own[2] = { 0 }, all[2] = { 0 };
    const clock_ticks begun = clock_now();
    int looks = 0, running = 0;

    getrusage(RUSAGE_THREAD, &own[0]);
    getrusage(RUSAGE_SELF, &all[0]);
    /* Another process may use the CPU for all that time after the clock was read. */
    do {
        running += others_running();
        looks++;
    } while (clock_seconds(clock_now() - begun) < seconds);
    getrusage(RUSAGE_THREAD, &own[1]);
    getrusage(RUSAGE_SELF, &all[1]);
    const double mine = cpu_time(&own[1]) - cpu_time(&own[0]);
    /* One that only waits for a CPU does not poll: it has used nothing. */
    if (cpu_time(&all[1]) - cpu_time(&all[0]) - mine < LITTLE * seconds)
        running = 0;
    return (struct cpu_share){ mine / seconds, (running + looks / 2) / looks };
}

struct cpu_share interference_share(bool always)
{
    /* The first is longer than a tick of any kernel, at which others get their turn. */
    static const double GLANCE = 0.012, LOOK = 0.05;
    char text[100] = "1 0", *at = text;

    proc_line("/proc/self", "schedstat", "", text, sizeof text);
    const double ran = strtod(at, &at), waited = strtod(at, NULL);
    if (SIMULATED || (!always && waited <= LITTLE * (ran + waited)))
        return (struct cpu_share){ .own = 1 };
    if (!always) {
        const struct cpu_share glance = share_of(GLANCE);

        if (glance.own > 1 - LITTLE && glance.polling == 0)
            return glance;
    }
    return share_of(LOOK);
}

static const double ASKING = 20e-6; /* s, at most, for stolen time */
static const double RAN = 20e-6;    /* s: another thread ran */

void interference_begin(struct interference *w, bool all_threads)
{
    const clock_ticks before = clock_now();
    const double stolen = stolen_from("/proc", sched_getcpu());

    *w = (struct interference){
        .all_threads = all_threads,
        .stealing = stolen > 0 && clock_seconds(clock_now() - before) < ASKING,
    };
    look(&w->before);
}

void interference_batch_begins(struct interference *w)
{
    struct rusage own = { 0 }, all = { 0 };

    w->stolen_s = w->stealing ? stolen_from("/proc", sched_getcpu()) : 0;
    getrusage(RUSAGE_SELF, &all);
    if (w->all_threads)
        own = all;
    else
        getrusage(RUSAGE_THREAD, &own);
    w->taken = own.ru_nivcsw;
    w->given = own.ru_nvcsw;
    w->others_s = cpu_time(&all) - cpu_time(&own);
}

bool interference_batch_disturbed(const struct interference *w)
{
    struct interference now = *w;

    interference_batch_begins(&now);
    return now.stolen_s > w->stolen_s ||
           (now.taken > w->taken && (w->all_threads || now.given == w->given) &&
            now.others_s - w->others_s < RAN);
}

struct steadiness interference_end(const struct interference *w, MPI_Comm comm)
{
    const struct steady_state *const before = &w->before;
    struct steady_state after;

    look(&after);
    /* A clock that stands still (simulated time) moves nothing. */
    const double ratio = after.loop_s > 0 ? before->loop_s / after.loop_s : 1;
    const int mine[2] = { before->cpu != after.cpu,
                          memcmp(&before->allowed, &after.allowed, sizeof before->allowed) != 0 };
    const double extreme[4] = { (double)(after.preempted - before->preempted),
                                after.throttled_s - before->throttled_s, ratio, -ratio };
    int ranks[2] = { 0 };
    double most[4] = { 0 };

    PMPI_Reduce(mine, ranks, 2, MPI_INT, MPI_SUM, 0, comm);
    PMPI_Reduce(extreme, most, 4, MPI_DOUBLE, MPI_MAX, 0, comm);
    const double slowed = -most[3], quickened = most[2];
    const double speed = quickened - 1 > 1 - slowed ? quickened : slowed;

    return (struct steadiness){ .moved = ranks[0],
                                .rebound = ranks[1],
                                .preempted = (long)most[0],
                                .throttled_s = most[1],
                                .speed = speed,
                                .speed_changed = fabs(speed - 1) > CHANGED };
}
