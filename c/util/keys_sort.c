/* SPDX-License-Identifier: BSD-3-Clause */
/* The full verification of NAS IS, on one rank: keys_sort of keys.h. */
#include "keys.h"

/* Differs, but for chance, wherever a key differs, and not with their order. */
static uint64_t fingerprint(const int32_t *key, int n)
{
    uint64_t sum = 0;

    for (int i = 0; i < n; i++) {
        const uint64_t x =
            ((uint64_t)(uint32_t)key[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);

        sum += x ^ x >> 29;
    }
    return sum;
}

struct keys_order keys_sort(struct keys *k)
{
    struct keys_order o = { .most = -1,
                            .before = fingerprint(k->key, k->n),
                            .now = fingerprint(k->received, k->come) };

    for (int i = 0; i < k->room; i++)
        k->sorted[i] = -1; /* nowhere a key */
    for (int i = 0; i < k->come; i++) {
        const int32_t key = k->received[i];
        const bool ours = key >= k->low && key < k->high;
        const int64_t at = ours ? (int64_t)k->below[key]++ - k->base : -1;

        if (at < 0 || at >= k->come)
            o.wrong++;
        else
            k->sorted[at] = key;
    }
    for (int i = 0; i < k->come; i++)
        o.wrong += k->sorted[i] < (i > 0 ? k->sorted[i - 1] : 0);
    if (k->come > 0) {
        o.least = k->sorted[0];
        o.most = k->sorted[k->come - 1];
    }
    return o;
}
