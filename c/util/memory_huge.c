/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory that is in huge pages, all of it, by the kernel's own account. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>

#include "memory.h"

enum { HUGE_PAGE = 2 << 20 };

static void *map(size_t bytes, int flags)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

    return block == MAP_FAILED ? NULL : block;
}

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
    before = memory_round_up((size_t)block, HUGE_PAGE) - (size_t)block;
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

static void *allocate(size_t bytes, const struct memory_options *options,
                      void **block, size_t *mapped)
{
    *mapped = memory_round_up(bytes + options->align_offset, HUGE_PAGE);
    *block = map_huge(*mapped);
    if (*block == NULL)
        return NULL;
    memory_touch(*block, *mapped);
    if (is_huge(*block))
        return (char *)*block + options->align_offset;
    memory_unmap(*block, *mapped);
    *block = NULL;
    errno = ENOMEM;
    return NULL;
}

const struct memory_kind memory_huge = {
    .name = "huge pages",
    .letter = "HH",
    .lacks = "there are not so many huge pages, neither reserved nor given "
             "by the kernel when asked",
    .allocate = allocate,
    .release = memory_unmap,
    .copy_in = memory_copy,
    .copy_out = memory_copy,
    .set = memory_set,
    .rewrite = memory_rewrite,
};
