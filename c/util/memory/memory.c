/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <string.h>

#include "base/buffer_size.h"

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
                     size_t bytes, size_t align_offset)
{
    *buffer = (struct buffer){ .kind = kind, .bytes = bytes };
    if (bytes == 0)
        return true;
    buffer->block = kind->allocate(kind, bytes + align_offset, &buffer->mapped);
    if (buffer->block != NULL)
        buffer->base = (char *)buffer->block + align_offset;
    return buffer->base != NULL;
}

void buffer_release(struct buffer *buffer)
{
    if (buffer->block != NULL)
        buffer->kind->release(buffer->kind, buffer->block, buffer->mapped);
    *buffer = (struct buffer){ .kind = buffer->kind };
}

void memory_need_add(struct memory_need *need, const struct memory_kind *kind,
                     size_t bytes)
{
    size_t *sum = kind->on_gpu ? &need->gpu : &need->host;

    *sum = size_sum(*sum, bytes);
}

enum exit_code buffer_agree(const struct world *world, const char *program,
                            const struct memory_kind *kind, bool good,
                            int error)
{
    const enum message_id id =
        kind == &memory_host ? E20_OUT_OF_MEMORY : E32_NO_SUCH_MEMORY;
    const int speaker = world_first(world, !good);
    int code = messages[id].code;

    if (speaker == world->size)
        return EXIT_OK;
    MPI_Bcast(&code, 1, MPI_INT, speaker, world->comm);
    if (speaker == world->rank && id == E20_OUT_OF_MEMORY)
        message_print(id, program,
                      "memory for buffers could not be allocated (rank=%d;)",
                      speaker);
    else if (speaker == world->rank)
        message_print(id, program, "%s: %s: %s (rank=%d;)", kind->letter,
                      kind->lacks, strerror(error), speaker);
    return (enum exit_code)code;
}
