/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"

#include <limits.h>
#include <stdlib.h>

bool layout_begin(struct bench_run *r)
{
    const size_t n = (size_t)r->blocks;

    /* One block of memory, the widest entries first. */
    r->places =
        calloc(n, sizeof *r->places + sizeof *r->types + 3 * sizeof *r->counts);
    if (r->places == NULL)
        return false;
    r->types = (MPI_Datatype *)(r->places + n);
    r->counts = (int *)(r->types + n);
    r->displs = r->counts + n;
    r->byte_displs = r->displs + n;
    return true;
}

void layout_end(struct bench_run *r)
{
    free(r->places);
    r->places = NULL;
}

bool layout_fits(int blocks, size_t units)
{
    return blocks < 2 || units <= (size_t)INT_MAX / (size_t)(blocks - 1);
}

void layout_split(struct bench_run *r, int count, bool rest)
{
    const int each = count / r->blocks;
    const int left = rest ? count % r->blocks : 0;
    int place = 0;

    for (int i = 0; i < r->blocks; i++) {
        r->counts[i] = each + (i < left);
        r->displs[i] = place;
        place += r->counts[i];
    }
}

void layout_fill(struct bench_run *r, size_t count, MPI_Datatype type,
                 size_t bytes)
{
    const bool fit = count <= INT_MAX && layout_fits(r->blocks, count);
    const bool bytes_fit = layout_fits(r->blocks, bytes);

    for (int i = 0; i < r->blocks; i++) {
        r->counts[i] = count <= INT_MAX ? (int)count : 0;
        r->displs[i] = fit ? (int)count * i : 0;
        r->byte_displs[i] = bytes_fit ? (int)bytes * i : 0;
        r->places[i] = (MPI_Aint)(bytes * (size_t)i);
        r->types[i] = type;
    }
}
