/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "gpu/gpu.h"
#include "job/watchdog.h"
#include "memory.h"
#include "memory_host.h"

static void copy(void *to, const void *from, size_t n)
{
    gpu_must(gpu_runtime()->copy(to, from, n), "a copy of GPU memory");
}

static void set(void *to, int value, size_t n)
{
    gpu_must(gpu_runtime()->set(to, value, n), "setting GPU memory");
}

static void to_device(void *memory, size_t n)
{
    gpu_must(gpu_runtime()->touch(memory, n),
             "a kernel that touches managed memory");
}

static void *allocate(const struct memory_kind *kind, size_t bytes,
                      size_t *mapped)
{
    const struct gpu_runtime *gpu = gpu_runtime();
    void *block = gpu->allocate(kind->gpu_kind, bytes);

    (void)mapped;
    if (block == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    if (!gpu->is(kind->gpu_kind, block)) {
        gpu->release(kind->gpu_kind, block);
        errno = EFAULT;
        return NULL;
    }
    watchdog_moved();
    set(block, 0x5a, bytes);
    return block;
}

static void release(const struct memory_kind *kind, void *block, size_t mapped)
{
    (void)mapped;
    gpu_runtime()->release(kind->gpu_kind, block);
}

#define GPU_MEMORY                                                             \
    .lacks = "the GPU's runtime library gave no memory of this kind, or not "  \
             "so much",                                                        \
    .gpu = true, .allocate = allocate, .release = release, .copy_in = copy,    \
    .copy_out = copy, .set = set

const struct memory_kind memory_device = {
    GPU_MEMORY,     .name = "device",     .letter = "D", .gpu_kind = GPU_DEVICE,
    .on_gpu = true, .rewrite = to_device,
};
const struct memory_kind memory_managed_device = {
    GPU_MEMORY,           .name = "managed, on the device",
    .letter = "MD",       .gpu_kind = GPU_MANAGED,
    .on_gpu = true,       .moves = true,
    .rewrite = to_device,
};
const struct memory_kind memory_managed_host = {
    GPU_MEMORY,     .name = "managed, on the host",
    .letter = "MH", .gpu_kind = GPU_MANAGED,
    .moves = true,  .rewrite = memory_rewrite,
};
const struct memory_kind memory_pinned = {
    GPU_MEMORY,
    .name = "pinned host",
    .letter = "HP",
    .gpu_kind = GPU_PINNED,
    .rewrite = memory_rewrite,
};
