/* SPDX-License-Identifier: BSD-3-Clause */
#include "split.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "job/world.h"
#include "loop.h"
#include "machine/placement.h"

enum {
    MOST_GROUPS = 1 << 20,
    OTHER_GROUP =
        97, /* checks from one group's data to the next one's: contents.h */
};

const struct choice split_words[] = {
    { "N:block", SPLIT_BLOCK, "neighboring ranks are a group" },
    { "N:cyclic", SPLIT_CYCLIC, "every Nth rank is in the same group" },
    { "N:node", SPLIT_NODE, "block, sorted by node" },
    { 0 },
};

const char *split_parse(void *field, const char *text)
{
    struct split_spec *spec = field;
    const char *how;
    const long groups = number_whole(text, &how);

    if (how == text || groups < 1 || groups > MOST_GROUPS)
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

void split_record_spec(struct fields to, const char *name, const void *field)
{
    const struct split_spec *spec = field;
    char text[40];

    if (spec->groups == 0)
        return;
    snprintf(text, sizeof text, "%d%s", spec->groups,
             choice_word(split_words, (int)spec->how) + 1);
    fields_text(to, name, text);
}

void split_refuse(const struct split_spec *spec, int ranks, int root,
                  struct refusal *r)
{
    const int groups = spec->groups;

    if (groups == 0)
        return;
    if (ranks % groups != 0 || ranks / groups < 2)
        refusal_because(r, E12_USAGE,
                        "--split=%d needs groups of equal size, of at least "
                        "two ranks; started: %d",
                        groups, ranks);
    else if (root >= ranks / groups)
        refusal_because(r, E12_USAGE,
                        "-k fixed:%d is no rank of a group: with --split=%d a "
                        "group has %d ranks",
                        root, groups, ranks / groups);
}

void split_describe(struct split *split, const struct split_spec *spec,
                    const struct context *c)
{
    struct bench_run *r = c->run;

    if (spec->groups == 0 || c->world->size < spec->groups)
        return; /* refused soon */
    split->groups = spec->groups;
    split->comm = split->leaders = MPI_COMM_NULL;
    r->nranks = c->world->size / spec->groups;
    r->rank = c->world->rank % r->nranks;
    r->blocks = r->nranks;
}

/* How many ranks come before this one, sorted by node. */
static int place_by_node(const struct context *c)
{
    const struct placement_node node = placement_node_of(c->world->comm);

    return node.before + node.rank;
}

/* The lowest ranks of the groups, in the order of groups, have a communicator of their
   own; rank 0 is the first of them, and learns who they are. */
static void find_leaders(struct split *split, const struct context *c)
{
    const int rank = c->world->rank;
    const bool leads = c->run->rank == 0;

    if (rank == 0) {
        split->mean_s = world_room((size_t)split->groups, sizeof *split->mean_s,
                                   "the groups of --split");
        split->first = world_room((size_t)split->groups, sizeof *split->first,
                                  "the groups of --split");
    }
    PMPI_Comm_split(c->world->comm, leads ? 0 : MPI_UNDEFINED, split->mine,
                    &split->leaders);
    if (leads)
        PMPI_Gather(&rank, 1, MPI_INT, split->first, 1, MPI_INT, 0,
                    split->leaders);
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
    /* Data of one group are not those of another. */
    r->checks = OTHER_GROUP * (unsigned)split->mine;
    MPI_Comm_split(c->world->all, split->mine, rank, &split->comm);
    r->comm = split->comm;
    PMPI_Comm_rank(r->comm, &r->rank);
    find_leaders(split, c);
}

void split_end(struct split *split)
{
    if (split->groups == 0)
        return;
    if (split->comm != MPI_COMM_NULL)
        MPI_Comm_free(&split->comm);
    if (split->leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&split->leaders);
    free(split->mean_s);
    free(split->first);
    split->mean_s = NULL;
    split->first = NULL;
}

void split_gather(struct split *split, const struct context *c,
                  const struct moments *mine)
{
    const double own = moments_mean(mine) / c->run->nranks;
    double mean;

    if (split->groups == 0)
        return;
    PMPI_Reduce(&own, &mean, 1, MPI_DOUBLE, MPI_SUM, 0, split->comm);
    if (split->leaders != MPI_COMM_NULL)
        PMPI_Gather(&mean, 1, MPI_DOUBLE, split->mean_s, 1, MPI_DOUBLE, 0,
                    split->leaders);
    split->worst_s = 0;
    for (int i = 0; split->mean_s != NULL && i < split->groups; i++)
        split->worst_s = fmax(split->worst_s, split->mean_s[i]);
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
