/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu_memory.h"

#include <errno.h>

#include "job/progress.h"

static void set_gpu(void *to, int value, size_t n)
{
    progress_moved();
    gpu_must(gpu_runtime()->set(to, value, n), "setting GPU memory");
}

static void to_device(void *memory, size_t n)
{
    gpu_must(gpu_runtime()->touch(memory, n),
             "a kernel that touches managed memory");
}

static void *allocate_gpu(const struct memory_kind *kind, size_t bytes,
                          size_t *mapped)
{
    const struct gpu_runtime *gpu = gpu_runtime();
    void *block = gpu->allocate(kind->gpu_kind, bytes);

    if (block == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    if (!gpu->is(kind->gpu_kind, block)) {
        gpu->release(kind->gpu_kind, block);
        errno = EFAULT;
        return NULL;
    }
    set_gpu(block, 0x5a, bytes);
    return block;
}

static void release_gpu(const struct memory_kind *kind, void *block,
                        size_t mapped)
{
    gpu_runtime()->release(kind->gpu_kind, block);
}

#define GPU_MEMORY                                                             \
    .lacks = "the GPU's runtime library gave no memory of this kind, or not "  \
             "so much",                                                        \
    .gpu = true, .allocate = allocate_gpu, .release = release_gpu,             \
    .set = set_gpu

static const struct memory_kind device = {
    GPU_MEMORY,     .name = "device",     .letter = "D", .gpu_kind = GPU_DEVICE,
    .on_gpu = true, .rewrite = to_device,
};
static const struct memory_kind fine = {
    GPU_MEMORY,     .name = "fine-grained device",
    .letter = "F",  .gpu_kind = GPU_FINE,
    .on_gpu = true, .rewrite = to_device,
};
static const struct memory_kind managed_device = {
    GPU_MEMORY,           .name = "managed, on the device",
    .letter = "MD",       .gpu_kind = GPU_MANAGED,
    .on_gpu = true,       .moves = true,
    .rewrite = to_device,
};
static const struct memory_kind managed_host = {
    GPU_MEMORY,     .name = "managed, on the host",
    .letter = "MH", .gpu_kind = GPU_MANAGED,
    .moves = true,  .rewrite = memory_rewrite,
};
static const struct memory_kind pinned = {
    GPU_MEMORY,
    .name = "pinned host",
    .letter = "HP",
    .gpu_kind = GPU_PINNED,
    .rewrite = memory_rewrite,
};

const struct memory_kind *const gpu_memory[MEMORY_TYPES] = {
    [MEMORY_DEVICE] = &device,
    [MEMORY_FINE] = &fine,
    [MEMORY_PINNED] = &pinned,
    [MEMORY_MANAGED] = &managed_host, /* OMB's M */
    [MEMORY_MANAGED_DEVICE] = &managed_device,
    [MEMORY_MANAGED_HOST] = &managed_host,
};
