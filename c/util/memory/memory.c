/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <stdio.h>

#include "machine/cgroup.h"
#include "gpu/gpu.h"

const struct memory_kind *memory_kind_of(enum memory_place place)
{
    static const struct memory_kind *const kind[PLACE_COUNT] = {
        [PLACE_HOST] = &memory_host,
        [PLACE_HUGE] = &memory_huge,
        [PLACE_DEVICE] = &memory_device,
        [PLACE_PINNED] = &memory_pinned,
        [PLACE_MANAGED] = &memory_managed_host, /* OMB's M */
        [PLACE_MANAGED_DEVICE] = &memory_managed_device,
        [PLACE_MANAGED_HOST] = &memory_managed_host,
    };

    return place >= PLACE_DEVICE && gpu_runtime() == NULL ? &memory_host
                                                          : kind[place];
}

bool buffer_allocate(struct buffer *buffer, const struct memory_kind *kind,
                     size_t bytes, const struct memory_options *options)
{
    *buffer = (struct buffer){ .kind = kind, .bytes = bytes };
    if (bytes == 0)
        return true;
    buffer->base =
        kind->allocate(bytes, options, &buffer->block, &buffer->mapped);
    return buffer->base != NULL;
}

void buffer_release(struct buffer *buffer)
{
    if (buffer->block != NULL)
        buffer->kind->release(buffer->block, buffer->mapped);
    *buffer = (struct buffer){ .kind = buffer->kind };
}

size_t memory_available(void)
{
    const size_t group = cgroup_memory_left();
    FILE *file = fopen("/proc/meminfo", "r");
    size_t kilobytes = 0;
    char line[200];

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %zu", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    if (kilobytes == 0)
        return group;
    return kilobytes * 1024 < group ? kilobytes * 1024 : group;
}
