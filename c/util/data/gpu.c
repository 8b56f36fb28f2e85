/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu.h"

#include "base/messages.h"
#include "job/progress.h"
#include "job/world.h"

struct gpu_use this_gpu;
static const struct gpu_runtime *chosen;

const struct gpu_runtime *gpu_runtime(void)
{
    return chosen != NULL ? chosen : gpu_runtimes[0];
}

void gpu_choose(enum device device)
{
    const bool named = device == DEVICE_CUDA || device == DEVICE_ROCM;

    for (int i = 0; gpu_runtimes[i] != NULL; i++)
        if (named ? gpu_runtimes[i]->device == device
                  : chosen == NULL && gpu_runtimes[i]->count() > 0)
            chosen = gpu_runtimes[i];
}

void gpu_join(void)
{
    if (this_gpu.facts.visible > 0)
        gpu_must(gpu_runtime()->use(this_gpu.facts.device), "the GPU of a thread");
}

void gpu_must(bool good, const char *what)
{
    if (good)
        return;
    message_print(E33_GPU_FAILED, "%s: %s", what, gpu_runtime()->error());
    world_abort(messages[E33_GPU_FAILED].code);
}
