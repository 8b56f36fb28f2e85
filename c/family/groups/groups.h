/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * groups.h - ranks in groups of equal size, the first of which talks to all
 *            others: congestion at one node (bw_fan_in, bw_fan_out).
 *
 * A group is a node, in the order of their lowest ranks, or, with --groups, a
 * block of ranks.  Rank 0's group is number 0.  A rank talks to the ranks at the
 * same place in the other groups; together they are its row.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include <mpi.h>

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "report/report.h"

struct groups {
    int count, size; /* groups, and ranks in each */
    int mine, place; /* this rank's group, and its place in it */
    int *member;     /* ranks of the row, in the order of groups */
    MPI_Comm row;    /* ranked by group */
};

FAMILY_OF(bench_run, struct groups, groups_of)

/* Messages that this rank has under way: a rank of the first group has a window for each
   other group, and the others have one. */
int groups_messages(const struct bench_run *r);

extern const struct flow flow_fan_in, /* a window from every other group to
                                         the first */
    flow_fan_out;                     /* a window from the first group to every other */

/* The bandwidth of all groups together. */
extern const struct report report_fan;

extern const struct family groups_family;

#endif
