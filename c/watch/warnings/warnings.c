/* SPDX-License-Identifier: BSD-3-Clause */
#include "warnings.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "job/placement.h"
#include "job/world.h"

static void warn_of_binding(const struct context *c)
{
    const struct placement *at = c->placement;
    const struct binding_threads *t = &at->threads;

    if (at->shared.n > 0)
        message_print(W07_BINDING, "ranks share cores (ranks=%s; CPUs=%s; host=%s;)",
                      at->shared.ranks, at->shared.cpus, at->shared.host);
    else if (at->drifting > 0)
        message_print(W07_BINDING,
                      "ranks are not bound, and may move among the NUMA nodes "
                      "of their node (ranks=%d of %d;)",
                      at->drifting, c->world->size);
    if (t->threads > 0 && t->rank >= 0)
        message_print(W37_THREADS,
                      "more threads than CPUs (rank=%d; threads=%d; CPUs=%d; host=%s;)", t->rank,
                      t->threads, t->cpus, t->host);
    else if (t->threads > 0)
        message_print(W37_THREADS,
                      "more threads than CPUs (threads of all ranks=%d; usable CPUs=%d; host=%s;)",
                      t->threads, t->cpus, t->host);
}

/* Does something else run on the CPUs of ranks that have one each?  Collective. */
static void warn_of_load(const struct context *c)
{
    static const double MUCH = 0.8;
    const struct placement *at = c->placement;
    const bool alone =
        !at->lacks_cpus && !at->oversubscribed && at->shared.n == 0 && at->threads.threads == 0;
    const int first = world_first(c->world, alone && at->cpu_share < MUCH);
    char host[HOST_NAME_MAX + 1] = "";

    gethostname(host, sizeof host);
    if (first == c->world->rank)
        message_print(W40_FOREIGN_LOAD,
                      "other processes use the CPUs of the ranks (rank=%d; "
                      "its share of the CPU=%.2f; host=%s;)",
                      first, at->cpu_share, host);
}

/* The samples of the row that has the fewest. */
static long fewest_samples(const struct settings *s)
{
    size_t bytes = s->sizes.min;
    long fewest = sizes_count(&s->iterations, bytes);

    while (sizes_next(&s->sizes, &bytes)) {
        const long n = sizes_count(&s->iterations, bytes);

        fewest = n < fewest ? n : fewest;
    }
    return fewest;
}

static void warn_of_percentiles(const struct settings *s)
{
    const long iterations = s->iterations.steps > 0 ? fewest_samples(s) : LONG_MAX;

    for (int i = 0; i < s->npercentiles; i++) {
        const double needed = 1 / (1 - s->percentiles[i] / 100);

        if (isfinite(needed) && needed > (double)iterations + 1e-6) {
            message_print(W22_FEW_SAMPLES,
                          "percentile=%g; needs samples=%.0f; there are=%ld; "
                          "the slowest is printed",
                          s->percentiles[i], ceil(needed - 1e-6), iterations);
            return;
        }
    }
}

static void warn(const struct context *c)
{
    const struct settings *s = c->settings;
    const struct placement *at = c->placement;

    if (c->world->rank != 0)
        return;
    warn_of_binding(c);
    if (at->lacks_cpus)
        message_print(W08_OVERSUBSCRIBED,
                      "more ranks than CPUs (ranks per node=%d; usable CPUs=%d;)",
                      at->max_node_size, at->usable_cpus);
    /* Other patterns of pairs cross the machine as they are meant to. */
    if (c->bench->takes & TAKES_PAIRING && at->within_nodes > 0 && at->between_nodes > 0)
        message_print(W03_MIXED_PAIRS, "pairs on one node=%d; pairs between nodes=%d;",
                      at->within_nodes, at->between_nodes);
    if (at->mpi_nodes != at->nodes && getenv("ALIDADE_NODE_ID") == NULL)
        message_print(W21_SHARED_MEMORY, "nodes by their kernel=%d; by MPI=%d;", at->nodes,
                      at->mpi_nodes);
    warn_of_percentiles(s);
}

static void placed(const struct context *c, struct surroundings *around)
{
    warn(c);
    warn_of_load(c);
}

const struct watcher warnings_watcher = { .placed = placed };
