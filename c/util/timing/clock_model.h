/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_model.h - from one rank's clock to global time: offsets measured by
 *                 exchanges, a straight line through them, and how far to
 *                 trust it.
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
 * bound is hard: half the width of what causality allows, plus the stated
 * bound of the reference, which has it from its own reference, and so on up
 * to the root.  It holds whatever the path's asymmetry is.  slope_error is not:
 * FIT_SIGMAS standard errors of a straight line, added up from the root, which
 * suppose that the asymmetry does not creep steadily while the points are
 * taken.
 *
 * Sources: bounds by causality: Cristian, Probabilistic clock synchronization,
 * 1989, and the two-sided accumulation of Worsch, Reussner, Augustin, On
 * Benchmarking Collective MPI Operations, 2002; fitting the drift and measuring
 * the intercept again: Hunold, Carpen-Amarie, Hierarchical Clock
 * Synchronization in MPI, 2018; one-pass moments: Welford 1962, with weights
 * West 1979.
 */
#ifndef CLOCK_MODEL_H
#define CLOCK_MODEL_H

#include <math.h>
#include <stdbool.h>

enum {
    BURST_LEAST = 8,  /* exchanges, unless time has run out */
    BURST_MOST = 100, /* exchanges */
    FIT_SIGMAS = 6,
};

/* No two clocks run apart faster than this; oscillators are sold within 50 or
   100 millionths.  No model has a steeper slope, whatever was measured. */
static const double CLOCK_DRIFT_LIMIT = 2e-4;

/* An oscillator's rate is no better known than this, even if a fit says so:
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

/* What one exchange tells: the reference read s1, then the client t, then the
   reference s2, so t - s2 <= offset <= t - s1, at t, whatever the drift.  A
   reading may be late by one step. */
static inline struct offset offset_of_exchange(double s1, double t, double s2)
{
    return (struct offset){ .at = t,
                            .low = t - s2 - CLOCK_STEP,
                            .high = t - s1 + CLOCK_STEP };
}

/*
 * Narrow o by what another point says, widened by what the clocks may have
 * drifted in between.  False if they contradict each other (a clock stepped):
 * o is then left alone.
 */
bool offset_narrow(struct offset *o, const struct offset *other);

/*
 * A short burst of exchanges between one pair makes one point: the exchange of
 * the shortest round trip, narrowed by the others.  Known is the shortest round
 * trip of this pair in earlier bursts, 0 for none: a burst ends early, after
 * BURST_LEAST exchanges, once it has seen one within 110 % of it.  It also ends
 * after limit seconds, however few its exchanges: with more ranks than CPUs
 * each message may cost a time slice.
 */
struct burst {
    struct offset offset;
    double known, best; /* round trips, s */
    double limit, begun, spent;
    int n;
};

struct burst burst_begin(double known, double limit);
void burst_add(struct burst *b, double s1, double t, double s2);
bool burst_goes_on(const struct burst *b);

/* The known of this pair's next burst. */
double burst_known(const struct burst *b);

/* --- The model ------------------------------------------------------------ */

struct clock_model {
    double at, offset, slope;
    double bound, slope_error;
    /* An earlier anchor: the longer the baseline, the better the slope. */
    double old_at, old_offset, old_bound;
};

/* What a rank learns of its reference's own model along with a point. */
struct clock_reference {
    double bound;       /* the reference's stated bound, at the time */
    double slope_error; /* and its slope's */
    double apart;       /* its clock may be off its leader's by this much; 0 if
                           they share an oscillator */
};

/* The model of the root, whose clock is the global time, is all zeros. */

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

/*
 * The model measured again, before it is used: offset and at become those of
 * the point (b = o* - a t*), unless the point says less than the model already
 * knows.  If the way from the earlier anchor has become so long that the slope
 * between the two is better than the one at hand, it becomes the slope.  A
 * point that contradicts the stated bound is believed, and what was said of the
 * slope no more.
 */
void clock_model_anchor(struct clock_model *m, const struct offset *o,
                        struct clock_reference reference);

/* --- The line through points ---------------------------------------------- */

/* Weighted moments, in one pass: a point of half-width h has weight 1/h^2, so
   that one which met an interruption does no harm. */
struct clock_fit {
    int n;
    double weight, squares; /* sums of the weights and their squares */
    double at, offset;      /* means */
    double sxx, sxy, syy;   /* centred sums */
    double half;            /* mean half-width */
    double dxx, dxy, dyy;   /* sums of the steps from point to point */
    struct offset first, last;
};

void clock_fit_add(struct clock_fit *f, const struct offset *o);

/*
 * The slope's bound: FIT_SIGMAS standard errors, or what the first and the last
 * point allow, if that is less or if points are few.  Neighbouring points that
 * err alike count as fewer (von Neumann's ratio of the mean squared step to the
 * variance, 1941): with more ranks than CPUs the asymmetry of a path comes in
 * spells.
 */
double clock_fit_slope_error(const struct clock_fit *f);

/* The model of this fit against that reference; one point gives slope 0, and
   at least one is needed. */
struct clock_model clock_fit_model(const struct clock_fit *f,
                                   struct clock_reference reference);

#endif
