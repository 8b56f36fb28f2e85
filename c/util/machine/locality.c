/* SPDX-License-Identifier: BSD-3-Clause */
#include "locality.h"

#include <stdlib.h>

const char *const path_names[PATHS] = {
    [SAME_NUMA] = "same-numa",
    [SAME_SOCKET] = "same-socket",
    [SAME_NODE] = "same-node",
    [INTER_NODE] = "inter-node",
};

enum path path_between(const struct spot *a, const struct spot *b)
{
    if (a->node != b->node)
        return INTER_NODE;
    if (a->numa >= 0 && a->numa == b->numa)
        return SAME_NUMA;
    if (a->package >= 0 && a->package == b->package)
        return SAME_SOCKET;
    return SAME_NODE;
}

unsigned locality_from_first(const struct spot *spot, size_t n)
{
    unsigned mask = 0;

    for (size_t i = 1; i < n; i++)
        mask |= 1u << path_between(&spot[0], &spot[i]);
    return mask;
}

static int by_place(const void *a, const void *b)
{
    const struct spot *p = a, *q = b;

    if (p->node != q->node)
        return p->node < q->node ? -1 : 1;
    if (p->package != q->package)
        return p->package < q->package ? -1 : 1;
    return p->numa < q->numa ? -1 : p->numa > q->numa;
}

/* Once sorted, whatever occurs anywhere occurs between two neighbours: what is
   alike stands together, and parts that differ have a border. */
unsigned locality_among(struct spot *spot, size_t n)
{
    unsigned mask = 0;

    qsort(spot, n, sizeof *spot, by_place);
    for (size_t i = 1; i < n; i++)
        mask |= 1u << path_between(&spot[i - 1], &spot[i]);
    return mask;
}
