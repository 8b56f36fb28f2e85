/* SPDX-License-Identifier: BSD-3-Clause */
#include "binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int binding_crowded(const struct affinity *set, int n, bool *member)
{
    struct affinity all = { 0 };

    for (int i = 0; i < n; i++)
        affinity_join(&all, &set[i]);
    for (int i = 0; i <= n; i++) {
        const struct affinity within = i < n ? set[i] : all;
        int found = 0;

        for (int k = 0; k < n; k++) {
            struct affinity both = within;

            affinity_join(&both, &set[k]);
            member[k] = affinity_count(&set[k]) > 0 &&
                        memcmp(&both, &within, sizeof both) == 0;
            found += member[k];
        }
        if (found > 0 && found > affinity_count(&within))
            return found;
    }
    memset(member, 0, (size_t)n * sizeof *member);
    return 0;
}

/* "0,1,5", and "..." where room ends. */
static void list_ranks(const int *rank, const bool *member, int n, char *text,
                       size_t room)
{
    size_t at = 0;

    for (int i = 0; i < n; i++) {
        char item[16];
        int length;

        if (!member[i])
            continue;
        length =
            snprintf(item, sizeof item, "%s%d", at > 0 ? "," : "", rank[i]);
        if (at + (size_t)length + sizeof "..." > room) {
            snprintf(text + at, room - at, "...");
            return;
        }
        memcpy(text + at, item, (size_t)length + 1);
        at += (size_t)length;
    }
}

static void describe(struct binding_shared *s, const struct affinity *set,
                     const int *rank, const bool *member, int n)
{
    struct affinity cpus = { 0 };

    for (int i = 0; i < n; i++)
        if (member[i])
            affinity_join(&cpus, &set[i]);
    affinity_list(&cpus, s->cpus, sizeof s->cpus);
    list_ranks(rank, member, n, s->ranks, sizeof s->ranks);
    gethostname(s->host, sizeof s->host);
}

/* Threads of a core are as bad as one CPU, where there are cores enough. */
struct binding_shared binding_of_node(const struct affinity *set,
                                      const int *rank, int n,
                                      const struct affinity *granted,
                                      const struct hardware *hardware)
{
    struct binding_shared s = { .n = 0 };
    struct affinity *core = calloc((size_t)n, sizeof *core), all;
    bool *member = calloc((size_t)n, sizeof *member);

    hardware_cores(hardware, granted, &all);
    if (core != NULL && member != NULL && affinity_count(granted) >= n) {
        for (int i = 0; i < n; i++)
            if (affinity_count(&all) >= n)
                hardware_cores(hardware, &set[i], &core[i]);
            else
                core[i] = set[i];
        s.n = binding_crowded(core, n, member);
        if (s.n > 0)
            describe(&s, set, rank, member, n);
    }
    free(core);
    free(member);
    return s;
}

void binding_agree(struct binding_shared *s, const struct world *world)
{
    const int first = world_first(world, s->n > 0);

    if (first < world->size)
        MPI_Bcast(s, sizeof *s, MPI_BYTE, first, world->comm);
}

struct binding_threads binding_of_threads(const struct world *world,
                                          MPI_Comm node, int threads,
                                          int usable)
{
    struct binding_threads t = { .threads = threads, .rank = world->rank };
    struct affinity cpus;
    int first, most, together;

    affinity_read(&cpus);
    t.cpus = affinity_count(&cpus);
    gethostname(t.host, sizeof t.host);
    MPI_Allreduce(&threads, &together, 1, MPI_INT, MPI_SUM, node);
    MPI_Allreduce(&threads, &most, 1, MPI_INT, MPI_MAX, node);
    first = world_first(world, threads > 1 && t.cpus > 0 && threads > t.cpus);
    if (first == world->size) {
        t.threads = together;
        t.cpus = usable;
        t.rank = -1;
        first = world_first(world, most > 1 && usable > 0 && together > usable);
    }
    if (first == world->size)
        return (struct binding_threads){ .threads = 0 };
    MPI_Bcast(&t, sizeof t, MPI_BYTE, first, world->comm);
    return t;
}
