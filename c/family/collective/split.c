/* SPDX-License-Identifier: BSD-3-Clause */
#include "split.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/world.h"
#include "loop.h"
#include "machine/placement.h"

enum { MOST_GROUPS = 1 << 20 };

const struct choice split_words[] = {
    { "N:block", SPLIT_BLOCK, "neighboring ranks are a group" },
    { "N:cyclic", SPLIT_CYCLIC, "every Nth rank is in the same group" },
    { "N:node", SPLIT_NODE, "block, sorted by node" },
    { 0 },
};

const char *split_parse(struct split_spec *spec, const char *text)
{
    char *how;
    const long groups = strtol(text, &how, 10);

    if (!isdigit((unsigned char)text[0]) || groups < 1 || groups > MOST_GROUPS)
        return "does not begin with a number of groups";
    spec->groups = (int)groups;
    spec->how = SPLIT_BLOCK;
    if (*how == '\0')
        return NULL;
    for (const struct choice *c = split_words; c->word != NULL; c++)
        if (strcmp(how, c->word + 1) == 0) {
            spec->how = (enum split_how)c->value;
            return NULL;
        }
    return "has no block, cyclic or node after the number";
}

void split_misfit(const struct split_spec *spec, int ranks, int root, char *why,
                  size_t room)
{
    const int groups = spec->groups;

    if (groups == 0)
        return;
    if (ranks % groups != 0 || ranks / groups < 2)
        snprintf(why, room,
                 "--split=%d needs groups of equal size, of at least two "
                 "ranks; started: %d",
                 groups, ranks);
    else if (root >= ranks / groups)
        snprintf(why, room,
                 "-k fixed:%d is no rank of a group: with --split=%d a group "
                 "has %d ranks",
                 root, groups, ranks / groups);
}

void split_describe(struct split *split, const struct split_spec *spec,
                    const struct context *c)
{
    struct bench_run *r = c->run;

    if (spec->groups == 0 || c->world->size < spec->groups)
        return; /* refused soon */
    split->groups = spec->groups;
    r->nranks = c->world->size / spec->groups;
    r->rank = c->world->rank % r->nranks;
    r->blocks = r->nranks;
}

/* How many ranks come before this one, sorted by node. */
static int place_by_node(const struct context *c)
{
    const int n = c->world->size, rank = c->world->rank;
    uint64_t *node = malloc((size_t)n * sizeof *node), mine;
    int *lowest = malloc((size_t)n * sizeof *lowest), place = 0;
    MPI_Comm comm;

    if (node == NULL || lowest == NULL)
        world_no_memory("the nodes of all ranks");
    mine = placement_split(c->world->comm, &comm);
    MPI_Comm_free(&comm);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, node, sizeof mine, MPI_BYTE,
                  c->world->comm);
    for (int i = 0; i < n; i++)
        for (lowest[i] = 0; node[lowest[i]] != node[i];)
            lowest[i]++;
    for (int i = 0; i < n; i++)
        place +=
            lowest[i] < lowest[rank] || (lowest[i] == lowest[rank] && i < rank);
    free(node);
    free(lowest);
    return place;
}

void split_begin(struct split *split, const struct split_spec *spec,
                 const struct context *c)
{
    struct bench_run *r = c->run;
    const int rank = c->world->rank, size = r->nranks;

    if (split->groups == 0)
        return;
    split->mine = spec->how == SPLIT_CYCLIC ? rank % split->groups
                  : spec->how == SPLIT_NODE ? place_by_node(c) / size
                                            : rank / size;
    split->mean_s = calloc((size_t)split->groups, sizeof *split->mean_s);
    split->first = malloc((size_t)split->groups * sizeof *split->first);
    if (split->mean_s == NULL || split->first == NULL)
        world_no_memory("the groups of --split");
    for (int i = 0; i < split->groups; i++)
        split->first[i] = i == split->mine ? rank : c->world->size;
    MPI_Allreduce(MPI_IN_PLACE, split->first, split->groups, MPI_INT, MPI_MIN,
                  c->world->comm);
    MPI_Comm_split(c->world->all, split->mine, rank, &split->comm);
    r->comm = split->comm;
    MPI_Comm_rank(r->comm, &r->rank);
}

void split_end(struct split *split)
{
    if (split->mean_s != NULL)
        MPI_Comm_free(&split->comm);
    free(split->mean_s);
    free(split->first);
    split->mean_s = NULL;
    split->first = NULL;
}

void split_gather(struct split *split, const struct context *c,
                  const struct moments *mine)
{
    if (split->groups == 0)
        return;
    for (int i = 0; i < split->groups; i++)
        split->mean_s[i] =
            i == split->mine ? moments_mean(mine) / c->run->nranks : 0;
    MPI_Allreduce(MPI_IN_PLACE, split->mean_s, split->groups, MPI_DOUBLE,
                  MPI_SUM, c->world->comm);
}

double split_worst(const struct split *split)
{
    double worst = 0;

    for (int i = 0; split->mean_s != NULL && i < split->groups; i++)
        if (split->mean_s[i] > worst)
            worst = split->mean_s[i];
    return worst;
}

void split_record(const struct split *split, struct fields to)
{
    struct fields list;

    if (split->groups == 0)
        return;
    list = fields_list(to, "groups");
    for (int i = 0; i < split->groups; i++) {
        const struct fields group = fields_object(list, NULL);

        fields_int(group, "first_rank", split->first[i]);
        fields_us(group, "mean_us", split->mean_s[i]);
    }
}
