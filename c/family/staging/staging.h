/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * staging.h - messages that the benchmark itself copies from the GPU to pinned host
 *             memory before they are sent, and back after they were received:
 *             staged_latency, staged_bw.
 *
 * An application does the same if its MPI library does not accept GPU memory.  A
 * rank with host memory copies nothing, so that H D has one copy in each direction.
 * A copy is complete when its function returns.  The first of the three operations
 * leaves everything to MPI.  The last one cuts messages into chunks, and has rows
 * for sizes above --chunk only.
 */
#ifndef STAGING_H
#define STAGING_H

#include <stdio.h>

#include "data/gpu.h"
#include "data/memory.h"
#include "family.h"
#include "loop.h"
#include "record/fields.h"
#include "report/result.h"

/*
 * From which size on direct transfers are faster or slower than
 * staged copies.
 *
 * This is for programs with staged messages.  A size decides if the medians of
 * the two differ by more than the half-widths of their 95% intervals together;
 * other sizes keep the result of the size before.  The number of changes is
 * reported too.
 */

struct crossover {
    size_t bytes; /* size of the last change; 0: there is none */
    int changes;  /* number of changes from one size to the next */
    bool direct;  /* direct is faster from there on */
    int decided;  /* number of sizes that decide; 0: neither is faster */
    size_t until; /* the other is faster up to here; none is in between */
};

/* Compare operation 0 with the best of the others, at every measured size.
   false: there is no such size. */
bool crossover_find(const struct rows *rows, struct crossover *c);

/* Print it as a line that begins with #. */
void crossover_print(FILE *to, const struct crossover *c);

struct staging {
    bool copies; /* this rank's buffers are on a GPU */
    const struct gpu_runtime *gpu;
    struct buffer out, in; /* pinned, of the sizes of the send and receive
                              buffers */
    size_t chunk;          /* bytes of a chunk; the last of a message may be less */
    MPI_Request *request;  /* one for each chunk of a window */
};

FAMILY_OF(bench_run, struct staging, staging_of)

/* End the job: a copy within an iteration failed. */
void staging_failed(void);

static inline void staging_copy(const struct staging *s, void *to, const void *from, size_t n)
{
    if (!s->gpu->stage(to, from, n))
        staging_failed();
}

/* Copy message i of a window to memory from which any MPI can send; returns
   it. */
static inline const void *staging_out(const struct bench_run *r, int i)
{
    const struct staging *s = staging_of(r);
    void *at = (char *)s->out.base + bench_slot(r, i) * r->send_stride;

    if (!s->copies)
        return bench_send_slot(r, i);
    staging_copy(s, at, bench_send_slot(r, i), r->bytes);
    return at;
}

/* The memory into which message i is received. */
static inline void *staging_place(const struct bench_run *r, int i)
{
    const struct staging *s = staging_of(r);

    return s->copies ? (char *)s->in.base + bench_slot(r, i) * r->recv_stride
                     : bench_recv_slot(r, i);
}

/* Copy message i from that memory to its buffer. */
static inline void staging_in(const struct bench_run *r, int i)
{
    const struct staging *s = staging_of(r);

    if (s->copies)
        staging_copy(s, bench_recv_slot(r, i), staging_place(r, i), r->bytes);
}

/* Send all messages of a window in chunks.  All copies out of GPU memory are
   begun at once, and each chunk is sent when its copy is complete. */
void staging_send_chunks(struct bench_run *r);

/* Receive all messages of a window in chunks.  All receives are posted at once,
   and the copy of a chunk is begun when it has arrived.  Returns when all are
   complete. */
void staging_recv_chunks(struct bench_run *r);

extern const struct family staging_family;

#endif
