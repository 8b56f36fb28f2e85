/* SPDX-License-Identifier: BSD-3-Clause */
/* What every kind of memory tells the watchdog, and huge pages of any size: the linker
   puts this file's functions before those of the kernel and of a GPU's library. */
#include "unit.h"

#include <sys/mman.h>

#include "data/memory.c"
#include "gpu/gpu.h"
#include "job/progress.h"

enum { MANY = 192 << 20, PIECE = 64 << 20, FEW = 16384 };

static int moves, copies;

void __wrap_progress_moved(void);
void __wrap_progress_moved(void)
{
    moves++;
}

static bool copied(void *to, const void *from, size_t n)
{
    memmove(to, from, n);
    copies++;
    return true;
}

static bool was_set(void *to, int value, size_t n)
{
    memset(to, value, n);
    return true;
}

static const struct gpu_runtime gpu = { .kind = gpu_memory, .copy = copied, .set = was_set };

/* Mapped, and not unmapped yet; and what is asked to be in huge pages. */
static size_t mapped, asked, ask_at;

void *__real_mmap(void *at, size_t n, int how, int flags, int fd, off_t from);
void *__wrap_mmap(void *at, size_t n, int how, int flags, int fd, off_t from);
void *__wrap_mmap(void *at, size_t n, int how, int flags, int fd, off_t from)
{
    if (flags & MAP_HUGETLB) /* none is reserved */
        return MAP_FAILED;
    mapped += n;
    return __real_mmap(at, n, how, flags, fd, from);
}

int __real_munmap(void *at, size_t n);
int __wrap_munmap(void *at, size_t n);
int __wrap_munmap(void *at, size_t n)
{
    mapped -= n;
    return __real_munmap(at, n);
}

int __wrap_madvise(void *at, size_t n, int what);
int __wrap_madvise(void *at, size_t n, int what)
{
    assert_int_equal(what, MADV_HUGEPAGE);
    asked = n;
    ask_at = (size_t)at;
    return 0; /* and the kernel gives none */
}

/* What is filled and checked in small parts lies where it belongs, the watchdog is told of
   each, and a GPU's memory is copied in few large pieces, the last one shorter. */
TEST(a_mirror_shows_every_kind)
{
    static const size_t bytes = 2 * (size_t)MIRROR_MOST + 3 * FEW + 8;
    unsigned char *memory = malloc(bytes + 1);
    struct mirror m;

    assert_non_null(memory);
    chosen = &gpu;
    for (int type = 0; type < MEMORY_TYPES; type++) {
        const struct memory_kind *kind = memory_kind_of(type);

        memset(memory, 0xee, bytes + 1);
        moves = copies = 0;
        mirror_open(&m, kind, memory, bytes);
        for (size_t at = 0; at < bytes; at += FEW) {
            const size_t n = bytes - at < FEW ? bytes - at : FEW;

            memset(mirror_write(&m, at, n), (int)(at / FEW % 251), n);
        }
        mirror_close(&m);
        assert_int_equal(copies, kind->gpu ? 3 : 0);
        for (size_t at = 0; at < bytes; at++)
            assert_int_equal(memory[at], at / FEW % 251);
        assert_int_equal(memory[bytes], 0xee);
        mirror_open(&m, kind, memory, bytes);
        for (size_t at = 0; at < bytes; at += FEW) {
            const size_t n = bytes - at < FEW ? bytes - at : FEW;

            assert_memory_equal(mirror_read(&m, at, n), memory + at, n);
        }
        mirror_close(&m);
        assert_int_equal(copies, kind->gpu ? 6 : 0);
        assert_int_equal(moves, 2 * ((bytes + FEW - 1) / FEW));
    }
    free(memory);
}

/* A large buffer is set in one call. */
TEST(every_kind_moves_the_watchdog)
{
    char *memory = malloc(MANY);

    assert_non_null(memory);
    chosen = &gpu;
    for (int type = 0; type < MEMORY_TYPES; type++) {
        const struct memory_kind *kind = memory_kind_of(type);
        const int wanted = kind->gpu ? 1 : MANY / PIECE;

        moves = 0;
        kind->set(memory, type, MANY);
        assert_true(moves >= wanted);
        assert_int_equal(memory[0], type);
        assert_int_equal(memory[MANY - 1], type);
    }
    free(memory);
}

/* With 64 KiB pages, as aarch64 and ppc64le have them, a huge one is not 2 MiB. */
TEST(huge_pages_are_as_large_as_the_kernel_says)
{
    static const size_t page = 16 << 20;
    char folder[] = "/tmp/alidade-memory-XXXXXX", path[200];
    size_t size;
    void *block;
    FILE *file;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "cd %s && mkdir -p kernel/mm/transparent_hugepage", folder);
    assert_int_equal(system(path), 0);
    snprintf(path, sizeof path, "%s/kernel/mm/transparent_hugepage/%s", folder, "hpage_pmd_size");
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%zu\n", page);
    fclose(file);
    setenv("ALIDADE_SYSFS", folder, 1);
    block = memory_huge.allocate(&memory_huge, 1, &size);
    unsetenv("ALIDADE_SYSFS");
    assert_int_equal(asked, page);
    assert_int_equal(ask_at % page, 0);
    if (block != NULL) /* the kernel gives huge pages to all */
        memory_huge.release(&memory_huge, block, size);
    assert_int_equal(mapped, 0);
    snprintf(path, sizeof path, "rm -r %s", folder);
    assert_int_equal(system(path), 0);
}
