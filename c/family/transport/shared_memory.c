/* SPDX-License-Identifier: BSD-3-Clause */
#include "shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "memory/memory_host.h"

/* On the page before the memory. */
struct head {
    unsigned long token;
    int file;
};

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

static void *allocate(const struct memory_kind *kind, size_t bytes,
                      size_t *mapped)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct head head = { 0 };
    char *block;

    (void)kind;
    *mapped = page + (bytes + page - 1) / page * page;
    block = map_file(*mapped, &head.file);
    if (block == NULL)
        return NULL;
    memory_touch(block, *mapped);
    if (getrandom(&head.token, sizeof head.token, 0) < 0)
        head.token = (unsigned long)(size_t)block;
    memcpy(block, &head, sizeof head);
    return block + page;
}

static void *head_of(void *block)
{
    return (char *)block - sysconf(_SC_PAGESIZE);
}

static void release(const struct memory_kind *kind, void *block, size_t mapped)
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

    if (buffer->bytes == 0 || buffer->base == NULL)
        return (struct memory_share){ 0 };
    memcpy(&head, head_of(buffer->base), sizeof head);
    return (struct memory_share){
        .process = (long)getpid(),
        .file = head.file,
        .token = head.token,
        .mapped = buffer->mapped,
        .at = (size_t)((char *)buffer->base - (char *)head_of(buffer->base)),
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

const struct memory_kind memory_shared = {
    MEMORY_OF_HOST,       .name = "shared",   .letter = "H",
    .allocate = allocate, .release = release,
};
