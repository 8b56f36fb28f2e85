/* SPDX-License-Identifier: BSD-3-Clause */
#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "job/placement.h"

/* --- Memory that another process of the node can map --------------------------- */

/* It is in a file without a name, which the other process opens as /proc/PID/fd/FILE. */

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

static void *allocate(const struct memory_kind *kind, size_t bytes, size_t *mapped)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct head head = { 0 };
    char *block;

    *mapped = page + (bytes + page - 1) / page * page;
    block = map_file(*mapped, &head.file);
    if (block == NULL)
        return NULL;
    kind->set(block, MEMORY_TOUCHED, *mapped);
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

    memcpy(&head, head_of(block), sizeof head);
    munmap(head_of(block), mapped);
    close(head.file);
}

/* To be handed to the other process; of an empty buffer: nothing to map. */
static struct memory_share memory_offer(const struct buffer *buffer)
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

/* The other process's buffer as this one sees it, for as long as either likes; its *block is to be
   unmapped.  NULL: there is none (*block is NULL too, and errno is 0), or it cannot be mapped. */
static void *memory_map(const struct memory_share *share, void **block)
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
    if (pread(file, &head, sizeof head, 0) == (ssize_t)sizeof head && head.token == share->token)
        *block = mmap(NULL, share->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    else
        errno = ESRCH;
    if (*block == MAP_FAILED)
        *block = NULL;
    close(file);
    return *block != NULL ? (char *)*block + share->at : NULL;
}

static const struct memory_kind memory_shared = {
    MEMORY_OF_HOST, .name = "shared", .letter = "H", .allocate = allocate, .release = release,
};

/* --- The two processes --------------------------------------------------------- */

enum { SHARE_TAG = 1 };

/* The number of lines for a window, a power of two. */
static unsigned long lines_for(int window)
{
    unsigned long n = 1;

    while (n < (unsigned long)window)
        n *= 2;
    return n;
}

static bool map(struct shared *s, char *why, size_t room)
{
    const char *base[2];

    for (int i = 0; i < 2; i++) {
        base[i] = memory_map(&s->share[i], &s->block[i]);
        if (base[i] == NULL && errno != 0) {
            snprintf(why, room, "the other process's memory cannot be mapped: %s", strerror(errno));
            return false;
        }
    }
    s->in = (struct shared_line *)(void *)(uintptr_t)base[0];
    s->peers = base[1];
    return true;
}

/* Map the rings and the send buffers of both ranks. */
static bool exchange(const struct context *c, const struct buffer *send, char *why, size_t room)
{
    const struct bench_run *r = c->run;
    struct shared *s = shared_of(r);
    const unsigned long lines = lines_for(r->window);
    const size_t bytes = lines * sizeof(struct shared_line);
    struct memory_share offer[2];
    const bool good = buffer_allocate(&s->ring, &memory_shared, bytes);

    if (good)
        memset(s->ring.base, 0, bytes);
    offer[0] = memory_offer(&s->ring);
    offer[1] = memory_offer(send);
    PMPI_Sendrecv(offer, sizeof offer, MPI_BYTE, r->peer, SHARE_TAG, s->share, sizeof s->share,
                  MPI_BYTE, r->peer, SHARE_TAG, c->world->comm, MPI_STATUS_IGNORE);
    if (!good || s->share[0].mapped == 0) {
        snprintf(why, room, "shared memory could not be allocated");
        return false;
    }
    s->out = s->ring.base;
    s->own = send->base;
    s->mask = lines - 1;
    return map(s, why, room);
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    struct transport *t = transport_of(c->run);

    snprintf(t->over, sizeof t->over, "shared memory");
    return transport_connect(c, &b->send, exchange);
}

static void end(const struct context *c)
{
    struct shared *s = shared_of(c->run);

    for (int i = 0; i < 2; i++)
        if (s->block[i] != NULL)
            munmap(s->block[i], s->share[i].mapped);
    buffer_release(&s->ring);
}

static void refuse(const struct context *c, struct refusal *r)
{
    placement_refuse_nodes(c->placement, "shared memory", r);
}

static void plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    plan->send_memory = &memory_shared;
}

const struct family transport_shared_family = {
    .name = "transport",
    .state = sizeof(struct shared),
    .refuse = refuse,
    .plan = plan,
    .ready = ready,
    .end = end,
    .record = transport_record,
};
