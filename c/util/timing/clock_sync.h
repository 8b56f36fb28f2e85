/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_sync.h - one global time for all ranks: that of rank 0's clock.
 *
 * Offsets are measured down a binomial tree of the nodes' leaders and one inside each node,
 * before a time and after it; the clocks' drift is what lies between. Inside a node the ranks
 * take over their leader's model if they read the same oscillator.  That is not believed but
 * checked, by one offset for each rank; one whose clock is off by more than that measurement's
 * own bound has a model of its own.
 *
 * An exchange: the reference notes its global time and sends, the client answers with its clock,
 * the reference notes the time again.  A message that is late widens the bound of that exchange,
 * and the best ones count.
 *
 * Call begin once, refresh before a row and residual after it, and end.  All are collective but
 * global and bound.  Each rank exchanges messages with at most log2(nodes) + log2(ranks of a
 * node) others.  The clock is clock_now()'s, with its leader's clock_seconds(1) on all ranks of
 * a node; it must have been chosen before begin.
 *
 * All times are double seconds since some moment near the start of the job (a double resolves 15
 * ps at 1e5 s, but only 0.24 us since 1970).  An offset is local - global time.
 *
 * The model.  o(t) = offset + slope (t - at), with t local time; global time is t - o(t).  Its
 * stated bound at local time t is
 *
 *     bound + slope_error |t - at|
 *
 * Both are hard, whatever the path's asymmetry is: bound is half the width of what causality
 * allows, plus the stated bound of the reference, which has it from its own reference, and so on
 * up to the root; slope_error is the bounds of both offsets over the way between them.
 *
 * Sources: bounds by causality: Cristian, Probabilistic clock synchronization, 1989, and the
 * two-sided accumulation of Worsch, Reussner, Augustin, On Benchmarking Collective MPI
 * Operations, 2002; the drift measured once and the intercept again: Hunold, Carpen-Amarie,
 * Hierarchical Clock Synchronization in MPI, 2018.
 */
#ifndef CLOCK_SYNC_H
#define CLOCK_SYNC_H

#include <math.h>
#include <mpi.h>
#include <stdbool.h>

#include "clock.h"

/* That of the root, whose clock is the global time, is all zeros. */
struct clock_model {
    double at, offset, slope;
    double bound, slope_error;
    /* An earlier anchor: the longer the way, the better the slope. */
    double old_at, old_offset, old_bound, old_half;
};

/* How the synchronisation went; the same on all ranks. */
struct clock_sync_facts {
    const char *method;          /* "none": one rank; "shared": all ranks read one
                           oscillator; "hca3": a model for every rank but the
                           first; "hca3+shared": for every node */
    int levels;                  /* steps from rank 0 to the rank farthest below it */
    int apart;                   /* ranks that have not their leader's oscillator */
    double bound_s;              /* the worst stated bound of any rank, when done */
    double slope_min, slope_max; /* against rank 0: 1e-6 is 1 us in a second */
    double slope_error;          /* the worst stated one */
    double took_s;               /* on the slowest rank */
};

struct clock_sync {
    clock_ticks base; /* when local time was 0 */
    double tick_s;
    struct clock_model model;
    struct clock_sync_facts facts;

    int node_index, nodes, local, locals; /* this rank's node, and its place in it */
    bool shares;                          /* the leader's oscillator; true for leaders */
    int size;
    MPI_Comm all, node, across; /* its own; across: of the leaders, else
                                   MPI_COMM_NULL */
};

/* node: the ranks of comm on this rank's node, in the order of comm, as struct
   placement has them; both are duplicated.  Measures offsets, who shares an oscillator, and, in
   80 ms, where some do not, the slopes.  Fills in facts. */
struct clock_sync clock_sync_begin(MPI_Comm comm, MPI_Comm node);
void clock_sync_end(struct clock_sync *s);

/* Measure the offsets again, along the same trees; a rank that is found to
   have left its leader's time gets a model of its own.  Fills in facts. */
void clock_sync_refresh(struct clock_sync *s);

/* What the clocks are off, by measurement, without changing the model.  Between two ranks that
   read the same oscillator the error is 0 unless the measurement excludes that. */
struct clock_residual {
    double worst_s; /* largest |error| of any rank against rank 0 */
    double bound_s; /* and by how much that may be wrong itself, at most: sums
                       of half round trips down the tree */
};

struct clock_residual clock_sync_residual(struct clock_sync *s);

/* Rank 0's value, along such a tree of all ranks of comm. */
void clock_sync_tell(MPI_Comm comm, int rank, int ranks, double *value);

/* A time between ranks may be printed if the clocks were found to be off by no more of it. */
#define CLOCK_SYNC_TRUSTED 0.1

/* Global time.  The large terms cancel first. */
static inline double clock_model_global(const struct clock_model *m, double t)
{
    return t - m->offset - m->slope * (t - m->at);
}

/* The stated bound of that. */
static inline double clock_model_bound(const struct clock_model *m, double t)
{
    return m->bound + m->slope_error * fabs(t - m->at);
}

/* This rank's own time, s.  Ticks may be from before begin. */
static inline double clock_sync_local(const struct clock_sync *s, clock_ticks ticks)
{
    return s->tick_s * (double)(int64_t)(ticks - s->base);
}

/* Global time in s since rank 0's begin. */
static inline double clock_sync_global(const struct clock_sync *s, clock_ticks ticks)
{
    return clock_model_global(&s->model, clock_sync_local(s, ticks));
}

#endif
