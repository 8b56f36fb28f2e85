/* SPDX-License-Identifier: BSD-3-Clause */
#include "meetings.h"

#include <stdlib.h>
#include <string.h>

#include "data/gpu.h"
#include "job/placement.h"
#include "job/world.h"
#include "schedule/schedule.h"

void meetings_plan(struct meetings *m, const struct meetings_spec *spec)
{
    const int all = round_robin_rounds(m->n);

    m->rounds = spec->rounds > 0 && spec->rounds < all ? spec->rounds : all;
    m->turns = spec->alone ? m->n / 2 : 1;
}

/* --- Who takes part --------------------------------------------------------------- */

/* Is this the first rank of its node that has this GPU? */
static bool is_first_of_gpu(const struct placement *at)
{
    const int rank = at->node_rank;
    struct gpu_facts *all;
    int first = 0;

    if (!this_gpu.used) /* GPU memory was named, and there is no GPU */
        return false;
    all = world_room((size_t)at->node_size, sizeof *all, "the GPUs of a node");
    PMPI_Allgather(&this_gpu.facts, sizeof *all, MPI_BYTE, all, sizeof *all, MPI_BYTE, at->node);
    while (first < rank && strcmp(all[first].uuid, all[rank].uuid) != 0)
        first++;
    free(all);
    return first == rank;
}

enum exit_code meetings_begin(struct meetings *m, const struct meetings_spec *spec,
                              const struct context *c)
{
    static const char *const what[] = { "ranks", "nodes", "GPUs" };
    const int size = c->world->size;
    const bool part =
        spec->every == EVERY_RANK ||
        (spec->every == EVERY_NODE ? c->placement->node_rank == 0 : is_first_of_gpu(c->placement));

    m->rank = world_keep((size_t)size, sizeof *m->rank, "the partners of a rank");
    m->seat = world_keep((size_t)size, sizeof *m->seat, "the partners of a rank");
    PMPI_Comm_split(c->world->comm, part, c->world->rank, &m->comm);
    PMPI_Comm_size(m->comm, &m->n);
    PMPI_Comm_rank(m->comm, &m->number);
    PMPI_Allgather(&c->world->rank, 1, MPI_INT, m->rank, 1, MPI_INT, m->comm);
    if (!part) {
        m->n = size - m->n;
        m->number = -1;
    }
    if (m->n < spec->fewest)
        return world_refuse(c->world, E02_WRONG_RANKS, "--every=%s needs at least %d %s; found: %d",
                            spec->every == EVERY_NODE ? "node" : "gpu", spec->fewest,
                            what[spec->every], m->n);
    meetings_arrange(m, spec);
    return EXIT_OK;
}

void meetings_arrange(struct meetings *m, const struct meetings_spec *spec)
{
    uint64_t state = (uint64_t)spec->seed;

    meetings_plan(m, spec);
    m->place = schedule_order(m->seat, m->n, m->rounds < round_robin_rounds(m->n) ? &state : NULL,
                              m->number);
}

void meetings_end(struct meetings *m)
{
    if (m->rank != NULL)
        PMPI_Comm_free(&m->comm);
    *m = (struct meetings){ 0 };
}

/* --- Who meets whom ---------------------------------------------------------------- */

struct meeting meetings_get(const struct meetings *m, int i)
{
    const int round = i / m->turns, turn = i % m->turns;
    const int other = m->place < 0 ? -1 : round_robin_partner(m->place, round, m->n);

    if (other < 0 || (m->turns > 1 && round_robin_pair(m->place, round, m->n) != turn))
        return (struct meeting){ .rank = -1 };
    return (struct meeting){
        .rank = m->rank[m->seat[other]],
        .number = m->seat[other],
        .first = m->place < other,
    };
}

int meetings_own(const struct meetings *m)
{
    /* Of an odd number each rests in one round. */
    const bool rests = m->n % 2 != 0 && 2 * m->place % m->n < m->rounds;

    return m->place < 0 ? 0 : m->rounds - rests;
}

int meetings_partner(const struct meetings *m, int round)
{
    const int other = m->place < 0 ? -1 : round_robin_partner(m->place, round, m->n);

    return other < 0 ? -1 : m->rank[m->seat[other]];
}
