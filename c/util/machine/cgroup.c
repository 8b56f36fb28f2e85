/* SPDX-License-Identifier: BSD-3-Clause */
#include "cgroup.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/proc_file.h"

enum { PATH = 1024 };

static const char ROOT[] = "/sys/fs/cgroup";

/* The folder of this process's own group; false: it has none. */
static bool own_group(char path[PATH])
{
    char group[PATH / 2];

    if (!proc_line("/proc/self/cgroup", "0::", group, sizeof group))
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

/* The number after key in a file of the group; NAN: none ("max" is none, too). */
static double number_in(const char *group, const char *name, const char *key)
{
    char path[PATH + 64];

    snprintf(path, sizeof path, "%s/%s", group, name);
    return proc_number(path, key);
}

/* Bytes of memory left below the tightest limit of the process's own group and
   those above it; page cache that the kernel can drop counts as left. */
static double memory_left(void)
{
    double least = HUGE_VAL;
    char group[PATH];

    for (bool more = own_group(group); more; more = climb(group)) {
        const double limit = number_in(group, "memory.max", "");
        const double used = number_in(group, "memory.current", "");
        const double cache = number_in(group, "memory.stat", "inactive_file ");
        const double left = limit - (cache <= used ? used - cache : used);

        if (isfinite(left))
            least = fmin(least, fmax(0, left));
    }
    return least;
}

double cgroup_cpus(void)
{
    double least = 0, quota, period;
    char group[PATH], path[PATH + 64], text[64];

    for (bool more = own_group(group); more; more = climb(group)) {
        snprintf(path, sizeof path, "%s/cpu.max", group);
        if (proc_line(path, "", text, sizeof text) &&
            sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0 &&
            (least == 0 || quota / period < least))
            least = quota / period;
    }
    return least;
}

double cgroup_throttled(void)
{
    double sum = 0;
    char group[PATH];

    for (bool more = own_group(group); more; more = climb(group)) {
        const double us = number_in(group, "cpu.stat", "throttled_usec ");

        sum += isfinite(us) ? 1e-6 * us : 0;
    }
    return sum;
}

size_t cgroup_memory_available(void)
{
    const double node = 1024 * proc_number("/proc/meminfo", "MemAvailable:");
    const double least = fmin(node > 0 ? node : HUGE_VAL, memory_left());

    return least < (double)SIZE_MAX ? (size_t)least : SIZE_MAX;
}
