/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu.h"

#include "messages.h"
#include "watchdog.h"
#include "world.h"

void gpu_must(bool good, const char *what)
{
    if (good)
        return;
    message_print(E33_GPU_FAILED, watchdog_program(), "%s: %s", what,
                  gpu_runtime()->error());
    world_abort(messages[E33_GPU_FAILED].code);
}
