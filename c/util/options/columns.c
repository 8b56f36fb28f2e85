/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns.h"

#include <stddef.h>

const struct extra_column extra_columns[EXTRA_COUNT] = {
    [EXTRA_MEDIAN] = { "median", "median over iterations", "Median(us)",
                       "Median(MB/s)" },
    [EXTRA_CI_LOW] = { "ci_low", "lower end of its 95% confidence interval",
                       "CI95 Low(us)", "CI95 Low(MB/s)" },
    [EXTRA_CI_HIGH] = { "ci_high", "upper end of that interval",
                        "CI95 High(us)", "CI95 High(MB/s)" },
    [EXTRA_HALF_WIDTH] = { "half_width",
                           "wider half of that interval, in percent of the median",
                           "Half Width(%)", "Half Width(%)" },
    [EXTRA_TAU] = { "tau", "autocorrelation time: so many samples count as one",
                    "Tau", "Tau" },
    [EXTRA_EFFECTIVE] = { "n_eff", "effective number of samples: samples / tau",
                          "Eff. Samples", "Eff. Samples" },
    [EXTRA_MIN] = { "min", "minimum over iterations", "Iter. Min(us)",
                    "Iter. Min(MB/s)" },
    [EXTRA_MAX] = { "max", "maximum over iterations", "Iter. Max(us)",
                    "Iter. Max(MB/s)" },
    [EXTRA_STDDEV] = { "stddev",
                       "standard deviation over iterations, in percent",
                       "Std Dev(%)", "Std Dev(%)" },
    [EXTRA_COMPLETION] = { "completion",
                           "mean over iterations of the slowest rank's time",
                           "Completion(us)", "Completion(MB/s)" },
    [EXTRA_LAPS] = { "iterations", "timed iterations", "Iterations",
                     "Iterations" },
    [EXTRA_SAMPLES] = { "samples",
                        "samples; a sample is one or several iterations",
                        "Samples", "Samples" },
    [EXTRA_STOP] = { "stop", "why the row ended: precision, budget or count",
                     "Stop", "Stop" },
    [EXTRA_OUTLIERS] = { "outliers",
                         "samples far from the median, in percent (modified z > 14.8)",
                         "Outliers(%)", "Outliers(%)" },
    [EXTRA_DRIFT] = { "drift",
                      "change of the median from first to last third, in percent",
                      "Drift(%)", "Drift(%)" },
    [EXTRA_SLOWEST] = { "slowest_rank",
                        "rank that is slowest most often, and in what percentage "
                        "of the iterations",
                        "Slowest Rank", "Slowest Rank" },
    [EXTRA_GLOBAL] = { "global",
                       "median time from the first start to the last end, on "
                       "synchronized clocks",
                       "Global(us)", "Global(MB/s)" },
    [EXTRA_SKEW] = { "skew",
                     "median time from the first start to the last, on "
                     "synchronized clocks",
                     "Start Skew(us)", "Start Skew(us)" },
    [EXTRA_LATE] = { "late",
                     "iterations discarded because a rank was late (--start=clock)",
                     "Late Iterations", "Late Iterations" },
    [EXTRA_RESIDUAL] = { "residual",
                         "error of the synchronized clocks after the row",
                         "Residual(us)", "Residual(us)" },
    [EXTRA_SPEED] = { "speed",
                      "speed of a core after the row, in percent of that before",
                      "Speed(%)", "Speed(%)" },
};

const struct extra_column *extra_column(const struct extra_column *more, int id)
{
    if (id < EXTRA_COUNT)
        return &extra_columns[id];
    if (more == NULL || more[id - EXTRA_COUNT].name == NULL)
        return NULL;
    return &more[id - EXTRA_COUNT];
}
