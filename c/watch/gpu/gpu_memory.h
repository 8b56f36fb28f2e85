/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu_memory.h - kinds of memory that a GPU's runtime library gives out, and which is asked
 *                afterwards what kind the pointer is of.
 */
#ifndef GPU_MEMORY_H
#define GPU_MEMORY_H

#include "memory/memory.h"

extern const struct memory_kind *const gpu_memory[MEMORY_TYPES];

#endif
