/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"

#include <limits.h>
#include <stdlib.h>

#include "base/buffer_size.h"

__extension__ typedef unsigned __int128 wide;

size_t portion_of(const struct portion *s, size_t count)
{
    const wide whole = (wide)s->blocks * count;

    if (s->of == 0)
        return 0;
    return (size_t)(whole * s->until / s->of - whole * s->before / s->of);
}

double portion_messages(const struct portion *s)
{
    return s->of == 0 ? 0
                      : (double)s->blocks * (double)(s->until - s->before) /
                            (double)s->of;
}

enum { WIDEST_ELEMENT = 16 };

/* Give a layout n ints for each of its three arrays; returns what follows. */
static int *divide(struct layout *l, int *ints, size_t n)
{
    l->counts = ints;
    l->displs = l->counts + n;
    l->byte_displs = l->displs + n;
    return l->byte_displs + n;
}

bool layout_begin(struct bench_run *r)
{
    const size_t n = (size_t)r->blocks;

    /* One block of memory, the widest entries first. */
    r->out.places = calloc(n, 2 * sizeof *r->out.places + sizeof *r->types +
                                  6 * sizeof(int));
    if (r->out.places == NULL)
        return false;
    r->in.places = r->out.places + n;
    r->types = (MPI_Datatype *)(r->in.places + n);
    divide(&r->in, divide(&r->out, (int *)(r->types + n), n), n);
    return true;
}

void layout_end(struct bench_run *r)
{
    free(r->out.places);
    r->out.places = NULL;
}

bool layout_fits(const struct bench_run *r, size_t units)
{
    const bool equal = r->out.portions == NULL && r->in.portions == NULL;

    if (equal)
        return r->blocks < 2 ||
               units <= (size_t)INT_MAX / (size_t)(r->blocks - 1);
    /* Each block may be rounded up by an element. */
    return (double)units * r->fullest + (double)WIDEST_ELEMENT * r->blocks <=
           INT_MAX;
}

size_t layout_size(const struct layout *l, size_t bytes, size_t blocks,
                   bool window)
{
    size_t sum = BUFFER_GUARD;

    if (l->portions == NULL || blocks == 0)
        return buffer_size(bytes, blocks, window);
    /* Rounded to elements a block may be longer than rounded to bytes. */
    for (int i = 0; i < l->n; i++)
        sum = size_sum(sum,
                       portion_of(&l->portions[i], bytes) + 2 * WIDEST_ELEMENT);
    return sum;
}

size_t layout_at(const struct bench_run *r, const struct layout *l, int i)
{
    return l->portions != NULL ? (size_t)l->places[i] : r->bytes * (size_t)i;
}

size_t layout_bytes(const struct bench_run *r, const struct layout *l, int i)
{
    return l->portions != NULL && r->count > 0
               ? (size_t)l->counts[i] * (r->bytes / (size_t)r->count)
               : r->bytes;
}

void layout_split(struct bench_run *r, int count, bool rest)
{
    const int each = count / r->blocks;
    const int left = rest ? count % r->blocks : 0;
    int place = 0;

    for (int i = 0; i < r->blocks; i++) {
        r->in.counts[i] = each + (i < left);
        r->in.displs[i] = place;
        place += r->in.counts[i];
    }
}

static void fill_equal(const struct bench_run *r, struct layout *l,
                       size_t count, size_t bytes)
{
    const bool fit = count <= INT_MAX && layout_fits(r, count);
    const bool bytes_fit = layout_fits(r, bytes);

    for (int i = 0; i < r->blocks; i++) {
        l->counts[i] = count <= INT_MAX ? (int)count : 0;
        l->displs[i] = fit ? (int)count * i : 0;
        l->byte_displs[i] = bytes_fit ? (int)bytes * i : 0;
        l->places[i] = (MPI_Aint)(bytes * (size_t)i);
    }
}

static void fill_portions(struct layout *l, size_t count, size_t bytes)
{
    const size_t one = count > 0 ? bytes / count : 0;
    size_t at = 0;

    for (int i = 0; i < l->n; i++) {
        const size_t n = portion_of(&l->portions[i], count);

        l->counts[i] = (int)n;
        l->displs[i] = (int)at;
        l->byte_displs[i] = at * one <= INT_MAX ? (int)(at * one) : 0;
        l->places[i] = (MPI_Aint)(at * one);
        at += n;
    }
}

void layout_fill(struct bench_run *r, size_t count, MPI_Datatype type,
                 size_t bytes)
{
    struct layout *const layouts[] = { &r->out, &r->in };

    for (int i = 0; i < 2; i++)
        if (layouts[i]->portions != NULL)
            fill_portions(layouts[i], count, bytes);
        else
            fill_equal(r, layouts[i], count, bytes);
    for (int i = 0; i < r->blocks; i++)
        r->types[i] = type;
}
