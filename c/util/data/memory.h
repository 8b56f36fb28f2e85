/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.h - kinds of memory behind one table of operations.
 *
 * Host memory, in pages of the usual size or in huge ones, and what a GPU's runtime
 * library gives out.  Everything that reads or writes a buffer outside the timed loop
 * goes through a mirror or set, since the processor cannot touch every kind.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/messages.h"
#include "gpu.h"
#include "job/world.h"
#include "options/settings.h"

struct memory_kind {
    const char *name;   /* "host" */
    const char *letter; /* "H", in the header line and in JSON */
    const char *lacks;  /* what is missing where there is none of it */
    /* Memory of the calling rank, every page touched by it; NULL, and errno: none
       left.  *mapped is for release. */
    void *(*allocate)(const struct memory_kind *kind, size_t bytes, size_t *mapped);
    void (*release)(const struct memory_kind *kind, void *block, size_t mapped);
    void (*set)(void *to, int value, size_t n);
    /* Leave its bytes as they are, but write them, as an application does that
       works where this memory is. */
    void (*rewrite)(void *memory, size_t n);
    bool gpu;                 /* the GPU's runtime library gives it out, */
    enum gpu_memory gpu_kind; /* as this kind */
    bool on_gpu;              /* it takes the GPU's memory, not the node's */
    bool moves;               /* may lie elsewhere after a transfer: rewritten before each */
};

extern const struct memory_kind memory_host,
    memory_huge; /* the host's, all of it in huge pages, else none */

/* What kinds share that the processor can touch, here and in families.  Write all of it, and tell
   the watchdog meanwhile that something moves. */
void memory_set(void *to, int value, size_t n);

/* To be written when memory is allocated, so that its pages are there.  Not zero: a page never
   written is the kernel's shared page of zeros. */
enum { MEMORY_TOUCHED = 0x5a };

/* Leave the bytes as they are, but write them. */
void memory_rewrite(void *memory, size_t n);

/* Members of such a kind. */
#define MEMORY_OF_HOST .set = memory_set, .rewrite = memory_rewrite

/* The kind that serves that type: host memory for all of GPUs in a build without. */
const struct memory_kind *memory_kind_of(enum memory_type type);

/* Only the GPU can read and write it. */
static inline bool memory_is_far(const struct memory_kind *kind)
{
    return kind->gpu && kind->gpu_kind == GPU_DEVICE;
}

/* Memory that belongs to a run. */
struct buffer {
    const struct memory_kind *kind;
    void *base; /* where messages go; NULL if bytes is 0 */
    size_t bytes;
    size_t mapped; /* what release needs */
};

/* Memory that begins at a page boundary; bytes = 0 gives an empty buffer.  False: none is left. */
bool buffer_allocate(struct buffer *buffer, const struct memory_kind *kind, size_t bytes);
void buffer_release(struct buffer *buffer);

/* Bytes that a rank needs of its node's memory, and of its GPU's; those of them that MPI
   takes of /dev/shm, and what that has left; and what --mem-limit is compared with: all buffers
   or, with --protocol=omb, in collectives, one message, or one for each rank, as in OMB. */
struct memory_need {
    size_t host, gpu, shared;
    double room;
    size_t limited;
};

/* Memory for rows of at most so many bytes: the two buffers, whose bytes say what they
   will have, and what a family has beside them. */
struct buffers {
    const struct memory_kind *kind; /* of this rank */
    size_t bytes;                   /* of the largest row */
    int slots;                      /* of its window that have memory of their own */
    struct buffer send, recv;
    struct {
        struct buffer *buffer;
        const struct memory_kind *kind;
        size_t bytes;
    } own[4];
    int n;
    struct memory_need beside; /* what is no buffer */
};

/* A family has this buffer too; NULL: memory that is no buffer, and is only counted. */
void buffers_add(struct buffers *b, struct buffer *buffer, const struct memory_kind *kind,
                 size_t bytes);

/* --- A buffer as the processor sees it, to fill and to check it.  Host memory is read and
   written where it lies.  What a GPU's library gave out is copied in large pieces, because
   each copy waits for the GPU: 16 KiB at a time moved 1 GB/s ------------------------ */

/* Most bytes that may be read or written in one call. */
enum { MIRROR_MOST = 4 << 20 };

struct mirror {
    const struct memory_kind *kind;
    char *base;   /* of the buffer, */
    size_t bytes; /* and as many of it */
    char *piece;  /* copy of a part of it; NULL: none yet */
    size_t at, n; /* where that part begins, and its bytes */
    bool written; /* the copy is newer */
};

/* Look at so many bytes of memory of that kind.  Until mirror_close nothing else may write
   them, and a mirror is used to read or to write, not for both. */
void mirror_open(struct mirror *m, const struct memory_kind *kind, const void *base, size_t bytes);

/* The n bytes from there on; valid until the next call. */
const void *mirror_read(struct mirror *m, size_t at, size_t n);

/* Where to write those bytes, all of them, before the next call.  Call by call they follow
   each other without a gap. */
void *mirror_write(struct mirror *m, size_t at, size_t n);

/* What was written is in the buffer. */
void mirror_close(struct mirror *m);

#endif
