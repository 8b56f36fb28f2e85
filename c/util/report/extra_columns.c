/* SPDX-License-Identifier: BSD-3-Clause */
#include "extra_columns.h"

static struct cell if_known(bool known, double value)
{
    return known ? cell_real(value) : cell_word("-");
}

/* "3(87%)" */
static struct cell culprit(const struct blame *blame)
{
    char text[40] = "-";

    if (blame->rank >= 0)
        snprintf(text, sizeof text, "%d(%.0f%%)", blame->rank,
                 100 * blame->share);
    return cell_word(text);
}

struct cell extra_column_value(const struct result *r, int id)
{
    const struct stats *s = &r->over_laps;
    const struct drift *d = &r->shape.drift;
    const struct global_times *g = &r->global;
    /* Of each lap; only a trusted global clock tells. */
    const bool told = g->measured && g->trusted;
    /* A long time is a small rate: low and high change places. */
    const double low_s = r->is_rate ? s->ci_high : s->ci_low;
    const double high_s = r->is_rate ? s->ci_low : s->ci_high;
    const double min_s = r->is_rate ? s->max : s->min;
    const double max_s = r->is_rate ? s->min : s->max;
    const struct cell value[EXTRA_COUNT] = {
        [EXTRA_MEDIAN] = cell_real(result_figure(r, s->median)),
        [EXTRA_CI_LOW] = if_known(s->has_interval, result_figure(r, low_s)),
        [EXTRA_CI_HIGH] = if_known(s->has_interval, result_figure(r, high_s)),
        [EXTRA_HALF_WIDTH] = if_known(s->has_interval && s->median > 0,
                                      100 * stats_half_width(s)),
        [EXTRA_TAU] = cell_real(s->tau),
        [EXTRA_EFFECTIVE] = cell_real((double)s->n / s->tau),
        [EXTRA_MIN] = cell_real(result_figure(r, min_s)),
        [EXTRA_MAX] = cell_real(result_figure(r, max_s)),
        [EXTRA_STDDEV] = cell_real(s->mean > 0 ? 100 * s->stddev / s->mean : 0),
        [EXTRA_COMPLETION] = cell_real(result_figure(r, s->mean)),
        [EXTRA_LAPS] = cell_count((size_t)r->laps),
        [EXTRA_SAMPLES] = cell_count(s->n),
        [EXTRA_STOP] = cell_word(result_stop_word(r->stop)),
        [EXTRA_OUTLIERS] = cell_real(100 * r->shape.outliers.share),
        [EXTRA_DRIFT] = if_known(d->known, 100 * (d->ratio - 1)),
        [EXTRA_SLOWEST] = culprit(&r->slowest),
        [EXTRA_GLOBAL] = if_known(told, result_figure(r, g->completion_s)),
        [EXTRA_SKEW] = if_known(told, 1e6 * g->skew_s),
        [EXTRA_LATE] = cell_count((size_t)r->late),
        [EXTRA_RESIDUAL] = if_known(g->synchronised, 1e6 * g->residual_s),
        [EXTRA_SPEED] = cell_real(100 * r->steady.speed),
    };

    return value[id];
}
