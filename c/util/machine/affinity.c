/* SPDX-License-Identifier: BSD-3-Clause */
#include "affinity.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

void affinity_read(struct affinity *a)
{
    memset(a, 0, sizeof *a);
    sched_getaffinity(0, sizeof *a, a->part);
}

/* A thread may widen its own set as far as the process is allowed to run, and leaves
   that of the others as it is. */
static void *read_widened(void *granted)
{
    struct affinity all;

    memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, all.part);
    affinity_read(granted);
    return NULL;
}

void affinity_read_granted(struct affinity *a)
{
    pthread_t thread;

    memset(a, 0, sizeof *a);
    if (pthread_create(&thread, NULL, read_widened, a) == 0)
        pthread_join(thread, NULL);
}

int affinity_count(const struct affinity *a)
{
    return CPU_COUNT_S(sizeof *a, a->part);
}

void affinity_join(struct affinity *a, const struct affinity *other)
{
    CPU_OR_S(sizeof *a, a->part, a->part, other->part);
}

/* The first CPU of the set from number cpu on; AFFINITY_CPUS: there is none. */
static int next_of(const struct affinity *a, int cpu)
{
    while (cpu < AFFINITY_CPUS && !CPU_ISSET_S((size_t)cpu, sizeof *a, a->part))
        cpu++;
    return cpu;
}

/* The last of those that follow first at one distance, *step.  Two alone make a
   run, but no stride; nor does one end in what begins a run. */
static int last_of(const struct affinity *a, int first, int *step)
{
    int last = first, next = next_of(a, first + 1), n = 1;

    *step = next - first;
    for (; next < AFFINITY_CPUS && next - last == *step; n++) {
        if (*step > 1 && CPU_ISSET_S((size_t)next + 1, sizeof *a, a->part))
            break;
        last = next;
        next = next_of(a, last + 1);
    }
    return *step > 1 && n < 3 ? first : last;
}

void affinity_list(const struct affinity *a, char *text, size_t room)
{
    static const char more[] = "...";
    size_t n = 0;

    text[0] = '\0';
    for (int cpu = next_of(a, 0), last; cpu < AFFINITY_CPUS;
         cpu = next_of(a, last + 1)) {
        char item[40];
        int step, length;

        last = last_of(a, cpu, &step);
        length = snprintf(item, sizeof item, "%s%d", n > 0 ? "," : "", cpu);
        if (last > cpu)
            length += snprintf(item + length, sizeof item - (size_t)length,
                               step > 1 ? "-%d:%d" : "-%d", last, step);
        if (n + (size_t)length + sizeof more > room) {
            snprintf(text + n, room - n, "%s", more);
            return;
        }
        memcpy(text + n, item, (size_t)length + 1);
        n += (size_t)length;
    }
}
