/* SPDX-License-Identifier: BSD-3-Clause */
#include "pace.h"

static const double WARMUP_SHARE = 1.4; /* budget and warm-up at their most */
static const double MESSAGE_S = 2e-6, BYTES_PER_S = 1e10;

/* Laps of a row, where the command line fixes them. */
static long laps_of(const struct bench *b, const struct settings *s,
                    size_t bytes)
{
    const long laps = s->laps >= 0 ? s->laps : sizes_laps(b->counts, bytes);

    return laps + (s->warmup >= 0 ? s->warmup : sizes_warmup(b->counts, bytes));
}

double pace_seconds(const struct bench *b, const struct settings *s,
                    size_t bytes, double blocks)
{
    const double once = settings_fixed(s)
                            ? (double)laps_of(b, s, bytes) * blocks *
                                  (MESSAGE_S + (double)bytes / BYTES_PER_S)
                            : WARMUP_SHARE * settings_budget(s);

    return bench_computes(b) ? 2 * once : once;
}
