/* SPDX-License-Identifier: BSD-3-Clause */
#include "extra_columns.h"

#include <stdio.h>

static struct cell real(double value)
{
    return (struct cell){ .kind = CELL_REAL, .real = value };
}

/* A long time is a small rate: low and high change places. */
static struct cell low_or_high(const struct result *r, bool low, double least,
                               double most)
{
    return real(result_figure(r, low == r->is_rate ? most : least));
}

static struct cell word(const char *text)
{
    return (struct cell){ .kind = CELL_WORD, .word = text };
}

static struct cell count(size_t n)
{
    return (struct cell){ .kind = CELL_COUNT, .count = n };
}

/* "3(87%)"; the text is good until the next call. */
static struct cell culprit(const struct blame *blame)
{
    static char text[40];

    if (blame->rank < 0)
        return word("-");
    snprintf(text, sizeof text, "%d(%.0f%%)", blame->rank, 100 * blame->share);
    return word(text);
}

/* Times that only a trusted global clock tells. */
static struct cell by_clock(const struct result *r, struct cell cell)
{
    return r->global.measured && r->global.trusted ? cell : word("-");
}

static struct cell interval(const struct result *r, bool low)
{
    const struct stats *s = &r->over_laps;

    return s->has_interval ? low_or_high(r, low, s->ci_low, s->ci_high)
                           : word("-");
}

static struct cell median(const struct result *r)
{
    return real(result_figure(r, r->over_laps.median));
}

static struct cell ci_low(const struct result *r)
{
    return interval(r, true);
}

static struct cell ci_high(const struct result *r)
{
    return interval(r, false);
}

static struct cell half_width(const struct result *r)
{
    const struct stats *s = &r->over_laps;

    return s->has_interval && s->median > 0 ? real(100 * stats_half_width(s))
                                            : word("-");
}

static struct cell tau(const struct result *r)
{
    return real(r->over_laps.tau);
}

static struct cell effective(const struct result *r)
{
    return real((double)r->over_laps.n / r->over_laps.tau);
}

static struct cell least(const struct result *r)
{
    return low_or_high(r, true, r->over_laps.min, r->over_laps.max);
}

static struct cell most(const struct result *r)
{
    return low_or_high(r, false, r->over_laps.min, r->over_laps.max);
}

static struct cell stddev(const struct result *r)
{
    const struct stats *s = &r->over_laps;

    return real(s->mean > 0 ? 100 * s->stddev / s->mean : 0);
}

static struct cell completion(const struct result *r)
{
    return real(result_figure(r, r->over_laps.mean));
}

static struct cell laps(const struct result *r)
{
    return count((size_t)r->laps);
}

static struct cell samples(const struct result *r)
{
    return count(r->over_laps.n);
}

static struct cell stop(const struct result *r)
{
    return word(result_stop_word(r->stop));
}

static struct cell outliers(const struct result *r)
{
    return real(100 * r->shape.outliers.share);
}

static struct cell drift(const struct result *r)
{
    const struct drift *d = &r->shape.drift;

    return d->known ? real(100 * (d->ratio - 1)) : word("-");
}

static struct cell slowest(const struct result *r)
{
    return culprit(&r->slowest);
}

static struct cell global(const struct result *r)
{
    return by_clock(r, real(result_figure(r, r->global.completion_s)));
}

static struct cell skew(const struct result *r)
{
    return by_clock(r, real(1e6 * r->global.skew_s));
}

static struct cell late(const struct result *r)
{
    return count((size_t)r->late);
}

static struct cell residual(const struct result *r)
{
    return r->global.synchronised ? real(1e6 * r->global.residual_s)
                                  : word("-");
}

static struct cell speed(const struct result *r)
{
    return real(100 * r->steady.speed);
}

struct cell extra_column_value(const struct result *r, int id)
{
    static struct cell (*const value[EXTRA_COUNT])(const struct result *) = {
        [EXTRA_MEDIAN] = median,   [EXTRA_CI_LOW] = ci_low,
        [EXTRA_CI_HIGH] = ci_high, [EXTRA_HALF_WIDTH] = half_width,
        [EXTRA_TAU] = tau,         [EXTRA_EFFECTIVE] = effective,
        [EXTRA_MIN] = least,       [EXTRA_MAX] = most,
        [EXTRA_STDDEV] = stddev,   [EXTRA_COMPLETION] = completion,
        [EXTRA_LAPS] = laps,       [EXTRA_SAMPLES] = samples,
        [EXTRA_STOP] = stop,       [EXTRA_OUTLIERS] = outliers,
        [EXTRA_DRIFT] = drift,     [EXTRA_SLOWEST] = slowest,
        [EXTRA_GLOBAL] = global,   [EXTRA_SKEW] = skew,
        [EXTRA_LATE] = late,       [EXTRA_RESIDUAL] = residual,
        [EXTRA_SPEED] = speed,
    };

    return value[id](r);
}
