/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <errno.h>
#include <string.h>
#ifdef __SANITIZE_ADDRESS__
#    include <sanitizer/asan_interface.h>
#endif

#include "base/sizes.h"
#include "job/progress.h"
#include "memory_host.h"

const struct memory_kind *memory_kind_of(enum memory_place place)
{
    static const struct memory_kind *const kind[PLACE_COUNT] = {
        [PLACE_HOST] = &memory_host,
        [PLACE_HUGE] = &memory_huge,
        [PLACE_DEVICE] = &memory_device,
        [PLACE_FINE] = &memory_fine,
        [PLACE_PINNED] = &memory_pinned,
        [PLACE_MANAGED] = &memory_managed_host, /* OMB's M */
        [PLACE_MANAGED_DEVICE] = &memory_managed_device,
        [PLACE_MANAGED_HOST] = &memory_managed_host,
    };

    return place >= PLACE_PINNED && gpu_runtime() == NULL ? &memory_host
                                                          : kind[place];
}

/* Beyond a buffer is nobody's memory.  A build with the address sanitizer has some there that
   reports its use. */
#ifdef __SANITIZE_ADDRESS__
enum { BEYOND = 4096 };
#    define fence   ASAN_POISON_MEMORY_REGION
#    define unfence ASAN_UNPOISON_MEMORY_REGION
#else
enum { BEYOND = 0 };
#    define fence(memory, bytes)
#    define unfence(memory, bytes)
#endif

bool buffer_allocate(struct buffer *buffer, const struct memory_kind *kind,
                     size_t bytes)
{
    *buffer = (struct buffer){ .kind = kind, .bytes = bytes };
    if (bytes == 0)
        return true;
    buffer->base = kind->allocate(kind, bytes + BEYOND, &buffer->mapped);
    if (buffer->base == NULL)
        return false;
    fence((char *)buffer->base + bytes, BEYOND);
    return true;
}

void buffer_release(struct buffer *buffer)
{
    if (buffer->base != NULL) {
        unfence((char *)buffer->base + buffer->bytes, BEYOND);
        buffer->kind->release(buffer->kind, buffer->base, buffer->mapped);
    }
    *buffer = (struct buffer){ .kind = buffer->kind };
}

static void add(struct memory_need *need, const struct memory_kind *kind,
                size_t bytes)
{
    size_t *sum = kind->on_gpu ? &need->gpu : &need->host;

    *sum = size_sum(*sum, bytes);
}

void buffers_add(struct buffers *b, struct buffer *buffer,
                 const struct memory_kind *kind, size_t bytes)
{
    if (buffer == NULL) {
        add(&b->beside, kind, bytes);
        return;
    }
    b->own[b->n].buffer = buffer;
    b->own[b->n].kind = kind;
    b->own[b->n++].bytes = bytes;
}

struct memory_need buffers_need(const struct buffers *b)
{
    struct memory_need need = b->beside;

    add(&need, b->kind, size_sum(b->send.bytes, b->recv.bytes));
    for (int i = 0; i < b->n; i++)
        add(&need, b->own[i].kind, b->own[i].bytes);
    return need;
}

enum exit_code buffers_allocate(struct buffers *b,
                                const struct memory_kind *send,
                                const struct world *world, const char *program)
{
    const struct memory_kind *kind = b->kind;
    bool good;

    errno = 0;
    good = buffer_allocate(&b->send, send, b->send.bytes) &&
           buffer_allocate(&b->recv, kind, b->recv.bytes);
    for (int i = 0; good && i < b->n; i++) {
        kind = b->own[i].kind;
        good = buffer_allocate(b->own[i].buffer, kind, b->own[i].bytes);
    }
    if (kind == &memory_host)
        return world_refuse_first(world, !good, E20_OUT_OF_MEMORY, program,
                                  "memory for buffers could not be allocated");
    return world_refuse_first(world, !good, E32_NO_SUCH_MEMORY, program,
                              "%s: %s: %s", kind->letter, kind->lacks,
                              strerror(errno));
}

void buffers_release(struct buffers *b)
{
    buffer_release(&b->send);
    buffer_release(&b->recv);
    for (int i = 0; i < b->n; i++)
        buffer_release(b->own[i].buffer);
    b->n = 0;
}

/* --- Memory that a GPU's runtime library gives out ------------------------- */

static void set(void *to, int value, size_t n)
{
    progress_moved();
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
    .gpu = true, .allocate = allocate, .release = release, .set = set

const struct memory_kind memory_device = {
    GPU_MEMORY,     .name = "device",     .letter = "D", .gpu_kind = GPU_DEVICE,
    .on_gpu = true, .rewrite = to_device,
};
const struct memory_kind memory_fine = {
    GPU_MEMORY,     .name = "fine-grained device",
    .letter = "F",  .gpu_kind = GPU_FINE,
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
