/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * staging.h - messages that the benchmark itself copies from the GPU to pinned host
 *             memory before they are sent, and back after they were received:
 *             staged_latency, staged_bw.
 *
 * What an application does whose MPI does not take GPU memory.  A side in host
 * memory copies nothing, so that H D has one copy each way.  Copies are over when
 * they return.  Of the three operations the first leaves all to MPI, and the last,
 * which cuts messages into chunks, has rows of sizes above --chunk only.
 */
#ifndef STAGING_H
#define STAGING_H

#include "family.h"
#include "gpu/gpu.h"
#include "loop.h"
#include "memory/memory.h"

struct staging {
    bool copies; /* this rank's buffers are a GPU's */
    const struct gpu_runtime *gpu;
    struct buffer out, in; /* pinned, of the sizes of the send and receive
                              buffers */
    size_t chunk; /* bytes of a chunk; the last of a message may be less */
    MPI_Request *request; /* one for each chunk of a window */
};

static inline struct staging *staging_of(const struct bench_run *r)
{
    return r->family;
}

/* End the job: a copy within an iteration failed. */
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
    const struct staging *s = staging_of(r);
    void *at = (char *)s->out.base + (size_t)i * r->send_stride;

    if (!s->copies)
        return bench_send_slot(r, i);
    staging_copy(s, at, bench_send_slot(r, i), r->bytes);
    return at;
}

/* Where message i is received, */
static inline void *staging_place(const struct bench_run *r, int i)
{
    const struct staging *s = staging_of(r);

    return s->copies ? (char *)s->in.base + (size_t)i * r->recv_stride
                     : bench_recv_slot(r, i);
}

/* and from where it gets to its buffer. */
static inline void staging_in(const struct bench_run *r, int i)
{
    const struct staging *s = staging_of(r);

    if (s->copies)
        staging_copy(s, bench_recv_slot(r, i), staging_place(r, i), r->bytes);
}

/* All messages of a window, in chunks.  Every copy out of the
   GPU's memory is begun at once, each chunk sent when its copy is over; */
void staging_send_chunks(struct bench_run *r);

/* every chunk is received at once, and its copy begun when it is there.  Returns
   when all are over. */
void staging_recv_chunks(struct bench_run *r);

extern const struct family staging_family;

#endif
