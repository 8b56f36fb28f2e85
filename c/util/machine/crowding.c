/* SPDX-License-Identifier: BSD-3-Clause */
#include "crowding.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1 };

/* The ranks that have a CPU so far, and a search for another one. */
struct matching {
    const struct affinity *set;
    int owner[AFFINITY_CPUS];
    bool seen[AFFINITY_CPUS]; /* by the search */
    bool *member;             /* the ranks that the search has reached */
};

/* Give the rank a CPU: one that is free, or that of a rank that can have another one.
   If there is none, the ranks that were reached share too few. */
static bool place(struct matching *m, int rank)
{
    const struct affinity *mine = &m->set[rank];

    m->member[rank] = true;
    for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
        if (m->owner[cpu] == NOBODY && affinity_has(mine, cpu)) {
            m->owner[cpu] = rank;
            return true;
        }
    for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++) {
        if (m->seen[cpu] || !affinity_has(mine, cpu))
            continue;
        m->seen[cpu] = true;
        if (place(m, m->owner[cpu])) {
            m->owner[cpu] = rank;
            return true;
        }
    }
    return false;
}

int crowding_find(const struct affinity *set, int n, bool *member)
{
    struct matching *m = malloc(sizeof *m);
    int found = 0;

    if (m == NULL)
        return 0;
    m->set = set;
    m->member = member;
    for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
        m->owner[cpu] = NOBODY;
    memset(member, 0, (size_t)n * sizeof *member);
    for (int i = 0; i < n && found == 0; i++) {
        memset(m->seen, 0, sizeof m->seen);
        if (affinity_count(&set[i]) > 0 && !place(m, i))
            for (int k = 0; k < n; k++)
                found += member[k];
        else
            memset(member, 0, (size_t)n * sizeof *member);
    }
    free(m);
    return found;
}
