/* SPDX-License-Identifier: BSD-3-Clause */
#include "affinity.h"

#include <string.h>

void affinity_read(struct affinity *a)
{
    memset(a, 0, sizeof *a);
    sched_getaffinity(0, sizeof *a, a->part);
}

bool affinity_has(const struct affinity *a, int cpu)
{
    return CPU_ISSET_S((size_t)cpu, sizeof *a, a->part);
}

int affinity_count(const struct affinity *a)
{
    return CPU_COUNT_S(sizeof *a, a->part);
}

void affinity_join(struct affinity *a, const struct affinity *other)
{
    CPU_OR_S(sizeof *a, a->part, a->part, other->part);
}
