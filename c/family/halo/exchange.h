/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.h - the five ways of a halo exchange.  Each has a first half and a second
 *              half; a computation may stand between them (--compute).
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
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "halo.h"
#include "job/mpi_features.h"

/* Functions that are constants where they are called: each call becomes a plain loop. */
#define HALO_INLINE __attribute__((always_inline)) static inline

typedef void halo_half(struct bench_run *r);

/* All iterations of a batch, every rank synchronized before each. */
HALO_INLINE void halo_run(struct bench_run *r, halo_half *first,
                          halo_half *second)
{
    const struct overlap *o = overlap_of(r);

    if (!o->computing) {
        while (bench_next(r)) {
            bench_sync(r);
            bench_start(r);
            first(r);
            second(r);
            bench_stop(r);
        }
        return;
    }
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        first(r);
        const struct overlap_part part = overlap_part(o, NULL);
        second(r);
        bench_stop(r);
        overlap_note(r, r->iterations.mark, part);
    }
}

HALO_INLINE void halo_wait(struct bench_run *r)
{
    struct halo *h = halo_of(r);

    MPI_Waitall(h->nin + h->nout, h->request, MPI_STATUSES_IGNORE);
}

/* --- Subarrays ---------------------------------------------------------------- */

HALO_INLINE void halo_post(struct bench_run *r)
{
    struct halo *h = halo_of(r);
    MPI_Request *out = h->request + h->nin;

    for (int i = 0; i < h->nin; i++)
        MPI_Irecv(h->array.base, 1, h->in[i].type, h->in[i].peer, h->in[i].tag,
                  r->comm, &h->request[i]);
    for (int i = 0; i < h->nout; i++)
        MPI_Isend(h->array.base, 1, h->out[i].type, h->out[i].peer,
                  h->out[i].tag, r->comm, &out[i]);
}

/* --- Packed ---------------------------------------------------------------------- */

/* Where a run of contiguous cells of a box begins in the array. */
HALO_INLINE double *halo_cells(const struct halo *h, const struct box *box,
                               int i, int j)
{
    const size_t row = (size_t)lattice_entries(&h->shape, 2);
    const size_t plane = (size_t)lattice_entries(&h->shape, 1) * row;

    return (double *)h->array.base + (size_t)(box->at[0] + i) * plane +
           (size_t)(box->at[1] + j) * row + box->at[2];
}

HALO_INLINE double *halo_pack_box(const struct halo *h, const struct box *box,
                                  double *to)
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

static inline void halo_unpack(const struct halo *h,
                               const struct halo_message *m)
{
    const double *from = m->packed;

    for (int i = 0; i < m->box.length[0]; i++)
        for (int j = 0; j < m->box.length[1]; j++) {
            double *to = halo_cells(h, &m->box, i, j);

            for (int k = 0; k < m->box.length[2]; k++)
                to[k] = *from++;
        }
}

HALO_INLINE void halo_post_packed(struct bench_run *r)
{
    struct halo *h = halo_of(r);
    MPI_Request *out = h->request + h->nin;

    for (int i = 0; i < h->nin; i++)
        MPI_Irecv(h->in[i].packed, h->in[i].cells, MPI_DOUBLE, h->in[i].peer,
                  h->in[i].tag, r->comm, &h->request[i]);
    for (int i = 0; i < h->nout; i++) {
        halo_pack(h, &h->out[i]);
        MPI_Isend(h->out[i].packed, h->out[i].cells, MPI_DOUBLE, h->out[i].peer,
                  h->out[i].tag, r->comm, &out[i]);
    }
}

HALO_INLINE void halo_wait_and_unpack(struct bench_run *r)
{
    const struct halo *h = halo_of(r);

    halo_wait(r);
    for (int i = 0; i < h->nin; i++)
        halo_unpack(h, &h->in[i]);
}

/* --- Neighborhood collective ------------------------------------------------------ */

HALO_INLINE void halo_start_neighbor(struct bench_run *r)
{
    struct halo *h = halo_of(r);

    if (h->overlap.computing)
        MPI_Ineighbor_alltoallw(h->array.base, h->counts, h->displacements,
                                h->to.type, h->array.base, h->counts,
                                h->displacements, h->from.type, h->graph,
                                &h->request[0]);
}

HALO_INLINE void halo_end_neighbor(struct bench_run *r)
{
    struct halo *h = halo_of(r);

    if (h->overlap.computing)
        MPI_Wait(&h->request[0], MPI_STATUS_IGNORE);
    else
        MPI_Neighbor_alltoallw(h->array.base, h->counts, h->displacements,
                               h->to.type, h->array.base, h->counts,
                               h->displacements, h->from.type, h->graph);
}

/* --- Persistent and partitioned requests -------------------------------------------- */

HALO_INLINE void halo_start(struct bench_run *r)
{
    struct halo *h = halo_of(r);

    MPI_Startall(h->nin + h->nout, h->request);
}

HALO_INLINE void halo_persistent_begin(struct bench_run *r)
{
    struct halo *h = halo_of(r);
    MPI_Request *out = h->request + h->nin;

    for (int i = 0; i < h->nin; i++)
        MPI_Recv_init(h->array.base, 1, h->in[i].type, h->in[i].peer,
                      h->in[i].tag, r->comm, &h->request[i]);
    for (int i = 0; i < h->nout; i++)
        MPI_Send_init(h->array.base, 1, h->out[i].type, h->out[i].peer,
                      h->out[i].tag, r->comm, &out[i]);
}

HALO_INLINE void halo_partitioned_begin(struct bench_run *r)
{
    struct halo *h = halo_of(r);
    MPI_Request *out = h->request + h->nin;

    for (int i = 0; i < h->nin; i++)
        MPI_Precv_init(h->in[i].packed, h->in[i].parts,
                       h->in[i].cells / h->in[i].parts, MPI_DOUBLE,
                       h->in[i].peer, h->in[i].tag, r->comm, MPI_INFO_NULL,
                       &h->request[i]);
    for (int i = 0; i < h->nout; i++)
        MPI_Psend_init(h->out[i].packed, h->out[i].parts,
                       h->out[i].cells / h->out[i].parts, MPI_DOUBLE,
                       h->out[i].peer, h->out[i].tag, r->comm, MPI_INFO_NULL,
                       &out[i]);
}

HALO_INLINE void halo_requests_end(struct bench_run *r)
{
    struct halo *h = halo_of(r);

    for (int i = 0; i < h->nin + h->nout; i++)
        MPI_Request_free(&h->request[i]);
}

HALO_INLINE void halo_start_parts(struct bench_run *r)
{
    struct halo *h = halo_of(r);
    MPI_Request *out = h->request + h->nin;

    halo_start(r);
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
