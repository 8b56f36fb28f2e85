/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_gpu.h - kinds of memory that a GPU's runtime library gives out.
 *
 * After each allocation the library is asked which kind the pointer is of.  A build
 * without such a library has host memory in their place (memory_kind_of).
 */
#ifndef MEMORY_GPU_H
#define MEMORY_GPU_H

struct memory_kind;

extern const struct memory_kind
    memory_device,         /* of a GPU, which the processor must not touch */
    memory_managed_device, /* one address for both, last used by the GPU, */
    memory_managed_host,   /* or by the processor */
    memory_pinned;         /* the host's, pinned by the library */

#endif
