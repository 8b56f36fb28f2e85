/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_host.h - what the kinds of memory share that the processor can touch; the
 *                 kinds themselves are declared in memory.h.
 */
#ifndef MEMORY_HOST_H
#define MEMORY_HOST_H

#include <stddef.h>

/* Write all of it, so that its pages are there.  Not zero: a page never written is
   the kernel's shared page of zeros. */
void memory_touch(char *block, size_t bytes);

/* Tell the watchdog meanwhile that something moves. */
void memory_set(void *to, int value, size_t n);

/* Leave the bytes as they are, but write them. */
void memory_rewrite(void *memory, size_t n);

/* Members of such a kind. */
#define MEMORY_OF_HOST .set = memory_set, .rewrite = memory_rewrite

#endif
