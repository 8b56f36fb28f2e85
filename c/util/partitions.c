/* SPDX-License-Identifier: BSD-3-Clause */
#include "partitions.h"

#include <stdlib.h>

#include "shuffle.h"

bool partitions_begin(struct partitions *p, const struct settings *s)
{
    const int n = s->partitions;
    uint64_t state = s->ready_seed;

    p->n = n;
    p->threads = s->ready_threads;
    p->order = malloc((size_t)n * sizeof *p->order);
    if (p->order == NULL)
        return false;
    for (int i = 0; i < n; i++)
        p->order[i] = s->ready == ORDER_DOWN ? n - 1 - i : i;
    for (int i = n - 1; s->ready == ORDER_RANDOM && i > 0; i--) {
        const int k = (int)shuffle_next(&state, (unsigned long)i + 1);
        const int other = p->order[k];

        p->order[k] = p->order[i];
        p->order[i] = other;
    }
    return true;
}

void partitions_end(struct partitions *p)
{
    free(p->order);
    p->order = NULL;
}
