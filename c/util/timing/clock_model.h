/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_model.h - from one rank's clock to global time: an offset measured by
 *                 exchanges, the slope between two of them, and how far to
 *                 trust both.
 *
 * All times are double seconds since some moment near the start of the job (a
 * double resolves 15 ps at 1e5 s, but only 0.24 us since 1970).  An offset is
 * local - global time.  Nothing here reads a clock or sends a message:
 * clock_sync.h does, and the unit test does so with simulated clocks.
 *
 * The model.  o(t) = offset + slope (t - at), with t local time; global time is
 * t - o(t).  Its stated bound at local time t is
 *
 *     bound + slope_error |t - at|
 *
 * Both are hard, whatever the path's asymmetry is: bound is half the width of
 * what causality allows, plus the stated bound of the reference, which has it
 * from its own reference, and so on up to the root; slope_error is the bounds of
 * both offsets over the way between them.
 *
 * Sources: bounds by causality: Cristian, Probabilistic clock synchronization,
 * 1989, and the two-sided accumulation of Worsch, Reussner, Augustin, On
 * Benchmarking Collective MPI Operations, 2002; the drift measured once and the
 * intercept again: Hunold, Carpen-Amarie, Hierarchical Clock Synchronization in
 * MPI, 2018.
 */
#ifndef CLOCK_MODEL_H
#define CLOCK_MODEL_H

#include <math.h>
#include <stdbool.h>

#include "base/simulation.h"

/* Exchanges of a burst.  Simulated ones are all alike. */
enum { BURST_MOST = SIMULATED ? 4 : 64 };

/* What a burst may take, s, however few its exchanges: with more ranks than CPUs
   each message may cost a time slice. */
static const double BURST_LIMIT = 0.020;

/* No two clocks run apart faster than this; oscillators are sold within 50 or
   100 millionths.  No model has a steeper slope, whatever was measured. */
static const double CLOCK_DRIFT_LIMIT = 2e-4;

/* An oscillator's rate is no better known than this, even if offsets say so:
   it wanders with temperature. */
static const double CLOCK_WANDER = 1e-8;

/* The smallest step of a clock that this module reckons with, s. */
static const double CLOCK_STEP = 1e-9;

/* For so long, in s, a rate that was measured is held to be the present one. */
static const double CLOCK_RATE_AGE = 30;

/* --- One point: at local time at, the offset was within low..high ---------- */

struct offset {
    double at, low, high;
};

static inline double offset_middle(const struct offset *o)
{
    return (o->low + o->high) / 2;
}

/* The hard bound of the middle. */
static inline double offset_half(const struct offset *o)
{
    return (o->high - o->low) / 2;
}

/*
 * A short burst of exchanges between one pair makes one point: the exchange of
 * the shortest round trip, narrowed by the others.  All zeros is an empty one.
 */
struct burst {
    struct offset offset;
    double best, begun, spent; /* round trip; global times, s */
    int n;
};

/* An exchange: the reference read s1, then the client t, then the reference s2, so
   t - s2 <= offset <= t - s1, at t, whatever the drift. */
void burst_add(struct burst *b, double s1, double t, double s2);
bool burst_goes_on(const struct burst *b);

/* --- The model ------------------------------------------------------------ */

/* That of the root, whose clock is the global time, is all zeros. */
struct clock_model {
    double at, offset, slope;
    double bound, slope_error;
    /* An earlier anchor: the longer the way, the better the slope. */
    double old_at, old_offset, old_bound, old_half;
};

/* What a rank learns of its reference along with a point: the bound stated by its model at the
   time, and by how much its clock may be off its leader's, 0 if they share an oscillator. */
struct clock_reference {
    double bound, apart;
};

static inline double clock_model_offset(const struct clock_model *m, double t)
{
    return m->offset + m->slope * (t - m->at);
}

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

/* How much the model's clock is ahead of what was just measured, or late if
   negative.  Within offset_half() nothing is wrong. */
static inline double clock_model_residual(const struct clock_model *m,
                                          const struct offset *o)
{
    return offset_middle(o) - clock_model_offset(m, o->at);
}

/*
 * Does a rank with its leader's model have its leader's clock, as far as this
 * point can tell?  If its clock agrees, *m becomes that same line with the
 * point's bound: what was measured, not what is believed.  If not, *m is left
 * alone.
 */
bool clock_model_share(struct clock_model *m, const struct offset *o,
                       struct clock_reference reference);

/* The model of one point: any slope within the limit is possible. */
struct clock_model clock_model_of(const struct offset *o,
                                  struct clock_reference reference);

/*
 * The model measured again, before it is used: offset and at become those of
 * the point, unless it says less than the model already knows.  If the way from
 * the earlier anchor has become so long that the slope between the two is better
 * than the one at hand, it becomes the slope.  The first slope counts as soon as
 * the two points themselves, without the bounds of references, leave less open than
 * the limit; since references had none before, the way begins anew with it.  So it
 * does with a point that is twice as good as the earlier anchor, and with one that
 * contradicts the stated bound (a clock stepped): that is believed.
 */
void clock_model_anchor(struct clock_model *m, const struct offset *o,
                        struct clock_reference reference);

#endif
