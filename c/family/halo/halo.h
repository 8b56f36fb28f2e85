/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo.h - a halo exchange on a grid of ranks: every rank owns a block of cells and
 *          gives the outer ones to the ranks around it (lattice.h), in five ways.
 *
 * Size     bytes of one layer of a face of the block, in doubles: 8 L for two axes,
 *          8 L^2 for three, where L is the number of cells along each edge.  Sizes of
 *          which no L is a solution have no row.  A message to a face has width times
 *          as many bytes.
 * Message  one for each side of the block: 4 faces and 4 corners, or 6 faces, 12 edges
 *          and 8 corners.  Two ranks may be neighbors on several sides, and a rank may
 *          be its own neighbor; the tag of a message is the number of its side.
 * Memory   the block with its halo, of the memory type of the run, and in host memory
 *          the messages of those ways that pack them.
 *
 * The state begins with that of the overlap family, whose computation it uses.
 */
#ifndef HALO_H
#define HALO_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "data/flow.h"
#include "data/memory.h"
#include "family.h"
#include "job/mpi_features.h"
#include "lattice.h"
#include "loop.h"
#include "overlap/overlap.h"
#include "report/report.h"

/* The operations of the program, in the order of its descriptor. */
enum exchange {
    EXCHANGE_SUBARRAY,
    EXCHANGE_PACKED,
    EXCHANGE_NEIGHBOR,
    EXCHANGE_PERSISTENT,
    EXCHANGE_PARTITIONED,
    EXCHANGES
};

/* What this rank sends to, or receives from, one side. */
struct halo_message {
    int peer, tag;
    int step[LATTICE_AXES]; /* the side */
    struct box box;         /* from here on: of the row */
    MPI_Datatype type;      /* the box in the array */
    int cells;
    double *packed; /* room for them */
    int parts;      /* of a partitioned message: of its first long axis */
    int part_axis;
};

/* Those to which this rank sends, or from which it receives: each once, although a rank
   can be the neighbor on several sides. */
struct halo_peers {
    int n, rank[LATTICE_SIDES];
    /* Of the row, as MPI_Neighbor_alltoallw wants it: the boxes of all messages between
       the two ranks, in the array. */
    MPI_Datatype type[LATTICE_SIDES];
};

struct halo {
    struct overlap overlap; /* first */
    struct lattice grid;
    bool faces;
    int width;
    int nout, nin;
    struct halo_message out[LATTICE_SIDES], in[LATTICE_SIDES];
    struct halo_peers to, from;
    bool typed; /* the row's types exist */
    int counts[LATTICE_SIDES];
    MPI_Aint displacements[LATTICE_SIDES];

    struct block shape;          /* of the row */
    struct buffer array, packed; /* the array may be in a GPU's memory */

    MPI_Request request[2 * LATTICE_SIDES]; /* of receives, then of sends */
    MPI_Comm graph;
};

FAMILY_OF(bench_run, struct halo, halo_of)

/*
 * What must be in every cell of a block and its halo (data/flow.h).  Every cell of the
 * whole grid has a number of its own.  Before an exchange the own cells of a rank hold
 * their numbers, and its halo holds poison.  After it every cell of the halo must hold
 * the number that follows from its place in the whole grid.  The own cells, the parts of
 * the halo that are not exchanged and the memory after the array must be unchanged.
 *
 * In a mismatch, block is the number of the side in the 9 or 27 blocks around the
 * own one (lattice_number), and element is the cell's index in the array.
 */
extern const struct flow flow_halo;

extern const struct family halo_family;

/* The time of an exchange, the rate at which a rank sends, and its share of the rate without
   computation. */
extern const struct report report_halo;

/* --- The ways of an exchange ------------------------------------------------------- */

/*
 * The five ways of a halo exchange.  Each has a first half and a second half; a computation may
 * stand between them (--compute).
 *
 *              first half                       second half
 *   subarray   irecv, isend of subarrays        waitall
 *   packed     irecv, pack and isend            waitall, unpack
 *   neighbor   with a computation:              wait
 *              ineighbor_alltoallw
 *              without: nothing                 neighbor_alltoallw
 *   persistent startall, subarrays              waitall
 *   partitioned  startall, pack and pready      waitall, unpack
 *              part by part
 *
 * Persistent and partitioned requests are created once for each batch of iterations,
 * untimed.  A partitioned message to a side has up to eight parts of equal size.
 */
/* Functions that are constants where they are called: each call becomes a plain loop. */
#define HALO_INLINE __attribute__((always_inline)) static inline

/* All iterations of a batch, every rank synchronized before each.  Requests are those of the
   state. */
HALO_INLINE void halo_run(struct bench_run *r, overlap_start *first, overlap_start *second)
{
    overlap_iterations(r, first, second, NULL);
}

HALO_INLINE void halo_wait(struct bench_run *r, MPI_Request *none)
{
    struct halo *h = halo_of(r);

    MPI_Waitall(h->nin + h->nout, h->request, MPI_STATUSES_IGNORE);
}

/* --- Subarrays ---------------------------------------------------------------- */

HALO_INLINE void halo_post(struct bench_run *r, MPI_Request *none)
{
    struct halo *h = halo_of(r);
    MPI_Request *out = h->request + h->nin;

    for (int i = 0; i < h->nin; i++)
        MPI_Irecv(h->array.base, 1, h->in[i].type, h->in[i].peer, h->in[i].tag, r->comm,
                  &h->request[i]);
    for (int i = 0; i < h->nout; i++)
        MPI_Isend(h->array.base, 1, h->out[i].type, h->out[i].peer, h->out[i].tag, r->comm,
                  &out[i]);
}

/* --- Packed ---------------------------------------------------------------------- */

/* Where a run of contiguous cells of a box begins in the array. */
HALO_INLINE double *halo_cells(const struct halo *h, const struct box *box, int i, int j)
{
    const size_t row = (size_t)lattice_entries(&h->shape, 2);
    const size_t plane = (size_t)lattice_entries(&h->shape, 1) * row;

    return (double *)h->array.base + (size_t)(box->at[0] + i) * plane +
           (size_t)(box->at[1] + j) * row + box->at[2];
}

HALO_INLINE double *halo_pack_box(const struct halo *h, const struct box *box, double *to)
{
    for (int i = 0; i < box->length[0]; i++)
        for (int j = 0; j < box->length[1]; j++) {
            const double *from = halo_cells(h, box, i, j);

            for (int k = 0; k < box->length[2]; k++)
                *to++ = from[k];
        }
    return to;
}

static inline void halo_pack(const struct halo *h, const struct halo_message *m)
{
    halo_pack_box(h, &m->box, m->packed);
}

static inline void halo_unpack(const struct halo *h, const struct halo_message *m)
{
    const double *from = m->packed;

    for (int i = 0; i < m->box.length[0]; i++)
        for (int j = 0; j < m->box.length[1]; j++) {
            double *to = halo_cells(h, &m->box, i, j);

            for (int k = 0; k < m->box.length[2]; k++)
                to[k] = *from++;
        }
}

HALO_INLINE void halo_post_packed(struct bench_run *r, MPI_Request *none)
{
    struct halo *h = halo_of(r);
    MPI_Request *out = h->request + h->nin;

    for (int i = 0; i < h->nin; i++)
        MPI_Irecv(h->in[i].packed, h->in[i].cells, MPI_DOUBLE, h->in[i].peer, h->in[i].tag, r->comm,
                  &h->request[i]);
    for (int i = 0; i < h->nout; i++) {
        halo_pack(h, &h->out[i]);
        MPI_Isend(h->out[i].packed, h->out[i].cells, MPI_DOUBLE, h->out[i].peer, h->out[i].tag,
                  r->comm, &out[i]);
    }
}

HALO_INLINE void halo_wait_and_unpack(struct bench_run *r, MPI_Request *none)
{
    const struct halo *h = halo_of(r);

    halo_wait(r, none);
    for (int i = 0; i < h->nin; i++)
        halo_unpack(h, &h->in[i]);
}

/* --- Neighborhood collective ------------------------------------------------------ */

HALO_INLINE void halo_start_neighbor(struct bench_run *r, MPI_Request *none)
{
    struct halo *h = halo_of(r);

    if (h->overlap.computing)
        MPI_Ineighbor_alltoallw(h->array.base, h->counts, h->displacements, h->to.type,
                                h->array.base, h->counts, h->displacements, h->from.type, h->graph,
                                &h->request[0]);
}

HALO_INLINE void halo_end_neighbor(struct bench_run *r, MPI_Request *none)
{
    struct halo *h = halo_of(r);

    if (h->overlap.computing)
        MPI_Wait(&h->request[0], MPI_STATUS_IGNORE);
    else
        MPI_Neighbor_alltoallw(h->array.base, h->counts, h->displacements, h->to.type,
                               h->array.base, h->counts, h->displacements, h->from.type, h->graph);
}

/* --- Persistent and partitioned requests -------------------------------------------- */

HALO_INLINE void halo_start(struct bench_run *r, MPI_Request *none)
{
    struct halo *h = halo_of(r);

    MPI_Startall(h->nin + h->nout, h->request);
}

HALO_INLINE void halo_persistent_begin(struct bench_run *r)
{
    struct halo *h = halo_of(r);
    MPI_Request *out = h->request + h->nin;

    for (int i = 0; i < h->nin; i++)
        MPI_Recv_init(h->array.base, 1, h->in[i].type, h->in[i].peer, h->in[i].tag, r->comm,
                      &h->request[i]);
    for (int i = 0; i < h->nout; i++)
        MPI_Send_init(h->array.base, 1, h->out[i].type, h->out[i].peer, h->out[i].tag, r->comm,
                      &out[i]);
}

HALO_INLINE void halo_partitioned_begin(struct bench_run *r)
{
    struct halo *h = halo_of(r);
    MPI_Request *out = h->request + h->nin;

    for (int i = 0; i < h->nin; i++)
        MPI_Precv_init(h->in[i].packed, h->in[i].parts, h->in[i].cells / h->in[i].parts, MPI_DOUBLE,
                       h->in[i].peer, h->in[i].tag, r->comm, MPI_INFO_NULL, &h->request[i]);
    for (int i = 0; i < h->nout; i++)
        MPI_Psend_init(h->out[i].packed, h->out[i].parts, h->out[i].cells / h->out[i].parts,
                       MPI_DOUBLE, h->out[i].peer, h->out[i].tag, r->comm, MPI_INFO_NULL, &out[i]);
}

HALO_INLINE void halo_requests_end(struct bench_run *r)
{
    struct halo *h = halo_of(r);

    for (int i = 0; i < h->nin + h->nout; i++)
        MPI_Request_free(&h->request[i]);
}

HALO_INLINE void halo_start_parts(struct bench_run *r, MPI_Request *none)
{
    struct halo *h = halo_of(r);
    MPI_Request *out = h->request + h->nin;

    halo_start(r, none);
    for (int i = 0; i < h->nout; i++) {
        const struct halo_message *m = &h->out[i];
        struct box part = m->box;
        double *to = m->packed;

        part.length[m->part_axis] /= m->parts;
        for (int p = 0; p < m->parts; p++) {
            to = halo_pack_box(h, &part, to);
            part.at[m->part_axis] += part.length[m->part_axis];
            MPI_Pready(p, out[i]);
        }
    }
}

#endif
