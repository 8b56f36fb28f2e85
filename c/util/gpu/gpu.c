/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu.h"

#include "config.h"

#include "base/messages.h"
#include "gpu_cuda.h"
#include "job/watchdog.h"
#include "job/world.h"

static struct {
    bool any;
    int device;
    size_t cache;
} taken;

const struct gpu_runtime *gpu_runtime(void)
{
#ifdef HAVE_CUDA
    return &gpu_cuda;
#else
    return NULL;
#endif
}

void gpu_taken(const struct gpu_facts *facts)
{
    taken.any = true;
    taken.device = facts->device;
    taken.cache = facts->cache;
}

void gpu_join(void)
{
    if (taken.any)
        gpu_must(gpu_runtime()->use(taken.device), "the GPU of a thread");
}

size_t gpu_cache(void)
{
    return taken.cache;
}

void gpu_must(bool good, const char *what)
{
    if (good)
        return;
    message_print(E33_GPU_FAILED, watchdog_program(), "%s: %s", what,
                  gpu_runtime()->error());
    world_abort(messages[E33_GPU_FAILED].code);
}
