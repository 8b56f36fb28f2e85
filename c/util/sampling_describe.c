/* SPDX-License-Identifier: BSD-3-Clause */
/* What the samples say so far. */
#include "sampling.h"

static struct blame most_blamed(const long *blame, int ranks, size_t n)
{
    struct blame b = { -1, 0 };

    for (int i = 0; n > 0 && i < ranks; i++)
        if ((double)blame[i] > b.share * (double)n)
            b = (struct blame){ i, (double)blame[i] / (double)n };
    return b;
}

void sampling_describe(struct measure *m, struct result *result)
{
    const int ranks = m->world->size;
    struct global_times *g = &result->global;

    result->series = &m->series;
    m->series.slack = m->clock.tick_s / 2 / (double)result->stride;
    result->over_laps = series_describe(&m->series);
    result->slowest = m->bench->timed == TIMED_RANK_0
                          ? (struct blame){ -1, 0 }
                          : most_blamed(m->blame_slowest, ranks, m->series.n);
    if (!m->skewed)
        return;
    g->measured = true;
    g->completion_s = histogram_quantile(&m->completion, 0.5);
    g->skew_s = histogram_quantile(&m->skew, 0.5);
    g->skew_p95_s = histogram_quantile(&m->skew, 0.95);
    g->last_start = most_blamed(m->blame_start, ranks, m->series.n);
}
