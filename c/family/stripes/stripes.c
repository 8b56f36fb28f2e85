/* SPDX-License-Identifier: BSD-3-Clause */
#include "stripes.h"

#include "bench.h"

struct stripes_settings {
    size_t threshold; /* bytes of the largest message that is not cut */
};

static const struct option_row options[] = {
    { 0, "stripe-threshold", "SIZE", .group = OPTIONS_FLIGHT, .common = true,
      .help = "largest message sent whole; the first pair sends it; larger "
              "messages are cut into one stripe per pair",
      .fallback = "8K", .kind = OPTION_SIZE, .json = "stripe_threshold_bytes",
      .offset = offsetof(struct stripes_settings, threshold) },
    { 0 },
};
static const struct stripes_settings defaults = { .threshold = 8 * KiB };

static void describe(const struct context *c)
{
    const struct stripes_settings *s = c->settings->family;

    stripes_of(c->run)->threshold = s->threshold;
}

static size_t stripe(const struct bench_run *r, size_t bytes)
{
    struct stripes *s = stripes_of(r);
    const size_t pairs = (size_t)r->pairs, pair = (size_t)(r->rank % r->pairs);

    s->n = bytes > s->threshold ? r->pairs : 1;
    if (bytes <= s->threshold)
        return pair == 0 ? bytes : 0;
    return bytes / pairs + (pair < bytes % pairs);
}

const struct flow flow_stripes = { FLOW_STREAM, .message_bytes = stripe };
const struct flow flow_stripes_both_ways = { FLOW_BOTH_WAYS, .message_bytes = stripe };

const struct family stripes_family = {
    .name = "stripes",
    FAMILY_OPTIONS(options, defaults),
    .state = sizeof(struct stripes),
    .describe = describe,
};
