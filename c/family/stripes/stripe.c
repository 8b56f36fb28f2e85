/* SPDX-License-Identifier: BSD-3-Clause */
#include "stripe.h"

size_t stripe_bytes(const struct bench_run *r, size_t bytes, size_t threshold)
{
    const size_t pairs = (size_t)r->pairs;
    const size_t pair = (size_t)(r->rank % r->pairs);

    if (bytes <= threshold)
        return pair == 0 ? bytes : 0;
    return bytes / pairs + (pair < bytes % pairs);
}
