/* SPDX-License-Identifier: BSD-3-Clause */
#include "result.h"

#include <stdio.h>

const struct extra_column extra_columns[EXTRA_COUNT] = {
    [EXTRA_MEDIAN] = { "median", "median over laps", "Median(us)",
                       "Median(MB/s)" },
    [EXTRA_CI_LOW] = { "ci_low", "lower end of its 95 % confidence interval",
                       "CI95 Low(us)", "CI95 Low(MB/s)" },
    [EXTRA_CI_HIGH] = { "ci_high", "upper end of it", "CI95 High(us)",
                        "CI95 High(MB/s)" },
    [EXTRA_HALF_WIDTH] = { "half_width",
                           "its wider half, in percent of the median",
                           "Half Width(%)", "Half Width(%)" },
    [EXTRA_TAU] = { "tau",
                    "autocorrelation time: samples that tell as much as one "
                    "independent one",
                    "Tau", "Tau" },
    [EXTRA_EFFECTIVE] = { "n_eff", "samples / tau", "Eff. Samples",
                          "Eff. Samples" },
    [EXTRA_MIN] = { "min", "smallest figure over laps", "Lap Min(us)",
                    "Lap Min(MB/s)" },
    [EXTRA_MAX] = { "max", "largest figure over laps", "Lap Max(us)",
                    "Lap Max(MB/s)" },
    [EXTRA_STDDEV] = { "stddev", "standard deviation over laps, in percent",
                       "Std Dev(%)", "Std Dev(%)" },
    [EXTRA_COMPLETION] = { "completion",
                           "mean over laps of the slowest rank's time",
                           "Completion(us)", "Completion(MB/s)" },
    [EXTRA_LAPS] = { "laps", "laps measured", "Laps", "Laps" },
    [EXTRA_SAMPLES] = { "samples", "clock readings they were measured by",
                        "Samples", "Samples" },
    [EXTRA_STOP] = { "stop", "why measuring stopped", "Stop", "Stop" },
    [EXTRA_OUTLIERS] = { "outliers",
                         "samples far outside, in percent (modified z > 14.8)",
                         "Outliers(%)", "Outliers(%)" },
    [EXTRA_DRIFT] = { "drift",
                      "median of the last third against the first, in percent",
                      "Drift(%)", "Drift(%)" },
    [EXTRA_SLOWEST] = { "slowest_rank",
                        "the rank that is slowest most often, and in how many "
                        "percent of the laps",
                        "Slowest Rank", "Slowest Rank" },
    [EXTRA_GLOBAL] = { "global",
                       "median time from the first start to the last end, by "
                       "the synchronised clock",
                       "Global(us)", "Global(MB/s)" },
    [EXTRA_SKEW] = { "skew",
                     "median time from the first start to the last, by the "
                     "synchronised clock",
                     "Start Skew(us)", "Start Skew(us)" },
    [EXTRA_LATE] = { "late",
                     "laps dropped because a rank came late (--start=clock)",
                     "Late Laps", "Late Laps" },
    [EXTRA_RESIDUAL] = { "residual",
                         "error of the synchronised clock after the row",
                         "Residual(us)", "Residual(us)" },
    [EXTRA_SPEED] = { "speed",
                      "speed of a core after the row, in percent of that "
                      "before it",
                      "Speed(%)", "Speed(%)" },
};

double result_figure(const struct result *r, double seconds)
{
    if (r->is_rate)
        return seconds > 0 ? r->payload / seconds / 1e6 : 0;
    return seconds * r->scale * 1e6;
}

double result_headline(const struct result *r)
{
    return result_figure(r, r->whole != NULL ? r->whole->run.max : r->mean);
}

bool result_is_straggler(const struct blame *blame, int ranks)
{
    const double chance = 1.0 / ranks;

    return blame->rank >= 0 && ranks > 1 &&
           blame->share - chance > 0.5 * (1 - chance);
}

double result_percentile(const struct result *r, double p)
{
    return result_figure(r, series_quantile(r->series, p / 100));
}

double result_computation(const struct result *r)
{
    const struct overlap_parts *p = &r->parts;

    return p->beside ? p->alone : p->compute - p->test;
}

double result_overlap(const struct result *r)
{
    return 100 - 100 * (r->mean - result_computation(r)) / r->parts.pure;
}

const char *result_stop_word(enum stop_reason stop)
{
    static const char *const word[] = { "count", "precision", "budget" };

    return word[stop];
}

const char *result_verdict_word(enum verdict verdict, bool one_sided)
{
    static const char *const word[2][3] = { { "-", "Pass", "Fail" },
                                            { "skipped", "passed", "failed" } };

    return word[one_sided][verdict];
}

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
static struct cell global(const struct result *r, struct cell cell)
{
    return r->global.measured && r->global.trusted ? cell : word("-");
}

struct cell result_extra(const struct result *r, int id)
{
    const struct stats *s = &r->over_laps;
    const struct series_shape *shape = &r->shape;

    switch (id) {
    case EXTRA_MEDIAN:
        return real(result_figure(r, s->median));
    case EXTRA_CI_LOW:
    case EXTRA_CI_HIGH:
        if (!s->has_interval)
            return word("-");
        return low_or_high(r, id == EXTRA_CI_LOW, s->ci_low, s->ci_high);
    case EXTRA_HALF_WIDTH:
        if (!s->has_interval || s->median <= 0)
            return word("-");
        return real(100 * stats_half_width(s));
    case EXTRA_TAU:
        return real(s->tau);
    case EXTRA_EFFECTIVE:
        return real((double)s->n / s->tau);
    case EXTRA_MIN:
    case EXTRA_MAX:
        return low_or_high(r, id == EXTRA_MIN, s->min, s->max);
    case EXTRA_STDDEV:
        return real(s->mean > 0 ? 100 * s->stddev / s->mean : 0);
    case EXTRA_COMPLETION:
        return real(result_figure(r, s->mean));
    case EXTRA_LAPS:
        return count((size_t)r->laps);
    case EXTRA_SAMPLES:
        return count(s->n);
    case EXTRA_OUTLIERS:
        return real(100 * shape->outliers.share);
    case EXTRA_DRIFT:
        return shape->drift.known ? real(100 * (shape->drift.ratio - 1))
                                  : word("-");
    case EXTRA_SLOWEST:
        return culprit(&r->slowest);
    case EXTRA_GLOBAL:
        return global(r, real(result_figure(r, r->global.completion_s)));
    case EXTRA_SKEW:
        return global(r, real(1e6 * r->global.skew_s));
    case EXTRA_LATE:
        return count((size_t)r->late);
    case EXTRA_RESIDUAL:
        return r->global.synchronised ? real(1e6 * r->global.residual_s)
                                      : word("-");
    case EXTRA_SPEED:
        return real(100 * r->steady.speed);
    default:
        return word(result_stop_word(r->stop));
    }
}
