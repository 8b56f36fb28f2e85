/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * split.h - --split: the ranks in groups of equal size, each with a communicator of
 *           its own, that run the operation at the same time.
 *
 *   block    ranks 0 to P/N - 1 are the first group, the next P/N the second, ...
 *   cyclic   rank r is in group r modulo N
 *   node     block, after the ranks were sorted by node: in the order of the lowest
 *            ranks of the nodes, and by rank within a node
 *
 * All ranks begin an iteration together, so that groups that share a link meet on it.
 * The headline is the mean over all ranks, and so over groups; a group's time is the
 * mean over its ranks.
 */
#ifndef SPLIT_H
#define SPLIT_H

#include <mpi.h>
#include <stdbool.h>

#include "base/fields.h"
#include "family.h"
#include "options/settings.h"
#include "report/result.h"
#include "stats/stats.h"

enum split_how { SPLIT_BLOCK, SPLIT_CYCLIC, SPLIT_NODE };

/* What --split asks for; groups 0: not given. */
struct split_spec {
    int groups;
    enum split_how how;
};

extern const struct choice split_words[];

/* For the row of the option, of a struct split_spec: reads N[:HOW]; writes it. */
const char *split_parse(void *spec, const char *text);
void split_record_spec(struct fields to, const char *name, const void *spec);

/* Refuse so many ranks, of which number root is a root, where they are no such groups. */
void split_refuse(const struct split_spec *spec, int ranks, int root,
                  struct refusal *r);

/* The state of a run; groups 0: none were asked for. */
struct split {
    int groups, mine; /* mine: number of this rank's group */
    MPI_Comm comm;    /* of the group, once begun */
    MPI_Comm
        leaders; /* of the lowest rank of each; MPI_COMM_NULL: this is none */
    /* On rank 0, of each group; else NULL. */
    double *mean_s; /* of the last row */
    int *first;     /* the lowest rank */
    double worst_s; /* of the slowest group; on rank 0 */
};

/* Let the run be of one group: how many ranks, before MPI runs. */
void split_describe(struct split *split, const struct split_spec *spec,
                    const struct context *c);

/* Make the groups, and free them.  Collective. */
void split_begin(struct split *split, const struct split_spec *spec,
                 const struct context *c);
void split_end(struct split *split);

/* The means of the groups, from that of this rank, on rank 0.  Collective. */
void split_gather(struct split *split, const struct context *c,
                  const struct moments *mine);

/* "groups" of a row in JSON. */
void split_record(const struct split *split, struct fields to);

#endif
