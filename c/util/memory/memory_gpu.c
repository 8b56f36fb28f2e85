/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory_gpu.h"

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

static void to_host(void *memory, size_t n)
{
    memory_rewrite(memory, n);
}

static void *take(enum gpu_memory kind, size_t bytes,
                  const struct memory_options *options, void **block,
                  size_t *mapped)
{
    const struct gpu_runtime *gpu = gpu_runtime();

    *mapped = 0; /* nothing that munmap could give back */
    *block = gpu->allocate(kind, bytes + options->align_offset);
    if (*block == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    if (!gpu->is(kind, *block)) {
        gpu->release(kind, *block);
        *block = NULL;
        errno = EFAULT;
        return NULL;
    }
    watchdog_moved();
    gpu_must(gpu->set(*block, 0x5a, bytes + options->align_offset),
             "setting GPU memory");
    return (char *)*block + options->align_offset;
}

static void *take_device(size_t bytes, const struct memory_options *options,
                         void **block, size_t *mapped)
{
    return take(GPU_DEVICE, bytes, options, block, mapped);
}

static void *take_managed(size_t bytes, const struct memory_options *options,
                          void **block, size_t *mapped)
{
    return take(GPU_MANAGED, bytes, options, block, mapped);
}

static void *take_pinned(size_t bytes, const struct memory_options *options,
                         void **block, size_t *mapped)
{
    return take(GPU_PINNED, bytes, options, block, mapped);
}

static void give_device(void *block, size_t mapped)
{
    (void)mapped;
    gpu_runtime()->release(GPU_DEVICE, block);
}

static void give_pinned(void *block, size_t mapped)
{
    (void)mapped;
    gpu_runtime()->release(GPU_PINNED, block);
}

static const char lacks[] =
    "the GPU's runtime library gave no memory of this kind, or not so much";

const struct memory_kind memory_device = {
    .name = "device",
    .letter = "D",
    .lacks = lacks,
    .gpu = true,
    .on_gpu = true,
    .rewrite = to_device,
    .allocate = take_device,
    .release = give_device,
    .copy_in = copy,
    .copy_out = copy,
    .set = set,
};
const struct memory_kind memory_managed_device = {
    .name = "managed, on the device",
    .letter = "MD",
    .lacks = lacks,
    .gpu = true,
    .on_gpu = true,
    .moves = true,
    .rewrite = to_device,
    .allocate = take_managed,
    .release = give_device,
    .copy_in = copy,
    .copy_out = copy,
    .set = set,
};
const struct memory_kind memory_managed_host = {
    .name = "managed, on the host",
    .letter = "MH",
    .lacks = lacks,
    .gpu = true,
    .moves = true,
    .rewrite = to_host,
    .allocate = take_managed,
    .release = give_device,
    .copy_in = copy,
    .copy_out = copy,
    .set = set,
};
const struct memory_kind memory_pinned = {
    .name = "pinned host",
    .letter = "HP",
    .lacks = lacks,
    .gpu = true,
    .rewrite = to_host,
    .allocate = take_pinned,
    .release = give_pinned,
    .copy_in = copy,
    .copy_out = copy,
    .set = set,
};
