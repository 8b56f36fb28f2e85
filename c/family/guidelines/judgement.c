/* SPDX-License-Identifier: BSD-3-Clause */
#include "judgement.h"

#include <math.h>

#include "stats/stats.h"

/* (z(1 - 0.025 / k) / z(0.975))^2 for k mock-ups: so much longer the autocorrelation time
   is taken, the interval has a confidence of 1 - 0.05 / k. */
static const double WIDER[ROUNDS_MOST] = { 1, 1, 1.3078, 1.4920 };

/* The same for a confidence of 99 % in place of 95 %. */
static const double SURER = 1.7272;

static struct guideline_ratio ratio_of(const double *native, const double *mock,
                                       int rounds, double least_s, double wider,
                                       double *room)
{
    const size_t n = (size_t)rounds;
    double *sorted = room + rounds;
    struct guideline_ratio ratio = { .median = 0 };
    struct stats s;
    size_t low, high;
    double tau;

    for (int k = 0; k < rounds; k++)
        room[k] = fmax(native[k], least_s) / fmax(mock[k], least_s);
    s = stats_of_series(room, sorted, n);
    /* Where the clock does not tell ratios apart, they do not depend on each other. */
    if (n > 0 &&
        sorted[n - 1] - sorted[0] <=
            2 * least_s * s.median *
                (1 / fmax(native[0], least_s) + 1 / fmax(mock[0], least_s)))
        s.tau = 1;
    tau = s.tau * wider;
    ratio.median = s.median;
    ratio.has_interval = stats_ranks_tau(n, 0.5, tau, &low, &high);
    if (ratio.has_interval) {
        ratio.low = sorted[low - 1];
        ratio.high = sorted[high - 1];
    }
    if (stats_ranks_tau(n, 0.5, tau * SURER, &low, &high))
        ratio.surely = sorted[low - 1];
    return ratio;
}

static enum guideline_verdict verdict_of(const struct judgement *j,
                                         double margin)
{
    const struct guideline_ratio *best = &j->ratio[j->best];

    if (best->surely > 1 + margin)
        return GUIDELINE_VIOLATED;
    for (int o = 1; o < j->n; o++)
        if (!j->ratio[o].has_interval || j->ratio[o].high > 1 + margin)
            return GUIDELINE_UNDECIDED;
    return GUIDELINE_HOLDS;
}

struct judgement judgement_of(const double *time, int n, int rounds, int stride,
                              double least_s, double margin, double *room)
{
    struct judgement j = { .n = n, .rounds = rounds, .best = 1 };

    j.shown.median = j.shown.low = j.shown.high = NAN;
    for (int o = 0; o < n; o++)
        j.time_s[o] = NAN;
    if (rounds == 0)
        return j;
    for (int o = 0; o < n; o++)
        j.time_s[o] =
            stats_of_series(time + o * stride, room, (size_t)rounds).median;
    for (int o = 1; o < n; o++) {
        j.ratio[o] = ratio_of(time, time + o * stride, rounds, least_s,
                              WIDER[n - 1], room);
        if (j.ratio[o].median > j.ratio[j.best].median)
            j.best = o;
    }
    j.is = verdict_of(&j, margin);
    j.shown = j.ratio[j.best];
    if (!j.shown.has_interval)
        j.shown.low = j.shown.high = NAN;
    return j;
}

const char *judgement_word(enum guideline_verdict verdict)
{
    static const char *const words[] = {
        [GUIDELINE_UNDECIDED] = "undecided",
        [GUIDELINE_HOLDS] = "holds",
        [GUIDELINE_VIOLATED] = "violated",
    };

    return words[verdict];
}
