/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * groups.h - ranks in groups of equal size, the first of which talks to all
 *            others: congestion at one node.
 *
 * A group is a node, in the order of their lowest ranks, or, with --groups, a
 * block of ranks.  Rank 0's group is number 0.  A rank talks to those that
 * stand at the same place in other groups: its row.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct groups {
    int count, size; /* groups, and ranks in each */
    int mine, place; /* this rank's group, and where it stands there */
    int *member;     /* ranks of the row, by group */
    MPI_Comm row;    /* ranked by group */
};

/* Can nranks be so many groups of equal size, and can MPI count a window of
   messages to each of them?  false: why[] says so. */
bool groups_divide(int count, int nranks, char *why, size_t room);
bool groups_countable(int count, int window, char *why, size_t room);

/* Blocks of ranks, without communication; as many of them as nranks has to be
   divisible by. */
void groups_describe(struct groups *g, int count, int rank, int nranks);

/* Find the nodes if count is 0, and the row; else groups_divide holds.  false: why[] says what is in the
   way, alike on all ranks; nothing is left to be given back.  Collective. */
bool groups_begin(struct groups *g, int count, MPI_Comm comm, char *why,
                  size_t room);
void groups_end(struct groups *g);

#endif
