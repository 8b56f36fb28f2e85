/* SPDX-License-Identifier: BSD-3-Clause */
#include "shared.h"

#include <errno.h>
#include <stdio.h>

#include "job/watchdog.h"

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

/* Map the rings and the send buffers of both ranks.  false: why[] says what
   failed. */
static bool exchange(const struct context *c, const struct buffer *send,
                     char *why, size_t room)
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
    MPI_Sendrecv(offer, sizeof offer, MPI_BYTE, r->peer, SHARE_TAG, s->share,
                 sizeof s->share, MPI_BYTE, r->peer, SHARE_TAG, c->world->comm,
                 MPI_STATUS_IGNORE);
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
    char why[400] = "";

    watchdog_phase("connecting");
    snprintf(t->over, sizeof t->over, "shared memory");
    return transport_agree(c, exchange(c, &b->send, why, sizeof why), why);
}

static void end(const struct context *c)
{
    struct shared *s = shared_of(c->run);

    for (int i = 0; i < 2; i++)
        memory_forget(&s->share[i], s->block[i]);
    buffer_release(&s->ring);
}

static void refuse(const struct context *c, struct refusal *r)
{
    placement_refuse_nodes(c->placement, "shared memory", r);
}

static void plan(const struct bench *b, const struct settings *s,
                 struct plan *plan)
{
    (void)b;
    (void)s;
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
