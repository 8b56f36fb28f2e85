/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meetings.h - which ranks take part, and who meets whom when: --every, --rounds,
 *              --alone, --seed.
 *
 * The ranks that take part play a tournament (schedule.h): in its rounds each of
 * them meets each other one once.  With fewer rounds the ranks are first put into a
 * random order, so that each round is a random matching and no pair meets twice.  A
 * meeting is a round or, with --alone, a single pair of a round; the pairs of a round
 * are then numbered, and take turns.
 *
 *   number   of a rank among those that take part, in the order of ranks
 *   place    of that rank in the tournament: its number, or random
 *
 * While a row is verified, windows of different meetings lie one slot apart in the
 * receiver's memory.  A window so overwrites the last one but for its first message:
 * what is left at the end is the first message of each meeting, and the whole window
 * of the last.  After MEETINGS_APART meetings slots are used again, so that of more
 * meetings the last ones are verified.
 */
#ifndef MEETINGS_H
#define MEETINGS_H

#include <mpi.h>
#include <stdbool.h>

#include "family.h"

enum { MEETINGS_APART = 64 };

enum every { EVERY_RANK, EVERY_NODE, EVERY_GPU };

struct meetings_spec {
    int every;
    int rounds; /* 0: all */
    int seed;
    bool alone;
};

/* A meeting as this rank sees it. */
struct meeting {
    int rank;     /* the partner; -1: none, and nothing below is set */
    int number;   /* its number */
    bool first;   /* this rank sends first */
    int to, slot; /* the first slots: to send from, and to receive into */
};

struct meetings {
    MPI_Comm comm; /* the ranks that take part, in the order of their numbers */
    int n, place;  /* how many; place of this rank, -1: it takes no part */
    int rounds;
    int turns;  /* meetings of a round */
    int *rank;  /* by number, the rank in the job */
    int *seat;  /* by place, the number */
    bool apart; /* messages have memory of their own */
};

/* As long as nobody asked who takes part: all ranks.  No MPI. */
void meetings_describe(struct meetings *m, const struct meetings_spec *spec,
                       int rank, int ranks);

/* Find out who takes part.  Collective; all ranks get the same code. */
enum exit_code meetings_begin(struct meetings *m,
                              const struct meetings_spec *spec,
                              const struct context *c);
void meetings_end(struct meetings *m);

/* The number of meetings, and number i of them, with a window of so many messages. */
static inline int meetings_count(const struct meetings *m)
{
    return m->rounds * m->turns;
}

struct meeting meetings_get(const struct meetings *m, int i, int window);

/* Meetings of this rank; 0: it takes no part. */
int meetings_own(const struct meetings *m);

/* Slots that they use, and the rank whose message is in that one at the end. */
int meetings_slots(const struct meetings *m, int window);
int meetings_writer(const struct meetings *m, int slot, int window);

#endif
