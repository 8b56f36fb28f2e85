/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_host.h - what kinds of memory share that the processor can touch.
 *
 * Only the files of this room include it; the kinds themselves stand in memory.h.
 */
#ifndef MEMORY_HOST_H
#define MEMORY_HOST_H

#include <stddef.h>

size_t memory_round_up(size_t bytes, size_t unit);

/* Write all of it, so that its pages are there; tells the watchdog of it. */
void memory_touch(char *block, size_t bytes);

void memory_unmap(void *block, size_t mapped);
void memory_copy(void *to, const void *from, size_t n);
void memory_set(void *to, int value, size_t n);
void memory_rewrite(void *memory, size_t n);

#endif
