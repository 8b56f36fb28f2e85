/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mirror.h - a buffer as the processor sees it, to fill and to check it.
 *
 * Host memory is read and written where it lies.  What a GPU's library gave out is copied
 * in large pieces, because each copy waits for the GPU: 16 KiB at a time moved 1 GB/s.
 */
#ifndef MIRROR_H
#define MIRROR_H

#include <stddef.h>

#include "memory.h"

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
void mirror_open(struct mirror *m, const struct memory_kind *kind,
                 const void *base, size_t bytes);

/* The n bytes from there on; valid until the next call. */
const void *mirror_read(struct mirror *m, size_t at, size_t n);

/* Where to write those bytes, all of them, before the next call.  Call by call they follow
   each other without a gap. */
void *mirror_write(struct mirror *m, size_t at, size_t n);

/* What was written is in the buffer. */
void mirror_close(struct mirror *m);

#endif
