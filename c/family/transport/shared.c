/* SPDX-License-Identifier: BSD-3-Clause */
/* Rings and send buffers of two processes, mapped by both: transport_shared. */
#include "shared.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHARE_TAG = 1 };

/* Lines for a window, a power of two. */
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
            snprintf(why, room,
                     "the other process's memory cannot be mapped: %s",
                     strerror(errno));
            return false;
        }
    }
    s->in = (struct shared_line *)(void *)(uintptr_t)base[0];
    s->peers = base[1];
    return true;
}

static bool begin(struct bench_run *r, const struct buffer *send, MPI_Comm comm,
                  bool one_node, char *why, size_t room)
{
    const unsigned long lines = lines_for(r->window);
    const size_t bytes = lines * sizeof(struct shared_line);
    const struct memory_options plain = { 0 };
    struct memory_share offer[2];
    struct shared *s = calloc(1, sizeof *s);
    bool good;

    (void)one_node;
    if (s == NULL)
        abort();
    r->shared = s;
    snprintf(r->over, sizeof r->over, "shared memory");
    good = buffer_allocate(&s->ring, &memory_shared, bytes, &plain);
    if (good)
        memset(s->ring.base, 0, bytes);
    offer[0] = memory_offer(&s->ring);
    offer[1] = memory_offer(send);
    MPI_Sendrecv(offer, sizeof offer, MPI_BYTE, r->peer, SHARE_TAG, s->share,
                 sizeof s->share, MPI_BYTE, r->peer, SHARE_TAG, comm,
                 MPI_STATUS_IGNORE);
    if (!good || s->share[0].mapped == 0) {
        snprintf(why, room, "memory to be shared was refused");
        return false;
    }
    s->out = s->ring.base;
    s->own = send->base;
    s->mask = lines - 1;
    return map(s, why, room);
}

static void end(struct bench_run *r, MPI_Comm comm)
{
    struct shared *s = r->shared;

    (void)comm;
    for (int i = 0; i < 2; i++)
        memory_forget(&s->share[i], s->block[i]);
    buffer_release(&s->ring);
    free(s);
    r->shared = NULL;
}

const struct transport transport_shared = {
    .one_node = true,
    .memory = &memory_shared,
    .begin = begin,
    .end = end,
};
