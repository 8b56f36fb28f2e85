/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

/* The number behind key in a file of "key: number kB" lines, or the only one
   in the file if key is empty; SIZE_MAX if there is none. */
static size_t number_in(const char *path, const char *key)
{
    FILE *file = fopen(path, "r");
    char line[200];
    size_t value = SIZE_MAX;

    if (file == NULL)
        return SIZE_MAX;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0 &&
            sscanf(line + strlen(key), "%zu", &value) == 1)
            break;
    fclose(file);
    return value;
}

size_t memory_available(void)
{
    const size_t available = number_in("/proc/meminfo", "MemAvailable:");
    const size_t limit = number_in("/sys/fs/cgroup/memory.max", "");
    const size_t used = number_in("/sys/fs/cgroup/memory.current", "");
    const size_t free_bytes =
        available < SIZE_MAX / 1024 ? available * 1024 : SIZE_MAX;

    if (limit == SIZE_MAX || used == SIZE_MAX)
        return free_bytes;
    if (limit <= used)
        return 0;
    return limit - used < free_bytes ? limit - used : free_bytes;
}
