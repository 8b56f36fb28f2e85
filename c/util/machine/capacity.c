/* SPDX-License-Identifier: BSD-3-Clause */
#include "capacity.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/proc_file.h"
#include "timing/clock.h"

enum { BYTES = 32768, COPIES = 50, PATH = 1024 };

static const char ROOT[] = "/sys/fs/cgroup";

double capacity_copy(void)
{
    static char from[BYTES], to[BYTES];
    static volatile char sink __attribute__((unused));
    double best = HUGE_VAL;

    memset(from, 1, sizeof from);
    for (int i = 0; i < COPIES; i++) {
        const clock_ticks before = clock_now();

        memcpy(to, from, sizeof to);
        sink = to[i]; /* the copy must happen */
        const double took = clock_seconds(clock_now() - before);
        if (took > 0)
            best = fmin(best, took);
    }
    return isfinite(best) ? BYTES / best : 0;
}

double capacity_shared(double *size)
{
    struct statvfs at;

    if (statvfs("/dev/shm", &at) != 0)
        return *size = NAN;
    *size = (double)at.f_blocks * (double)at.f_frsize;
    return (double)at.f_bavail * (double)at.f_frsize;
}

/* The folder of this process's own group; false: it has none. */
static bool own_group(char path[PATH])
{
    char group[PATH / 2];

    if (!proc_line("/proc/self", "cgroup", "0::", group, sizeof group))
        return false;
    snprintf(path, PATH, "%s%s", ROOT, group);
    return true;
}

/* The folder above; false at the top. */
static bool climb(char path[PATH])
{
    char *slash = strrchr(path, '/');

    if (slash == NULL || strlen(path) <= strlen(ROOT))
        return false;
    *slash = '\0';
    return true;
}

/* Bytes of memory left below the tightest limit of the process's own group and
   those above it; page cache that the kernel can drop counts as left. */
static double memory_left(void)
{
    double least = HUGE_VAL;
    char group[PATH];

    for (bool more = own_group(group); more; more = climb(group)) {
        /* NAN, no limit: "max" is no number. */
        const double limit = proc_number(group, "memory.max", "");
        const double used = proc_number(group, "memory.current", "");
        const double cache =
            proc_number(group, "memory.stat", "inactive_file ");
        const double left = limit - (cache <= used ? used - cache : used);

        if (isfinite(left))
            least = fmin(least, fmax(0, left));
    }
    return least;
}

double capacity_cpus(void)
{
    double least = 0, quota, period;
    char group[PATH], text[64];

    for (bool more = own_group(group); more; more = climb(group))
        if (proc_line(group, "cpu.max", "", text, sizeof text) &&
            sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0 &&
            (least == 0 || quota / period < least))
            least = quota / period;
    return least;
}

double capacity_throttled(void)
{
    double sum = 0;
    char group[PATH];

    for (bool more = own_group(group); more; more = climb(group)) {
        const double us = proc_number(group, "cpu.stat", "throttled_usec ");

        sum += isfinite(us) ? 1e-6 * us : 0;
    }
    return sum;
}

size_t capacity_memory(void)
{
    const double node = 1024 * proc_number("/proc", "meminfo", "MemAvailable:");
    const double least = fmin(node > 0 ? node : HUGE_VAL, memory_left());

    return least < (double)SIZE_MAX ? (size_t)least : SIZE_MAX;
}
