/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meetings.h - which ranks take part, and who meets whom when: --every, --rounds, --alone, --seed.
 *
 * The ranks that take part play a tournament (schedule.h): in its rounds each of them meets each
 * other one once.  With fewer rounds the ranks are first put into a random order, so that each
 * round is a random matching and no pair meets twice.  A meeting is a round or, with --alone, a
 * single pair of a round; the pairs of a round are then numbered, and take turns.
 *
 *   number   of a rank among those that take part, in the order of ranks
 *   place    of that rank in the tournament: its number, or random
 *
 * Each round is verified by itself, so that no window overwrites another.
 */
#ifndef MEETINGS_H
#define MEETINGS_H

#include <mpi.h>
#include <stdbool.h>

#include "family.h"

enum every { EVERY_RANK, EVERY_NODE, EVERY_GPU };

struct meetings_spec {
    int every;
    int fewest; /* who must take part */
    int rounds; /* 0: all */
    int seed;
    bool alone;
};

/* A meeting as this rank sees it. */
struct meeting {
    int rank;   /* the partner; -1: none, and nothing below is set */
    int number; /* its number */
    bool first; /* this rank sends first */
};

struct meetings {
    MPI_Comm comm; /* the ranks that take part, in the order of their numbers */
    int number, n; /* of this rank, -1: it takes no part; how many do */
    int place;     /* of this rank, or -1 */
    int rounds;
    int turns; /* meetings of a round */
    int *rank; /* by number, the rank in the job */
    int *seat; /* by place, the number */
};

/* Find out who takes part, and who meets whom.  Collective; all ranks get the same code. */
enum exit_code meetings_begin(struct meetings *m, const struct meetings_spec *spec,
                              const struct context *c);
void meetings_end(struct meetings *m);

/* The rounds and turns of m->n ranks; and who meets whom, by other rounds or another seed. */
void meetings_plan(struct meetings *m, const struct meetings_spec *spec);
void meetings_arrange(struct meetings *m, const struct meetings_spec *spec);

/* Number i of the meetings of all rounds. */
struct meeting meetings_get(const struct meetings *m, int i);

/* Whom this rank meets in that round; -1: it rests, or takes no part. */
int meetings_partner(const struct meetings *m, int round);

/* Meetings of this rank; 0: it takes no part. */
int meetings_own(const struct meetings *m);

#endif
