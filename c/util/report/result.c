/* SPDX-License-Identifier: BSD-3-Clause */
#include "result.h"

double result_figure(const struct result *r, double seconds)
{
    if (r->is_rate)
        return seconds > 0 ? r->payload / seconds / 1e6 : 0;
    return seconds * r->scale * 1e6;
}

double result_headline(const struct result *r)
{
    return result_figure(r, r->own_headline ? r->headline_s : r->mean);
}

double result_mean(const struct result *r)
{
    return result_figure(r, r->mean);
}

double result_median(const struct result *r)
{
    return r->own_headline || r->series == NULL
               ? result_headline(r)
               : result_figure(r, r->over_laps.median);
}

double result_messages_per_s(const struct result *r)
{
    return r->mean > 0 ? r->messages / r->mean : 0;
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

const char *result_stop_word(enum stop_reason stop)
{
    static const char *const word[] = { "count", "precision", "budget",
                                        "enough" };

    return word[stop];
}

const char *result_verdict_word(enum verdict verdict, bool one_sided)
{
    static const char *const word[2][3] = { { "-", "Pass", "Fail" },
                                            { "skipped", "passed", "failed" } };

    return word[one_sided][verdict];
}
