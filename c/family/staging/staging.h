/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * staging.h - messages that the benchmark itself copies from the GPU to pinned host
 *             memory before they are sent, and back behind their reception.
 *
 * What an application does whose MPI does not take GPU memory.  A side in host
 * memory copies nothing, so that H D has one copy each way.  Copies are over when
 * they return.
 */
#ifndef STAGING_H
#define STAGING_H

#include "gpu/gpu.h"
#include "memory/memory.h"
#include "loop.h"

struct staging {
    bool copies; /* this rank's buffers are a GPU's */
    const struct gpu_runtime *gpu;
    struct buffer out,
        in;       /* pinned, of the sizes of the send and receive buffers */
    size_t chunk; /* bytes of a chunk; the last of a message may be less */
    MPI_Request *request; /* one for each chunk of a window */
};

/* For messages up to max_bytes; false: no memory. */
bool staging_begin(struct staging *s, const struct bench_run *r, size_t chunk,
                   size_t max_bytes, const struct buffer *send,
                   const struct buffer *recv);
void staging_end(struct staging *s);

/* A copy within a lap failed: ends the job. */
void staging_failed(void);

static inline void staging_copy(const struct staging *s, void *to,
                                const void *from, size_t n)
{
    if (!s->gpu->stage(to, from, n))
        staging_failed();
}

/* Message i of a window, in memory from which any MPI can send. */
static inline const void *staging_out(const struct bench_run *r, int i)
{
    const struct staging *s = r->staging;
    void *at = (char *)s->out.base + (size_t)i * r->send_stride;

    if (!s->copies)
        return bench_send_slot(r, i);
    staging_copy(s, at, bench_send_slot(r, i), r->bytes);
    return at;
}

/* Where message i is received, */
static inline void *staging_place(const struct bench_run *r, int i)
{
    return r->staging->copies
               ? (char *)r->staging->in.base + (size_t)i * r->recv_stride
               : bench_recv_slot(r, i);
}

/* and from where it gets to its buffer. */
static inline void staging_in(const struct bench_run *r, int i)
{
    if (r->staging->copies)
        staging_copy(r->staging, bench_recv_slot(r, i), staging_place(r, i),
                     r->bytes);
}

/* All messages of a window, in chunks.  Every copy out of the
   GPU's memory is begun at once, each chunk sent when its copy is over; */
void staging_send_chunks(struct bench_run *r);

/* every chunk is received at once, and its copy begun when it is there.  Returns
   when all are over. */
void staging_recv_chunks(struct bench_run *r);

#endif
