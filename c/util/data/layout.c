/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"

#include <limits.h>
#include <stdlib.h>

bool layout_begin(struct layout *layout, int blocks)
{
    const size_t n = (size_t)blocks;

    /* One block of memory, the widest entries first. */
    layout->places = calloc(n, sizeof *layout->places + sizeof *layout->types +
                                   3 * sizeof *layout->counts);
    if (layout->places == NULL)
        return false;
    layout->blocks = blocks;
    layout->types = (MPI_Datatype *)(layout->places + n);
    layout->counts = (int *)(layout->types + n);
    layout->displs = layout->counts + n;
    layout->byte_displs = layout->displs + n;
    return true;
}

void layout_end(struct layout *layout)
{
    free(layout->places);
    *layout = (struct layout){ 0 };
}

bool layout_fits(int blocks, size_t units)
{
    return blocks < 2 || units <= (size_t)INT_MAX / (size_t)(blocks - 1);
}

void layout_split(struct layout *layout, int count, bool rest)
{
    const int each = count / layout->blocks;
    const int left = rest ? count % layout->blocks : 0;
    int place = 0;

    for (int i = 0; i < layout->blocks; i++) {
        layout->counts[i] = each + (i < left);
        layout->displs[i] = place;
        place += layout->counts[i];
    }
}

void layout_fill(struct layout *layout, size_t count, MPI_Datatype type,
                 size_t bytes)
{
    const bool fit = count <= INT_MAX && layout_fits(layout->blocks, count);
    const bool bytes_fit = layout_fits(layout->blocks, bytes);

    for (int i = 0; i < layout->blocks; i++) {
        layout->counts[i] = count <= INT_MAX ? (int)count : 0;
        layout->displs[i] = fit ? (int)count * i : 0;
        layout->byte_displs[i] = bytes_fit ? (int)bytes * i : 0;
        layout->places[i] = (MPI_Aint)(bytes * (size_t)i);
        layout->types[i] = type;
    }
}
