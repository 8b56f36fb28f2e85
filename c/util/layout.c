/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

bool layout_begin(struct layout *layout, int blocks)
{
    layout->blocks = blocks;
    layout->counts = calloc((size_t)blocks, sizeof *layout->counts);
    layout->displs = calloc((size_t)blocks, sizeof *layout->displs);
    return layout->counts != NULL && layout->displs != NULL;
}

void layout_end(struct layout *layout)
{
    free(layout->counts);
    free(layout->displs);
    *layout = (struct layout){ 0 };
}

bool layout_fill(struct layout *layout, int count)
{
    if ((long long)count * (layout->blocks - 1) > INT_MAX)
        return false;
    for (int i = 0; i < layout->blocks; i++) {
        layout->counts[i] = count;
        layout->displs[i] = count * i;
    }
    return true;
}
