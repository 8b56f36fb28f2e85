/* SPDX-License-Identifier: BSD-3-Clause */
#include "capacity.h"

#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "timing/clock.h"

enum { BYTES = 32768, COPIES = 50 };

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

static bool exists(const char *folder, const char *name)
{
    char path[600];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static bool is_up(const char *folder)
{
    char path[600], word[16];

    snprintf(path, sizeof path, "%s/operstate", folder);
    return proc_line(path, "", word, sizeof word) && strcmp(word, "up") == 0;
}

/* A device of its own, in use, and not the network side of an InfiniBand
   adapter, which is counted there. */
static bool is_network(const char *folder)
{
    return exists(folder, "device") && is_up(folder) &&
           !exists(folder, "device/infiniband");
}

/* Sum of what the files that match state, times unit; NAN if one says
   nothing. */
static double sum_of(const char *pattern, double unit)
{
    double sum = 0;
    glob_t found;

    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char folder[512];
        const char *path = found.gl_pathv[i];

        snprintf(folder, sizeof folder, "%.*s",
                 (int)(strrchr(path, '/') - path), path);
        if (strstr(path, "/net/") != NULL && !is_network(folder))
            continue;
        const double value = proc_number(path, "");
        sum += value > 0 ? unit * value : NAN;
    }
    globfree(&found);
    return sum;
}

double capacity_link(void)
{
    /* Mbit/s and Gbit/s. */
    const double sum = sum_of("/sys/class/net/*/speed", 1e6 / 8) +
                       sum_of("/sys/class/infiniband/*/ports/*/rate", 1e9 / 8);

    return isfinite(sum) ? sum : 0;
}
