/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory of the process alone: whole pages, touched before any use. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "job/progress.h"
#include "memory.h"
#include "memory_host.h"

enum { PART = 64 << 20, LINE = 64 };

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

void memory_touch(char *block, size_t bytes)
{
    memory_set(block, 0x5a, bytes);
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
        memory_touch(block, *mapped);
    return block;
}

static void release(const struct memory_kind *kind, void *block, size_t mapped)
{
    (void)kind;
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

/* Host memory that is in huge pages, all of it, by the kernel's own account. */

enum { USUAL_HUGE_PAGE = 2 << 20 };

/* Of reserved ones, and of transparent ones: 2 MiB, 16 MiB or 512 MiB, by the
   processor and the size of its pages. */
static size_t huge_page(bool reserved)
{
    const double kilobytes = proc_number("/proc", "meminfo", "Hugepagesize:");
    char folder[PATH_MAX];
    double bytes;

    snprintf(folder, sizeof folder, "%s/kernel/mm/transparent_hugepage",
             proc_sys());
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
    block = map_huge(bytes, mapped);
    if (block == NULL)
        return NULL;
    memory_touch(block, *mapped);
    if (is_huge(block))
        return block;
    munmap(block, *mapped);
    errno = ENOMEM;
    return NULL;
}

const struct memory_kind memory_host = {
    MEMORY_OF_HOST,       .name = "host",     .letter = "H",
    .allocate = allocate, .release = release,
};
const struct memory_kind memory_huge = {
    MEMORY_OF_HOST,
    .name = "huge pages",
    .letter = "HH",
    .lacks = "there are not so many huge pages, neither reserved nor given "
             "by the kernel when asked",
    .allocate = allocate_huge,
    .release = release,
};
