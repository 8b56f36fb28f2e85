/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared_memory.h - host memory that another process of the node can map: in a file
 *                   without a name, which that process opens as /proc/PID/fd/FILE.
 */
#ifndef SHARED_MEMORY_H
#define SHARED_MEMORY_H

#include "memory/memory.h"

extern const struct memory_kind memory_shared;

/* By which the other process finds it. */
struct memory_share {
    long process;
    int file;
    unsigned long token; /* no other file is taken for it */
    size_t mapped, at;   /* all of it; where the buffer begins */
};

/* To be handed to the other process; of an empty buffer: nothing to map. */
struct memory_share memory_offer(const struct buffer *buffer);

/* The other process's buffer as this one sees it, for as long as either likes;
   its *block is for memory_forget.  NULL: there is none (*block is NULL too, and
   errno is 0), or it cannot be mapped. */
void *memory_map(const struct memory_share *share, void **block);
void memory_forget(const struct memory_share *share, void *block);

#endif
