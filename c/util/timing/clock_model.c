/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_model.h"

/* Below so many points' worth of weight a deviation means nothing. */
static const double FEWEST_POINTS = 4;

static const double MOST_ALIKE = 0.95;

static const double NEAR_THE_BEST = 1.1;

/* Counters of one board are started by the same signal, but read through
   different paths. */
static const double SHARED_SLACK = 50e-9;

bool offset_narrow(struct offset *o, const struct offset *other)
{
    /* The client's clock drifts, and what the reference's model says of it. */
    const double drift = 2 * CLOCK_DRIFT_LIMIT * fabs(o->at - other->at);
    const double low = fmax(o->low, other->low - drift);
    const double high = fmin(o->high, other->high + drift);

    if (low > high)
        return false;
    o->low = low;
    o->high = high;
    return true;
}

struct burst burst_begin(double known, double limit)
{
    return (struct burst){ .known = known, .limit = limit };
}

void burst_add(struct burst *b, double s1, double t, double s2)
{
    struct offset exchange = offset_of_exchange(s1, t, s2);

    if (b->n == 0) {
        b->begun = s1;
        b->best = s2 - s1;
        b->offset = exchange;
    } else if (s2 - s1 < b->best) {
        b->best = s2 - s1;
        offset_narrow(&exchange, &b->offset);
        b->offset = exchange;
    } else {
        offset_narrow(&b->offset, &exchange);
    }
    b->spent = s2 - b->begun;
    b->n++;
}

bool burst_goes_on(const struct burst *b)
{
    if (b->n == 0)
        return true;
    if (b->n >= BURST_MOST || b->spent > b->limit)
        return false;
    return b->n < BURST_LEAST || b->known <= 0 ||
           b->best > NEAR_THE_BEST * b->known;
}

double burst_known(const struct burst *b)
{
    return b->known > 0 ? fmin(b->known, b->best) : b->best;
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

/* A slope is at most the limit, whatever a measurement says; so this is the
   most that it can be wrong. */
static double most_wrong(double slope)
{
    return CLOCK_DRIFT_LIMIT + fabs(slope);
}

static void remember(struct clock_model *m)
{
    m->old_at = m->at;
    m->old_offset = m->offset;
    m->old_bound = m->bound;
}

void clock_model_anchor(struct clock_model *m, const struct offset *o,
                        struct clock_reference reference)
{
    const double bound = offset_half(o) + reference.bound;
    const double known = clock_model_bound(m, o->at);
    const double way = o->at - m->old_at;
    const double error = (bound + m->old_bound) / way + CLOCK_WANDER;
    const bool contradicts = fabs(clock_model_residual(m, o)) > bound + known;

    if (bound >= known && !contradicts)
        return;
    m->at = o->at;
    m->offset = offset_middle(o);
    m->bound = bound;
    if (contradicts) /* what a fit said of its own error */
        m->slope_error = most_wrong(m->slope);
    if (way > 0 && error < m->slope_error) {
        const double between = (m->offset - m->old_offset) / way;

        if (fabs(between) > CLOCK_DRIFT_LIMIT) { /* a clock stepped */
            m->slope_error = most_wrong(m->slope);
            remember(m);
            return;
        }
        m->slope = between;
        m->slope_error = error;
    }
    if (way > CLOCK_RATE_AGE) {
        m->slope_error = fmin(2 * m->slope_error, most_wrong(m->slope));
        remember(m);
    }
}

void clock_fit_add(struct clock_fit *f, const struct offset *o)
{
    const double half = offset_half(o), y = offset_middle(o);
    const double w = 1 / (half * half + CLOCK_STEP * CLOCK_STEP);
    double dx, dy;

    if (f->n == 0) {
        /* Exactly: the moments are as small as a rounding of seconds. */
        f->at = o->at;
        f->offset = y;
        f->first = *o;
    } else {
        const double before = offset_half(&f->last);
        const double v =
            1 / (1 / w + before * before + CLOCK_STEP * CLOCK_STEP);

        dx = o->at - f->last.at;
        dy = y - offset_middle(&f->last);
        f->dxx += v * dx * dx;
        f->dxy += v * dx * dy;
        f->dyy += v * dy * dy;
    }
    dx = o->at - f->at;
    dy = y - f->offset;
    f->last = *o;
    f->n++;
    f->weight += w;
    f->squares += w * w;
    f->at += dx * w / f->weight;
    f->offset += dy * w / f->weight;
    f->half += (half - f->half) * w / f->weight;
    f->sxx += w * dx * (o->at - f->at);
    f->sxy += w * dx * (y - f->offset);
    f->syy += w * dy * (y - f->offset);
}

/* How many points of equal weight would say as much. */
static double points(const struct clock_fit *f)
{
    return f->squares > 0 ? f->weight * f->weight / f->squares : 0;
}

/* Standard deviation of a point from the line. */
static double scatter(const struct clock_fit *f)
{
    const double n = points(f);
    const double rest = fmax(0, f->syy - f->sxy * f->sxy / f->sxx);

    return sqrt(rest / f->weight * n / (n - 2));
}

static double slope(const struct clock_fit *f)
{
    return f->sxx > 0 ? f->sxy / f->sxx : 0;
}

/* By how much neighbouring points that err alike make the line's error larger
   than its scatter says: sqrt((1 + rho) / (1 - rho)), rho from the ratio of the
   squared steps to the squares. */
static double inertia(const struct clock_fit *f)
{
    const double a = slope(f);
    const double squares = fmax(0, f->syy - a * f->sxy) / (f->n - 2);
    const double steps =
        fmax(0, f->dyy - 2 * a * f->dxy + a * a * f->dxx) / (f->n - 1);
    double rho;

    if (!(squares > 0))
        return 1;
    rho = fmin(fmax(1 - steps / squares, 0), MOST_ALIKE);
    return sqrt((1 + rho) / (1 - rho));
}

double clock_fit_slope_error(const struct clock_fit *f)
{
    const double baseline = f->last.at - f->first.at, a = slope(f);
    double ends, error;

    if (!(baseline > 0) || !(f->sxx > 0))
        return most_wrong(a);
    ends = fmax((f->last.high - f->first.low) / baseline - a,
                a - (f->last.low - f->first.high) / baseline);
    ends = ends > 0 ? fmin(ends, most_wrong(a)) : most_wrong(a);
    if (points(f) < FEWEST_POINTS)
        return ends;
    error = FIT_SIGMAS * inertia(f) * scatter(f) /
            sqrt(points(f) * f->sxx / f->weight);
    return fmin(ends, error + CLOCK_STEP / baseline + CLOCK_WANDER);
}

struct clock_model clock_fit_model(const struct clock_fit *f,
                                   struct clock_reference reference)
{
    const double a =
        fmin(fmax(slope(f), -CLOCK_DRIFT_LIMIT), CLOCK_DRIFT_LIMIT);
    struct clock_model m = {
        .at = f->at,
        .offset = f->offset,
        .slope = a,
        /* The mean of true offsets lies within the means of their bounds. */
        .bound = f->half + reference.bound,
        .slope_error = fmin(clock_fit_slope_error(f) + reference.slope_error,
                            most_wrong(a)),
    };

    remember(&m);
    return m;
}
