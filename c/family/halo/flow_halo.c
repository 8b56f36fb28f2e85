/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_halo.h"

#include <string.h>

#include "base/buffer_size.h"
#include "data/verify.h"
#include "halo.h"

enum { CHUNK = VERIFY_CHUNK / (int)sizeof(double) };

/* What entries of an array hold: before an exchange, own cells have their numbers and
   the halo has poison; after it, the halo has the numbers of the cells of others. */
enum when { BEFORE, AFTER };

/* -1: in the halo on the low side; 0: an own cell; 1: on the high side. */
static int zone(const struct block *b, int axis, int i)
{
    return i < b->halo[axis] ? -1 : i >= b->halo[axis] + b->cells[axis];
}

static bool is_moved(const struct halo *h, const int step[LATTICE_AXES])
{
    const int steps = (step[0] != 0) + (step[1] != 0) + (step[2] != 0);

    return (steps == 1 || !h->faces) && lattice_neighbor(&h->grid, step) >= 0;
}

/* Where an entry lies on an axis of the whole grid of cells. */
static double global(const struct halo *h, int axis, int i)
{
    const double cells = h->shape.cells[axis];
    const double all = cells * h->grid.extent[axis];
    const double at =
        cells * h->grid.place[axis] + (double)(i - h->shape.halo[axis]);

    return at < 0 ? at + all : at >= all ? at - all : at;
}

/* So many cells along an axis. */
static double extent(const struct halo *h, int axis)
{
    return (double)h->shape.cells[axis] * h->grid.extent[axis];
}

/* n entries of a row of the array, from that one on.  The number of a cell counts all
   cells of the grid, from 1 on, with the last axis fastest. */
static void expect(const struct halo *h, enum when when, double poison,
                   const int at[LATTICE_AXES], int n, double *to)
{
    const double row =
        (global(h, 0, at[0]) * extent(h, 1) + global(h, 1, at[1])) *
            extent(h, 2) +
        1;
    bool moved[3];

    for (int side = -1; side <= 1; side++) {
        const int step[] = { zone(&h->shape, 0, at[0]),
                             zone(&h->shape, 1, at[1]), side };
        const bool own = step[0] == 0 && step[1] == 0 && side == 0;

        moved[side + 1] = own || (when == AFTER && is_moved(h, step));
    }
    for (int i = 0; i < n; i++)
        to[i] = moved[zone(&h->shape, 2, at[2] + i) + 1]
                    ? row + global(h, 2, at[2] + i)
                    : poison;
}

static double poison_of(const struct verify *v)
{
    double poison;

    memset(&poison, verify_poison(v), sizeof poison);
    return poison;
}

/* The next entries: within a row of the array, and no more than a chunk.  at[] is
   where they begin; returns how many, 0 after the last. */
static int next_entries(const struct block *b, int at[LATTICE_AXES], int before)
{
    int left;

    at[2] += before;
    for (int i = LATTICE_AXES - 1; i > 0; i--)
        if (at[i] == lattice_entries(b, i)) {
            at[i] = 0;
            at[i - 1]++;
        }
    left = lattice_entries(b, 2) - at[2];
    if (at[0] == lattice_entries(b, 0))
        return 0;
    return left < CHUNK ? left : CHUNK;
}

static void fill(const struct verify *v)
{
    const struct halo *h = halo_of(v->run);
    const double poison = poison_of(v);
    double right[CHUNK], *to = h->base;
    int at[LATTICE_AXES] = { 0 }, n = 0;

    while ((n = next_entries(&h->shape, at, n)) > 0) {
        expect(h, BEFORE, poison, at, n, right);
        v->recv_kind->copy_in(to, right, (size_t)n * sizeof *to);
        to += n;
    }
    v->recv_kind->set(to, verify_poison(v), BUFFER_GUARD);
}

/* Entries that differ: the block is the number of the side, the element that in the
   array. */
static void compare(const struct verify *v, const int at[LATTICE_AXES], int n,
                    size_t number, const double *right, const double *got,
                    struct mismatch *first)
{
    const struct halo *h = halo_of(v->run);

    for (int i = 0; i < n; i++) {
        const int step[] = { zone(&h->shape, 0, at[0]),
                             zone(&h->shape, 1, at[1]),
                             zone(&h->shape, 2, at[2] + i) };

        if (memcmp(&got[i], &right[i], sizeof *got) != 0)
            verify_note(v, first, lattice_number(h->grid.axes, step),
                        number + (size_t)i, right[i], got[i]);
    }
}

static void check(const struct verify *v, struct mismatch *first)
{
    const struct halo *h = halo_of(v->run);
    const double poison = poison_of(v);
    const double *from = h->base;
    double right[CHUNK], got[CHUNK];
    int at[LATTICE_AXES] = { 0 }, n = 0;

    while ((n = next_entries(&h->shape, at, n)) > 0) {
        expect(h, AFTER, poison, at, n, right);
        v->recv_kind->copy_out(got, from, (size_t)n * sizeof *got);
        if (memcmp(got, right, (size_t)n * sizeof *got) != 0)
            compare(v, at, n, (size_t)(from - (const double *)h->base), right,
                    got, first);
        from += n;
    }
    verify_check_untouched(v, (const char *)from, BUFFER_GUARD,
                           lattice_number(h->grid.axes, (int[]){ 1, 1, 1 }),
                           lattice_all_entries(&h->shape), first);
}

const struct flow flow_halo = {
    .sends = flow_no_block,
    .to = flow_anyone,
    .receives = flow_no_block,
    .from = flow_anyone,
    .elsewhere = FLOW_SENDS | FLOW_RECEIVES,
    .counted = "cell",
    .fill = fill,
    .check = check,
};
