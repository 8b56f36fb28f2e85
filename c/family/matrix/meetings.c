/* SPDX-License-Identifier: BSD-3-Clause */
#include "meetings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "gpu/gpu_use.h"
#include "job/world.h"
#include "machine/placement.h"
#include "schedule/schedule.h"

enum { FEWEST = 3 };

static void plan(struct meetings *m, const struct meetings_spec *spec)
{
    const int all = round_robin_rounds(m->n);

    m->rounds = spec->rounds > 0 && spec->rounds < all ? spec->rounds : all;
    m->turns = spec->alone ? m->n / 2 : 1;
}

void meetings_describe(struct meetings *m, const struct meetings_spec *spec,
                       int rank, int ranks)
{
    m->n = ranks;
    m->place = rank;
    plan(m, spec);
}

/* --- Who takes part --------------------------------------------------------------- */

/* Is this the first rank of its node that has this GPU? */
static bool is_first_of_gpu(const struct context *c, MPI_Comm node, int ranks,
                            int rank)
{
    struct gpu_facts *all;
    int first = 0;

    if (!c->gpu->used) /* GPU memory was named, and there is no GPU */
        return false;
    all = world_room((size_t)ranks, sizeof *all, "the GPUs of a node");
    PMPI_Allgather(&c->gpu->facts, sizeof *all, MPI_BYTE, all, sizeof *all,
                   MPI_BYTE, node);
    while (first < rank && strcmp(all[first].uuid, all[rank].uuid) != 0)
        first++;
    free(all);
    return first == rank;
}

static bool takes_part(const struct meetings_spec *spec,
                       const struct context *c)
{
    MPI_Comm node;
    int rank, ranks;
    bool part;

    if (spec->every == EVERY_RANK)
        return true;
    placement_split(c->world->comm, &node);
    PMPI_Comm_rank(node, &rank);
    PMPI_Comm_size(node, &ranks);
    part = spec->every == EVERY_NODE ? rank == 0
                                     : is_first_of_gpu(c, node, ranks, rank);
    PMPI_Comm_free(&node);
    return part;
}

enum exit_code meetings_begin(struct meetings *m,
                              const struct meetings_spec *spec,
                              const struct context *c)
{
    static const char *const what[] = { "ranks", "nodes", "GPUs" };
    const int size = c->world->size;
    const int part = takes_part(spec, c);
    uint64_t state = (uint64_t)spec->seed;
    int number;

    m->rank =
        world_room((size_t)size, sizeof *m->rank, "the partners of a rank");
    m->seat =
        world_room((size_t)size, sizeof *m->seat, "the partners of a rank");
    PMPI_Comm_split(c->world->comm, part, c->world->rank, &m->comm);
    PMPI_Comm_size(m->comm, &m->n);
    PMPI_Comm_rank(m->comm, &number);
    PMPI_Allgather(&c->world->rank, 1, MPI_INT, m->rank, 1, MPI_INT, m->comm);
    if (!part) {
        m->n = size - m->n;
        number = -1;
    }
    if (m->n < FEWEST)
        return world_refuse(c->world, E02_WRONG_RANKS, c->bench->name,
                            "--every=%s needs at least %d %s; found: %d",
                            spec->every == EVERY_NODE ? "node" : "gpu", FEWEST,
                            what[spec->every], m->n);
    plan(m, spec);
    m->place = schedule_order(
        m->seat, m->n, m->rounds < round_robin_rounds(m->n) ? &state : NULL,
        number);
    return EXIT_OK;
}

void meetings_end(struct meetings *m)
{
    if (m->rank != NULL)
        PMPI_Comm_free(&m->comm);
    free(m->rank);
    free(m->seat);
    *m = (struct meetings){ 0 };
}

/* --- Who meets whom ---------------------------------------------------------------- */

/* The round in which that place rests. */
static int rest_of(const struct meetings *m, int place)
{
    return m->n % 2 == 0 ? INT_MAX : 2 * place % m->n;
}

struct meeting meetings_get(const struct meetings *m, int i)
{
    const int round = i / m->turns, turn = i % m->turns;
    const int other =
        m->place < 0 ? -1 : round_robin_partner(m->place, round, m->n);

    if (other < 0 ||
        (m->turns > 1 && round_robin_pair(m->place, round, m->n) != turn))
        return (struct meeting){ .rank = -1 };
    return (struct meeting){
        .rank = m->rank[m->seat[other]],
        .number = m->seat[other],
        .first = m->place < other,
    };
}

int meetings_own(const struct meetings *m)
{
    return m->place < 0 ? 0 : m->rounds - (rest_of(m, m->place) < m->rounds);
}

int meetings_partner(const struct meetings *m, int round)
{
    const int other =
        m->place < 0 ? -1 : round_robin_partner(m->place, round, m->n);

    return other < 0 ? -1 : m->rank[m->seat[other]];
}
