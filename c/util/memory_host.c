/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory: whole pages of the owner's own, touched before any use. */
#include "memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "watchdog.h"

enum { HUGE_PAGE = 2 << 20, TOUCH_PART = 64 << 20 };

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static void *map(size_t bytes, int flags)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

    return block == MAP_FAILED ? NULL : block;
}

/* Reserved huge pages if there are any, else transparent ones. */
static void *map_huge(size_t bytes)
{
    void *block = map(bytes, MAP_HUGETLB);

    if (block == NULL) {
        block = map(bytes, 0);
        if (block != NULL)
            madvise(block, bytes, MADV_HUGEPAGE);
    }
    return block;
}

/* Not zero: a page never written is the kernel's shared page of zeros.  Part
   by part, since a node may take longer over all than the watchdog waits. */
static void touch(char *block, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += TOUCH_PART) {
        watchdog_moved();
        memset(block + done, 0x5a,
               bytes - done < TOUCH_PART ? bytes - done : TOUCH_PART);
    }
}

static void *allocate(size_t bytes, const struct memory_options *options,
                      void **block, size_t *mapped)
{
    const size_t unit =
        options->huge_pages ? HUGE_PAGE : (size_t)sysconf(_SC_PAGESIZE);

    *mapped = round_up(bytes + options->align_offset, unit);
    *block = options->huge_pages ? map_huge(*mapped) : map(*mapped, 0);
    if (*block == NULL)
        return NULL;
    touch(*block, *mapped);
    return (char *)*block + options->align_offset;
}

static void release(void *block, size_t mapped)
{
    munmap(block, mapped);
}

static void copy(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
}

static void set(void *to, int value, size_t n)
{
    memset(to, value, n);
}

const struct memory_kind memory_host = {
    .name = "host",
    .letter = "H",
    .allocate = allocate,
    .release = release,
    .copy_in = copy,
    .copy_out = copy,
    .set = set,
};
