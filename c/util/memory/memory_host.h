/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_host.h - what the kinds of memory share that the processor can touch.
 *
 * Only the files of this room include it; the kinds themselves stand in memory.h.
 */
#ifndef MEMORY_HOST_H
#define MEMORY_HOST_H

#include <stddef.h>

/* Leave the bytes as they are, but write them. */
void memory_rewrite(void *memory, size_t n);

#endif
