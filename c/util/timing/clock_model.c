/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_model.h"

/* Counters of one board are started by the same signal, but read through
   different paths. */
static const double SHARED_SLACK = 50e-9;

/* Narrow o by what another point says, widened by what the clocks may have drifted
   in between, unless the two contradict each other (a clock stepped). */
static void narrow(struct offset *o, const struct offset *other)
{
    /* The client's clock drifts, and what the reference's model says of it. */
    const double drift = 2 * CLOCK_DRIFT_LIMIT * fabs(o->at - other->at);
    const double low = fmax(o->low, other->low - drift);
    const double high = fmin(o->high, other->high + drift);

    if (low <= high)
        *o = (struct offset){ o->at, low, high };
}

void burst_add(struct burst *b, double s1, double t, double s2)
{
    /* A reading may be late by one step. */
    struct offset exchange = { t, t - s2 - CLOCK_STEP, t - s1 + CLOCK_STEP };

    if (b->n == 0)
        b->begun = s1;
    if (b->n > 0 && s2 - s1 >= b->best) {
        narrow(&b->offset, &exchange);
    } else {
        if (b->n > 0)
            narrow(&exchange, &b->offset);
        b->offset = exchange;
        b->best = s2 - s1;
    }
    b->spent = s2 - b->begun;
    b->n++;
}

bool burst_goes_on(const struct burst *b)
{
    return b->n < BURST_MOST && b->spent <= BURST_LIMIT;
}

bool clock_model_share(struct clock_model *m, const struct offset *o,
                       struct clock_reference reference)
{
    if (fabs(clock_model_residual(m, o)) >
        offset_half(o) + reference.apart + SHARED_SLACK)
        return false;
    m->offset = clock_model_offset(m, o->at);
    m->at = o->at;
    m->bound = reference.bound + offset_half(o);
    return true;
}

/* The way to the next anchor begins here. */
static void remember(struct clock_model *m, double half)
{
    m->old_at = m->at;
    m->old_offset = m->offset;
    m->old_bound = m->bound;
    m->old_half = half;
}

/* A slope is at most the limit, so this is the most that it can be wrong. */
static double most_wrong(double slope)
{
    return CLOCK_DRIFT_LIMIT + fabs(slope);
}

struct clock_model clock_model_of(const struct offset *o,
                                  struct clock_reference reference)
{
    struct clock_model m = { .at = o->at,
                             .offset = offset_middle(o),
                             .bound = offset_half(o) + reference.bound,
                             .slope_error = CLOCK_DRIFT_LIMIT };

    remember(&m, offset_half(o));
    return m;
}

void clock_model_anchor(struct clock_model *m, const struct offset *o,
                        struct clock_reference reference)
{
    const double half = offset_half(o), bound = half + reference.bound;
    const double known = clock_model_bound(m, o->at);
    const double way = o->at - m->old_at;
    const double error = (bound + m->old_bound) / way + CLOCK_WANDER;
    const bool contradicts = fabs(clock_model_residual(m, o)) > bound + known;
    const bool seen = m->slope_error >= CLOCK_DRIFT_LIMIT &&
                      (half + m->old_half) / way < CLOCK_DRIFT_LIMIT;
    bool anew = contradicts || way > CLOCK_RATE_AGE || 2 * bound < m->old_bound;

    if (bound >= known && !contradicts)
        return;
    m->at = o->at;
    m->offset = offset_middle(o);
    m->bound = bound;
    if (contradicts) {
        m->slope_error = most_wrong(m->slope);
    } else if (way > 0 && (seen || error < m->slope_error)) {
        const double slope = (m->offset - m->old_offset) / way;

        anew = anew || fabs(m->slope) <= 0;
        m->slope = fmin(fmax(slope, -CLOCK_DRIFT_LIMIT), CLOCK_DRIFT_LIMIT);
        m->slope_error = fmin(error, most_wrong(m->slope));
    }
    if (way > CLOCK_RATE_AGE)
        m->slope_error = fmin(2 * m->slope_error, most_wrong(m->slope));
    if (anew)
        remember(m, half);
}
