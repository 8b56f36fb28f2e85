/* SPDX-License-Identifier: BSD-3-Clause */
#include "cgroup.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 1024 };

static const char ROOT[] = "/sys/fs/cgroup";

/* The folder of this process's own group, "" for none. */
static void own_group(char path[PATH])
{
    FILE *file = fopen("/proc/self/cgroup", "r");
    char line[PATH / 2];

    path[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "0::", 3) == 0) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(path, PATH, "%s%s", ROOT, line + 3);
        }
    if (file != NULL)
        fclose(file);
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

/* The number behind key in a file of the group; SIZE_MAX if there is none
   ("max" is none as well). */
static size_t number_in(const char *group, const char *name, const char *key)
{
    char path[PATH + 64], line[200];
    size_t value = SIZE_MAX;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", group, name);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0 &&
            sscanf(line + strlen(key), "%zu", &value) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return value;
}

static size_t left_in(const char *group)
{
    const size_t limit = number_in(group, "memory.max", "");
    const size_t used = number_in(group, "memory.current", "");
    const size_t cache = number_in(group, "memory.stat", "inactive_file ");
    const size_t bound = used == SIZE_MAX || cache == SIZE_MAX || cache > used
                             ? used
                             : used - cache;

    if (limit == SIZE_MAX || bound == SIZE_MAX)
        return SIZE_MAX;
    return limit > bound ? limit - bound : 0;
}

size_t cgroup_memory_left(void)
{
    size_t least = SIZE_MAX;
    char group[PATH];

    own_group(group);
    if (group[0] == '\0')
        return SIZE_MAX;
    do {
        const size_t left = left_in(group);

        if (left < least)
            least = left;
    } while (climb(group));
    return least;
}

double cgroup_cpus(void)
{
    double least = 0;
    char group[PATH], path[PATH + 64];

    own_group(group);
    if (group[0] == '\0')
        return 0;
    do {
        double quota, period;
        FILE *file;

        snprintf(path, sizeof path, "%s/cpu.max", group);
        file = fopen(path, "r");
        if (file != NULL && fscanf(file, "%lf %lf", &quota, &period) == 2 &&
            period > 0 && (least == 0 || quota / period < least))
            least = quota / period;
        if (file != NULL)
            fclose(file);
    } while (climb(group));
    return least;
}

double cgroup_throttled(void)
{
    double sum = 0;
    char group[PATH];

    own_group(group);
    if (group[0] == '\0')
        return 0;
    do {
        const size_t us = number_in(group, "cpu.stat", "throttled_usec ");

        if (us != SIZE_MAX)
            sum += 1e-6 * (double)us;
    } while (climb(group));
    return sum;
}

size_t cgroup_memory_available(void)
{
    const size_t group = cgroup_memory_left();
    FILE *file = fopen("/proc/meminfo", "r");
    size_t kilobytes = 0;
    char line[200];

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %zu", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    if (kilobytes == 0)
        return group;
    return kilobytes * 1024 < group ? kilobytes * 1024 : group;
}
