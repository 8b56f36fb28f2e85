/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#    include <sanitizer/asan_interface.h>
#endif

#include "base/proc_file.h"
#include "base/sizes.h"
#include "job/progress.h"

/* --- Host memory of the process alone: whole pages, touched before any use ------- */

enum { PART = 64 << 20, LINE = 64 };

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static void *map(size_t bytes, int flags)
{
    void *block =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

    return block == MAP_FAILED ? NULL : block;
}

static void *allocate_host(const struct memory_kind *kind, size_t bytes, size_t *mapped)
{
    void *block;

    *mapped = round_up(bytes, (size_t)sysconf(_SC_PAGESIZE));
    block = map(*mapped, 0);
    if (block != NULL)
        memory_set(block, MEMORY_TOUCHED, *mapped);
    return block;
}

static void release_host(const struct memory_kind *kind, void *block, size_t mapped)
{
    munmap(block, mapped);
}

/* Part by part, since a node may take longer over all than the watchdog waits. */
void memory_set(void *to, int value, size_t n)
{
    for (size_t done = 0; done < n; done += PART) {
        progress_moved();
        memset((char *)to + done, value, n - done < PART ? n - done : PART);
    }
}

void memory_rewrite(void *memory, size_t n)
{
    for (size_t i = 0; i < n; i += LINE) {
        volatile char *byte = (volatile char *)memory + i;

        *byte = *byte;
    }
}

/* In huge pages, all of it, by the kernel's own account. */

enum { USUAL_HUGE_PAGE = 2 << 20 };

/* Of reserved ones, and of transparent ones: 2 MiB, 16 MiB or 512 MiB, by the
   processor and the size of its pages. */
static size_t huge_page(bool reserved)
{
    const double kilobytes = proc_number("/proc", "meminfo", "Hugepagesize:");
    char folder[PATH_MAX];
    double bytes;

    snprintf(folder, sizeof folder, "%s/kernel/mm/transparent_hugepage", proc_sys());
    bytes = reserved ? NAN : proc_number(folder, "hpage_pmd_size", "");
    if (!(bytes > 0))
        bytes = 1024 * kilobytes;
    return bytes > 0 ? (size_t)bytes : USUAL_HUGE_PAGE;
}

/* Memory in reserved huge pages if there are so many, else in transparent ones
   as far as the kernel likes; *mapped: whole huge pages.  NULL: none left. */
static void *map_huge(size_t bytes, size_t *mapped)
{
    const size_t page = huge_page(false);
    char *block;
    size_t before;

    *mapped = round_up(bytes, huge_page(true));
    block = map(*mapped, MAP_HUGETLB);
    if (block != NULL)
        return block;
    *mapped = round_up(bytes, page);
    /* Transparent ones begin at multiples of their length, which older kernels
       do not choose by themselves. */
    block = map(*mapped + page, 0);
    if (block == NULL)
        return NULL;
    before = round_up((size_t)block, page) - (size_t)block;
    if (before > 0)
        munmap(block, before);
    if (before < page)
        munmap(block + before + *mapped, page - before);
    madvise(block + before, *mapped, MADV_HUGEPAGE);
    return block + before;
}

/* Is every page of the mapping in which the block lies a huge one?  Mappings side
   by side may be one to the kernel, but only if both are of this kind. */
static bool is_huge(const void *block)
{
    const unsigned long at = (unsigned long)block;
    unsigned long begin, end, kilobytes, size = 0, huge = 0;
    FILE *file = fopen("/proc/self/smaps", "r");
    bool here = false;
    char line[400];

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            here = begin <= at && at < end;
        else if (here && sscanf(line, "Size: %lu kB", &kilobytes) == 1)
            size = kilobytes;
        else if (here && (sscanf(line, "AnonHugePages: %lu kB", &kilobytes) == 1 ||
                          sscanf(line, "Private_Hugetlb: %lu kB", &kilobytes) == 1))
            huge += kilobytes;
    if (file != NULL)
        fclose(file);
    return size > 0 && huge == size;
}

static void *allocate_huge(const struct memory_kind *kind, size_t bytes, size_t *mapped)
{
    void *block;

    block = map_huge(bytes, mapped);
    if (block == NULL)
        return NULL;
    memory_set(block, MEMORY_TOUCHED, *mapped);
    if (is_huge(block))
        return block;
    munmap(block, *mapped);
    errno = ENOMEM;
    return NULL;
}

const struct memory_kind memory_host = {
    MEMORY_OF_HOST,          .name = "host", .letter = "H", .allocate = allocate_host,
    .release = release_host,
};
const struct memory_kind memory_huge = {
    MEMORY_OF_HOST,
    .name = "huge pages",
    .letter = "HH",
    .lacks = "there are not so many huge pages, neither reserved nor given "
             "by the kernel when asked",
    .allocate = allocate_huge,
    .release = release_host,
};

/* --- Buffers of a run ------------------------------------------------------------ */

const struct memory_kind *memory_kind_of(enum memory_type type)
{
    const struct gpu_runtime *gpu = gpu_runtime();

    if (type == MEMORY_HUGE)
        return &memory_huge;
    return type < MEMORY_PINNED || gpu == NULL ? &memory_host : gpu->kind[type];
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

bool buffer_allocate(struct buffer *buffer, const struct memory_kind *kind, size_t bytes)
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

void buffers_add(struct buffers *b, struct buffer *buffer, const struct memory_kind *kind,
                 size_t bytes)
{
    size_t *const beside = kind->on_gpu ? &b->beside.gpu : &b->beside.host;

    if (buffer == NULL) {
        *beside = size_sum(*beside, bytes);
        return;
    }
    b->own[b->n].buffer = buffer;
    b->own[b->n].kind = kind;
    b->own[b->n++].bytes = bytes;
}

/* --- A buffer as the processor sees it ------------------------------------------- */

void mirror_open(struct mirror *m, const struct memory_kind *kind, const void *base, size_t bytes)
{
    *m = (struct mirror){ .kind = kind, .base = (char *)base, .bytes = bytes };
}

static void copy(void *to, const void *from, size_t n)
{
    gpu_must(gpu_runtime()->copy(to, from, n), "a copy of GPU memory");
}

static void write_back(struct mirror *m)
{
    if (m->written && m->n > 0)
        copy(m->base + m->at, m->piece, m->n);
    m->n = 0;
}

/* Begin the piece at that byte. */
static void begin_piece(struct mirror *m, size_t at)
{
    write_back(m);
    m->at = at;
    if (m->piece == NULL)
        m->piece =
            world_room(m->bytes < MIRROR_MOST ? m->bytes : MIRROR_MOST, 1, "a copy of GPU memory");
}

static bool holds(const struct mirror *m, size_t at, size_t n, size_t have)
{
    return m->piece != NULL && at >= m->at && at - m->at + n <= have;
}

const void *mirror_read(struct mirror *m, size_t at, size_t n)
{
    progress_moved();
    if (!m->kind->gpu)
        return m->base + at;
    if (!holds(m, at, n, m->n)) {
        const size_t left = m->bytes - at;

        begin_piece(m, at);
        m->n = left < MIRROR_MOST ? left : MIRROR_MOST;
        copy(m->piece, m->base + at, m->n);
    }
    return m->piece + (at - m->at);
}

void *mirror_write(struct mirror *m, size_t at, size_t n)
{
    progress_moved();
    if (!m->kind->gpu)
        return m->base + at;
    if (!holds(m, at, n, MIRROR_MOST))
        begin_piece(m, at);
    m->written = true;
    m->n = at - m->at + n;
    return m->piece + (at - m->at);
}

void mirror_close(struct mirror *m)
{
    write_back(m);
    free(m->piece);
    m->piece = NULL;
}

/* --- The runtime library of a GPU: gpu.h ------------------------------------------ */

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
