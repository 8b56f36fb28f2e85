/* SPDX-License-Identifier: BSD-3-Clause */
#include "judgement.h"

#include <math.h>

#include "stats/stats.h"

static double value_of(const struct block *b, bool tail)
{
    return tail ? b->p99_s : b->median_s;
}

struct impact_ratio impact_judge(const struct impact_pair *pair, bool tail)
{
    double alone[IMPACT_PAIRS], loaded[IMPACT_PAIRS], ratio[IMPACT_PAIRS];
    struct impact_ratio r = { .known = true };

    for (int i = 0; i < IMPACT_PAIRS; i++) {
        alone[i] = value_of(&pair[i].alone, tail);
        loaded[i] = value_of(&pair[i].loaded, tail);
        if (!(alone[i] > 0) || !(loaded[i] > 0))
            return (struct impact_ratio){ false, NAN, NAN, NAN, NAN, NAN };
        ratio[i] = loaded[i] / alone[i];
    }
    const struct stats over_pairs = stats_of(ratio, IMPACT_PAIRS);

    r.alone_s = stats_median(alone, IMPACT_PAIRS);
    r.loaded_s = stats_median(loaded, IMPACT_PAIRS);
    r.times = over_pairs.median;
    r.low = over_pairs.ci_low;
    r.high = over_pairs.ci_high;
    return r;
}
