/* SPDX-License-Identifier: BSD-3-Clause */
#include "crowding.h"

#include <stdlib.h>

enum { NOBODY = -1, UNSEEN = -2 };

/* The ranks that have a CPU so far, and a search for another one.  by[cpu]: the rank of
   the search that could have this CPU. */
struct matching {
    int owner[AFFINITY_CPUS], by[AFFINITY_CPUS];
    int *held;  /* by a rank: its CPU, or NOBODY */
    int *queue; /* ranks of the search */
};

/* Along the search's way each rank gives its CPU to the one before. */
static void hand_over(struct matching *m, int cpu)
{
    while (cpu != NOBODY) {
        const int rank = m->by[cpu], given_up = m->held[rank];

        m->owner[cpu] = rank;
        m->held[rank] = cpu;
        cpu = given_up;
    }
}

/* Find a CPU for the rank, whatever others must move.  0: it has one; else the number of
   ranks in the queue, which share too few. */
static int place(struct matching *m, const struct affinity *set, int rank)
{
    int waiting = 0;

    for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
        m->by[cpu] = UNSEEN;
    m->queue[waiting++] = rank;
    for (int i = 0; i < waiting; i++)
        for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++) {
            if (m->by[cpu] != UNSEEN || !affinity_has(&set[m->queue[i]], cpu))
                continue;
            m->by[cpu] = m->queue[i];
            if (m->owner[cpu] == NOBODY) {
                hand_over(m, cpu);
                return 0;
            }
            m->queue[waiting++] = m->owner[cpu];
        }
    return waiting;
}

static int find(struct matching *m, const struct affinity *set, int n,
                bool *member)
{
    for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
        m->owner[cpu] = NOBODY;
    for (int i = 0; i < n; i++) {
        m->held[i] = NOBODY;
        member[i] = false;
    }
    for (int i = 0; i < n; i++) {
        const int together = affinity_count(&set[i]) > 0 ? place(m, set, i) : 0;

        for (int k = 0; k < together; k++)
            member[m->queue[k]] = true;
        if (together > 0)
            return together;
    }
    return 0;
}

int crowding_find(const struct affinity *set, int n, bool *member)
{
    struct matching *m = malloc(sizeof *m);
    int found = 0;

    if (m == NULL)
        return 0;
    m->held = malloc((size_t)n * sizeof *m->held);
    m->queue = malloc((size_t)n * sizeof *m->queue);
    if (m->held != NULL && m->queue != NULL)
        found = find(m, set, n, member);
    free(m->held);
    free(m->queue);
    free(m);
    return found;
}
