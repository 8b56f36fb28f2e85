/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory: whole pages, touched before any use; the owner's own, or in a file
   without a name that another process opens as /proc/PID/fd/FILE. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "job/watchdog.h"
#include "memory.h"
#include "memory_host.h"

enum { TOUCH_PART = 64 << 20, LINE = 64 };

/* On the page before shared memory. */
struct head {
    unsigned long token;
    int file;
};

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* Write all of it, so that its pages are there.  Not zero: a page never written is
   the kernel's shared page of zeros.  Part by part, since a node may take longer
   over all than the watchdog waits. */
static void touch(char *block, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += TOUCH_PART) {
        watchdog_moved();
        memset(block + done, 0x5a,
               bytes - done < TOUCH_PART ? bytes - done : TOUCH_PART);
    }
}

static void *map(size_t bytes, int flags)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

    return block == MAP_FAILED ? NULL : block;
}

static void *allocate(const struct memory_kind *kind, size_t bytes,
                      size_t *mapped)
{
    void *block;

    (void)kind;
    *mapped = round_up(bytes, (size_t)sysconf(_SC_PAGESIZE));
    block = map(*mapped, 0);
    if (block != NULL)
        touch(block, *mapped);
    return block;
}

static void release(const struct memory_kind *kind, void *block, size_t mapped)
{
    (void)kind;
    munmap(block, mapped);
}

/* A file of so many bytes in memory, mapped; NULL: refused. */
static void *map_file(size_t bytes, int *file)
{
    void *block = MAP_FAILED;

    *file = memfd_create("alidade", MFD_CLOEXEC);
    if (*file < 0)
        return NULL;
    if (ftruncate(*file, (off_t)bytes) == 0)
        block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
    if (block != MAP_FAILED)
        return block;
    close(*file);
    return NULL;
}

static void *allocate_shared(const struct memory_kind *kind, size_t bytes,
                             size_t *mapped)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct head head = { 0 };
    char *block;

    (void)kind;
    *mapped = page + round_up(bytes, page);
    block = map_file(*mapped, &head.file);
    if (block == NULL)
        return NULL;
    touch(block, *mapped);
    if (getrandom(&head.token, sizeof head.token, 0) < 0)
        head.token = (unsigned long)(size_t)block;
    memcpy(block, &head, sizeof head);
    return block + page;
}

static void *head_of(void *block)
{
    return (char *)block - sysconf(_SC_PAGESIZE);
}

static void release_shared(const struct memory_kind *kind, void *block,
                           size_t mapped)
{
    struct head head;

    (void)kind;
    memcpy(&head, head_of(block), sizeof head);
    munmap(head_of(block), mapped);
    close(head.file);
}

struct memory_share memory_offer(const struct buffer *buffer)
{
    struct head head;

    if (buffer->bytes == 0 || buffer->block == NULL)
        return (struct memory_share){ 0 };
    memcpy(&head, head_of(buffer->block), sizeof head);
    return (struct memory_share){
        .process = (long)getpid(),
        .file = head.file,
        .token = head.token,
        .mapped = buffer->mapped,
        .at = (size_t)((char *)buffer->base - (char *)head_of(buffer->block)),
    };
}

void *memory_map(const struct memory_share *share, void **block)
{
    char path[64];
    struct head head;
    int file;

    *block = NULL;
    errno = 0;
    if (share->mapped == 0)
        return NULL;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", share->process, share->file);
    file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return NULL;
    /* The number, in another PID namespace, may be another process's file. */
    if (pread(file, &head, sizeof head, 0) == (ssize_t)sizeof head &&
        head.token == share->token)
        *block = mmap(NULL, share->mapped, PROT_READ | PROT_WRITE, MAP_SHARED,
                      file, 0);
    else
        errno = ESRCH;
    if (*block == MAP_FAILED)
        *block = NULL;
    close(file);
    return *block != NULL ? (char *)*block + share->at : NULL;
}

void memory_forget(const struct memory_share *share, void *block)
{
    if (block != NULL)
        munmap(block, share->mapped);
}

static void copy(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
}

static void set(void *to, int value, size_t n)
{
    memset(to, value, n);
}

void memory_rewrite(void *memory, size_t n)
{
    for (size_t i = 0; i < n; i += LINE) {
        volatile char *byte = (volatile char *)memory + i;

        *byte = *byte;
    }
}

/* Host memory that is in huge pages, all of it, by the kernel's own account. */

enum { HUGE_PAGE = 2 << 20 };

/* Memory in reserved huge pages if there are so many, else in transparent ones
   as far as the kernel likes; bytes: whole huge pages.  NULL: none left. */
static void *map_huge(size_t bytes)
{
    char *block = map(bytes, MAP_HUGETLB);
    size_t before;

    if (block != NULL)
        return block;
    /* Transparent ones begin at multiples of their length, which older kernels
       do not choose by themselves. */
    block = map(bytes + HUGE_PAGE, 0);
    if (block == NULL)
        return NULL;
    before = round_up((size_t)block, HUGE_PAGE) - (size_t)block;
    if (before > 0)
        munmap(block, before);
    if (before < HUGE_PAGE)
        munmap(block + before + bytes, HUGE_PAGE - before);
    madvise(block + before, bytes, MADV_HUGEPAGE);
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
        else if (here &&
                 (sscanf(line, "AnonHugePages: %lu kB", &kilobytes) == 1 ||
                  sscanf(line, "Private_Hugetlb: %lu kB", &kilobytes) == 1))
            huge += kilobytes;
    if (file != NULL)
        fclose(file);
    return size > 0 && huge == size;
}

static void *allocate_huge(const struct memory_kind *kind, size_t bytes,
                           size_t *mapped)
{
    void *block;

    (void)kind;
    *mapped = round_up(bytes, HUGE_PAGE);
    block = map_huge(*mapped);
    if (block == NULL)
        return NULL;
    touch(block, *mapped);
    if (is_huge(block))
        return block;
    munmap(block, *mapped);
    errno = ENOMEM;
    return NULL;
}

#define HOST_MEMORY                                                            \
    .copy_in = copy, .copy_out = copy, .set = set, .rewrite = memory_rewrite

const struct memory_kind memory_host = {
    HOST_MEMORY,          .name = "host",     .letter = "H",
    .allocate = allocate, .release = release,
};
const struct memory_kind memory_shared = {
    HOST_MEMORY,
    .name = "shared",
    .letter = "H",
    .allocate = allocate_shared,
    .release = release_shared,
};
const struct memory_kind memory_huge = {
    HOST_MEMORY,
    .name = "huge pages",
    .letter = "HH",
    .lacks = "there are not so many huge pages, neither reserved nor given "
             "by the kernel when asked",
    .allocate = allocate_huge,
    .release = release,
};
