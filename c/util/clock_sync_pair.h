/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_sync_pair.h - what two ranks do to bring one's time to the other; inside
 *                     clock_sync only.
 *
 * The reference leads and the client answers, so that where bursts and fits end
 * is decided by one clock.  Every message that the reference sends is one array
 * of doubles: a request for the client's clock, or what a burst has found,
 * with what the reference knows of itself.  The client's verdict on the first
 * point says whether a line of points follows.
 */
#ifndef CLOCK_SYNC_PAIR_H
#define CLOCK_SYNC_PAIR_H

#include "clock_sync.h"

enum clock_task { CLOCK_FIT, CLOCK_REFRESH, CLOCK_RESIDUAL };

/* One pair at work; and, in a residual, by how much this rank was found to be
   off, and what that measurement's own bound is, s. */
struct clock_pair {
    MPI_Comm comm;
    int peer;
    bool across; /* between leaders */
    enum clock_task task;
    double residual, room;
};

/* known: the shortest round trip with this pupil, s; 0: not known yet. */
void clock_pair_teach(struct clock_sync *s, const struct clock_pair *p,
                      double *known);

/* leader: the model of the leader, for ranks below it; else NULL. */
void clock_pair_learn(struct clock_sync *s, struct clock_pair *p,
                      const struct clock_model *leader);

#endif
