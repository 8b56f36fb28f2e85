/* SPDX-License-Identifier: BSD-3-Clause */
#include "result.h"

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
};

double result_figure(const struct result *r, double seconds)
{
    if (r->is_rate)
        return r->payload / seconds / 1e6;
    return seconds * r->scale * 1e6;
}

double result_percentile(const struct result *r, double p)
{
    return result_figure(r, stats_quantile(r->sorted, r->over_laps.n, p / 100));
}

double result_overlap(const struct result *r)
{
    const struct overlap_parts *p = &r->parts;

    return 100 - 100 * (r->mean - (p->compute - p->test)) / p->pure;
}

const char *result_stop_word(enum stop_reason stop)
{
    static const char *const word[] = { "count", "precision", "budget",
                                        "samples" };

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

struct cell result_extra(const struct result *r, int id)
{
    const struct stats *s = &r->over_laps;

    switch (id) {
    case EXTRA_MEDIAN:
        return real(result_figure(r, s->median));
    case EXTRA_CI_LOW:
    case EXTRA_CI_HIGH:
        if (!s->has_interval)
            return (struct cell){ .kind = CELL_WORD, .word = "-" };
        return low_or_high(r, id == EXTRA_CI_LOW, s->ci_low, s->ci_high);
    case EXTRA_HALF_WIDTH:
        if (!s->has_interval)
            return (struct cell){ .kind = CELL_WORD, .word = "-" };
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
        return (struct cell){ .kind = CELL_COUNT, .count = (size_t)r->laps };
    case EXTRA_SAMPLES:
        return (struct cell){ .kind = CELL_COUNT, .count = s->n };
    default:
        return (struct cell){ .kind = CELL_WORD,
                              .word = result_stop_word(r->stop) };
    }
}
