/* SPDX-License-Identifier: BSD-3-Clause */
#include "halo_messages.h"

#include <string.h>

#include "base/buffer_size.h"
#include "data/verify.h"
#include "halo.h"
#include "job/world.h"
#include "memory/mirror.h"

enum { MOST_PARTS = 8 };

static void opposite(const int step[LATTICE_AXES], int other[LATTICE_AXES])
{
    for (int i = 0; i < LATTICE_AXES; i++)
        other[i] = -step[i];
}

/* A message that is sent towards a side is received on the opposite side; its number
   is that of the side it was sent to. */
static void add(struct halo_message *list, int *n, int peer, int number,
                const int step[LATTICE_AXES])
{
    if (peer < 0)
        return;
    list[*n] = (struct halo_message){ .peer = peer,
                                      .tag = BENCH_ACK_TAG + 1 + number };
    memcpy(list[*n].step, step, sizeof list[*n].step);
    (*n)++;
}

static void list_peers(struct halo_peers *peers,
                       const struct halo_message *list, int n)
{
    for (int i = 0; i < n; i++) {
        int k = 0;

        while (k < peers->n && peers->rank[k] != list[i].peer)
            k++;
        peers->rank[k] = list[i].peer;
        peers->n += k == peers->n;
    }
}

void halo_messages_begin(struct halo *h)
{
    int step[LATTICE_SIDES][LATTICE_AXES];
    const int n = lattice_sides(h->grid.axes, h->faces, step);

    for (int i = 0; i < n; i++) {
        int back[LATTICE_AXES];

        opposite(step[i], back);
        add(h->out, &h->nout, lattice_neighbor(&h->grid, step[i]), i, step[i]);
        add(h->in, &h->nin, lattice_neighbor(&h->grid, back), i, back);
    }
    list_peers(&h->to, h->out, h->nout);
    list_peers(&h->from, h->in, h->nin);
}

/* Parts along the first axis on which the box is longer than a cell: each is then
   contiguous in the packed message. */
static void divide(struct halo_message *m)
{
    m->part_axis = 0;
    while (m->part_axis < LATTICE_AXES - 1 && m->box.length[m->part_axis] == 1)
        m->part_axis++;
    m->parts = MOST_PARTS;
    while (m->box.length[m->part_axis] % m->parts != 0)
        m->parts /= 2;
}

static MPI_Datatype type_of(const struct halo *h, const struct box *box)
{
    const int first = LATTICE_AXES - h->grid.axes;
    int entries[LATTICE_AXES];
    MPI_Datatype type;

    for (int i = 0; i < LATTICE_AXES; i++)
        entries[i] = lattice_entries(&h->shape, i);
    MPI_Type_create_subarray(h->grid.axes, entries + first, box->length + first,
                             box->at + first, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static double *place(const struct halo *h, struct halo_message *m,
                     struct box box, double *packed)
{
    m->box = box;
    m->type = type_of(h, &box);
    m->cells = (int)lattice_cells(&box);
    m->packed = packed;
    divide(m);
    return packed + m->cells;
}

/* One type for all messages of two ranks, so that no library must tell apart several
   neighbors that are the same rank (doc/known-issues.md). */
static void join_types(struct halo_peers *peers,
                       const struct halo_message *list, int n)
{
    for (int k = 0; k < peers->n; k++) {
        MPI_Datatype part[LATTICE_SIDES];
        MPI_Aint at[LATTICE_SIDES] = { 0 };
        int one[LATTICE_SIDES], parts = 0;

        for (int i = 0; i < n; i++)
            if (list[i].peer == peers->rank[k]) {
                one[parts] = 1;
                part[parts++] = list[i].type;
            }
        if (parts == 1)
            MPI_Type_dup(part[0], &peers->type[k]);
        else
            MPI_Type_create_struct(parts, one, at, part, &peers->type[k]);
        MPI_Type_commit(&peers->type[k]);
    }
}

void halo_types_end(struct halo *h)
{
    if (!h->typed)
        return;
    for (int i = 0; i < h->nout; i++) {
        MPI_Type_free(&h->out[i].type);
        MPI_Type_free(&h->out[i].there);
    }
    for (int i = 0; i < h->nin; i++)
        MPI_Type_free(&h->in[i].type);
    for (int k = 0; k < h->to.n; k++)
        MPI_Type_free(&h->to.type[k]);
    for (int k = 0; k < h->from.n; k++)
        MPI_Type_free(&h->from.type[k]);
    h->typed = false;
}

void halo_messages_row(struct halo *h)
{
    double *packed = h->packed.base;

    halo_types_end(h);
    h->typed = true;
    for (int i = 0; i < h->nout; i++) {
        struct halo_message *m = &h->out[i];
        int back[LATTICE_AXES];
        struct box there;

        packed = place(h, m, lattice_sent(&h->shape, m->step), packed);
        opposite(m->step, back);
        there = lattice_halo(&h->shape, back);
        m->there = type_of(h, &there);
    }
    for (int i = 0; i < h->nin; i++)
        packed =
            place(h, &h->in[i], lattice_halo(&h->shape, h->in[i].step), packed);
    join_types(&h->to, h->out, h->nout);
    join_types(&h->from, h->in, h->nin);
}

void halo_graph_begin(struct halo *h, MPI_Comm comm)
{
    MPI_Dist_graph_create_adjacent(comm, h->from.n, h->from.rank,
                                   MPI_UNWEIGHTED, h->to.n, h->to.rank,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &h->graph);
}

void halo_window_begin(struct halo *h, MPI_Comm comm, size_t bytes)
{
    MPI_Group all;

    MPI_Win_create(h->base, (MPI_Aint)bytes, 1, MPI_INFO_NULL, comm, &h->win);
    world_guard_window(h->win);
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, h->to.n, h->to.rank, &h->targets);
    MPI_Group_incl(all, h->from.n, h->from.rank, &h->origins);
    MPI_Group_free(&all);
}

void halo_window_end(struct halo *h)
{
    if (h->win == MPI_WIN_NULL)
        return;
    MPI_Group_free(&h->targets);
    MPI_Group_free(&h->origins);
    MPI_Win_free(&h->win);
}

/* --- What every cell holds ----------------------------------------------------- */

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

static double poison_of(const struct verify *v)
{
    double poison;

    memset(&poison, verify_poison(v), sizeof poison);
    return poison;
}

/* n entries of a row of the array, from that one on.  The number of a cell counts all
   cells of the grid, with the last axis fastest; in each iteration from another number on. */
static void expect(const struct verify *v, enum when when,
                   const int at[LATTICE_AXES], int n, double *to)
{
    const struct halo *h = halo_of(v->run);
    const double poison = poison_of(v);
    const double row =
        (global(h, 0, at[0]) * extent(h, 1) + global(h, 1, at[1])) *
            extent(h, 2) +
        v->run->checks;
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
    const size_t bytes = lattice_all_entries(&h->shape) * sizeof(double);
    struct mirror to_fill;
    int at[LATTICE_AXES] = { 0 }, n = 0;
    size_t done = 0;

    mirror_open(&to_fill, v->recv_kind, h->base, bytes);
    while ((n = next_entries(&h->shape, at, n)) > 0) {
        const size_t part = (size_t)n * sizeof(double);

        expect(v, BEFORE, at, n, mirror_write(&to_fill, done, part));
        done += part;
    }
    mirror_close(&to_fill);
    v->recv_kind->set((char *)h->base + bytes, verify_poison(v), BUFFER_GUARD);
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
            verify_note(v, first, true, lattice_number(h->grid.axes, step),
                        number + (size_t)i, ELEMENT_DOUBLE, &right[i], &got[i]);
    }
}

static void check(const struct verify *v, struct mismatch *first)
{
    const struct halo *h = halo_of(v->run);
    const size_t bytes = lattice_all_entries(&h->shape) * sizeof(double);
    struct mirror received;
    double right[CHUNK];
    int at[LATTICE_AXES] = { 0 }, n = 0;
    size_t done = 0;

    mirror_open(&received, v->recv_kind, h->base, bytes);
    while ((n = next_entries(&h->shape, at, n)) > 0) {
        const size_t part = (size_t)n * sizeof(double);
        const double *got = mirror_read(&received, done, part);

        expect(v, AFTER, at, n, right);
        if (memcmp(got, right, part) != 0)
            compare(v, at, n, done / sizeof(double), right, got, first);
        done += part;
    }
    mirror_close(&received);
    verify_check_untouched(v, (const char *)h->base + bytes, BUFFER_GUARD,
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
