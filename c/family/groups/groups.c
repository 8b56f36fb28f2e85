/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/placement.h"

static void say_unequal(char *why, size_t room, int nranks, const char *what,
                        int count)
{
    snprintf(why, room, "groups must be of equal size; ranks=%d; %s=%d;",
             nranks, what, count);
}

bool groups_divide(int count, int nranks, char *why, size_t room)
{
    if (nranks % count == 0)
        return true;
    say_unequal(why, room, nranks, "groups", count);
    return false;
}

bool groups_countable(int count, int window, char *why, size_t room)
{
    if (window <= INT_MAX / 2 / count)
        return true;
    snprintf(why, room, "-W: more messages to all groups than MPI can count");
    return false;
}

void groups_describe(struct groups *g, int count, int rank, int nranks)
{
    const int size = nranks / count > 0 ? nranks / count : 1;

    *g = (struct groups){ .count = count,
                          .size = size,
                          .mine = rank / size,
                          .place = rank % size,
                          .row = MPI_COMM_NULL };
}

/* Nodes as groups; false: they differ in size. */
static bool find_nodes(struct groups *g, MPI_Comm comm, int rank)
{
    MPI_Comm node, first;
    int extent[2];

    *g = (struct groups){ .row = MPI_COMM_NULL };
    placement_split(comm, &node);
    MPI_Comm_rank(node, &g->place);
    MPI_Comm_size(node, &g->size);
    /* The lowest ranks of the nodes, in their order. */
    MPI_Comm_split(comm, g->place == 0 ? 0 : MPI_UNDEFINED, rank, &first);
    if (first != MPI_COMM_NULL) {
        MPI_Comm_rank(first, &g->mine);
        MPI_Comm_size(first, &g->count);
        MPI_Comm_free(&first);
    }
    MPI_Bcast(&g->mine, 1, MPI_INT, 0, node);
    MPI_Bcast(&g->count, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    extent[0] = g->size;
    extent[1] = -g->size;
    MPI_Allreduce(MPI_IN_PLACE, extent, 2, MPI_INT, MPI_MAX, comm);
    return extent[0] == -extent[1];
}

bool groups_begin(struct groups *g, int count, MPI_Comm comm, char *why,
                  size_t room)
{
    bool even = true;
    int rank, nranks;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &nranks);
    if (count > 0)
        groups_describe(g, count, rank, nranks);
    else
        even = find_nodes(g, comm, rank);
    why[0] = '\0';
    if (!even)
        say_unequal(why, room, nranks, "nodes", g->count);
    else if (g->count < 2)
        snprintf(why, room,
                 "needs ranks on at least 2 nodes; or --groups N, which makes "
                 "groups of the ranks of one");
    if (why[0] != '\0')
        return false;
    MPI_Comm_split(comm, g->place, g->mine, &g->row);
    g->member = malloc((size_t)g->count * sizeof *g->member);
    if (g->member == NULL)
        abort();
    MPI_Allgather(&rank, 1, MPI_INT, g->member, 1, MPI_INT, g->row);
    return true;
}

void groups_end(struct groups *g)
{
    free(g->member);
    g->member = NULL;
    if (g->row != MPI_COMM_NULL)
        MPI_Comm_free(&g->row);
}
