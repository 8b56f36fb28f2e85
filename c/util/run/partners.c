/* SPDX-License-Identifier: BSD-3-Clause */
#include "partners.h"

#include <stdlib.h>

#include "job/world.h"
#include "machine/placement.h"
#include "options/pairing.h"

static void join(struct bench_run *r, struct partner partner)
{
    r->peer = partner.number >= 0 ? partner.number : MPI_PROC_NULL;
    r->sender = partner.first;
}

/* In pairs, while others have no partner; or rank 0 and all others. */
void partners_describe(struct bench_run *r, const struct context *c)
{
    const struct settings *s = c->settings;

    r->pairs = s->pairing.kind == PAIRING_LIST ? s->pairing.n
               : s->pairs > 0                  ? s->pairs
                                               : r->nranks / 2;
    join(r, pairing_partner(&s->pairing, r->pairs, r->rank));
    if (c->bench->parameter.kind == PARAMETER_PARTNERS) {
        r->peer = r->rank == 0 ? MPI_PROC_NULL : 0;
        r->sender = r->rank > 0;
    }
}

/* Rank 0 pairs all. */
static int pair_all(const struct context *c, int home, struct partner *partner,
                    char *why, size_t room)
{
    const int ranks = c->world->size;
    const bool leads = c->world->rank == 0;
    struct partner *all = NULL;
    int *homes = NULL;
    int pairs = 0;

    if (leads) {
        all = malloc((size_t)ranks * sizeof *all);
        homes = malloc((size_t)ranks * sizeof *homes);
        if (all == NULL || homes == NULL)
            world_no_memory("the nodes of all ranks");
    }
    MPI_Gather(&home, 1, MPI_INT, homes, 1, MPI_INT, 0, c->world->comm);
    if (leads)
        pairs = pairing_by_node(c->settings->pairing.kind, homes, ranks,
                                c->settings->pairs, all, why, room);
    MPI_Bcast(&pairs, 1, MPI_INT, 0, c->world->comm);
    MPI_Scatter(all, sizeof *all, MPI_BYTE, partner, sizeof *partner, MPI_BYTE,
                0, c->world->comm);
    free(all);
    free(homes);
    return pairs;
}

enum exit_code partners_settle(struct bench_run *r, const struct context *c)
{
    struct partner partner;
    char why[300] = "";
    MPI_Comm node;
    int pairs, home = c->world->rank;

    if (!pairing_needs_nodes(&c->settings->pairing))
        return EXIT_OK;
    placement_split(c->world->comm, &node);
    MPI_Bcast(&home, 1, MPI_INT, 0, node); /* its first rank */
    MPI_Comm_free(&node);
    pairs = pair_all(c, home, &partner, why, sizeof why);
    if (pairs == 0)
        return world_refuse(c->world, E12_USAGE, c->bench->name, "%s", why);
    r->pairs = pairs;
    join(r, partner);
    return EXIT_OK;
}
