/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu.h"

#include "config.h"

#include "base/messages.h"
#include "gpu_cuda.h"
#include "job/progress.h"
#include "job/world.h"

static struct gpu_facts taken; /* visible: 0, none is */
static const struct gpu_runtime *const built[] = {
#ifdef HAVE_CUDA
    &gpu_cuda,
#endif
#ifdef HAVE_HIP
    &gpu_hip,
#endif
    NULL
};
static const struct gpu_runtime *chosen;

const struct gpu_runtime *gpu_runtime(void)
{
    return chosen != NULL ? chosen : built[0];
}

void gpu_choose(enum device device)
{
    const bool named = device == DEVICE_CUDA || device == DEVICE_ROCM;

    for (int i = 0; built[i] != NULL; i++)
        if (named ? built[i]->device == device
                  : chosen == NULL && built[i]->count() > 0)
            chosen = built[i];
}

void gpu_taken(const struct gpu_facts *facts)
{
    taken = *facts;
}

void gpu_join(void)
{
    if (taken.visible > 0)
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
    message_print(E33_GPU_FAILED, progress.program, "%s: %s", what,
                  gpu_runtime()->error());
    world_abort(messages[E33_GPU_FAILED].code);
}
