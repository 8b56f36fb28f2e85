/* SPDX-License-Identifier: BSD-3-Clause */
#include "rotation.h"

#include <limits.h>
#include <unistd.h>

#include "messages.h"
#include "watchdog.h"

enum { LINE = 64, PAGE = 4096, FRESH = 16 * MiB, SOME_CACHE = 32 * MiB };

size_t rotation_pool(const struct settings *s, int ranks)
{
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);

    if (s->use == BUFFERS_REUSE)
        return 0;
    if (s->use == BUFFERS_FRESH)
        return FRESH;
    if (s->pool > 0)
        return s->pool;
    if (cache <= 0)
        cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (cache <= 0)
        cache = SOME_CACHE;
    return 2 * (size_t)cache / (size_t)(ranks > 1 ? ranks : 1);
}

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* Places that fit; the last may end where the buffer does. */
static long places_of(const struct rotation_side *side)
{
    if (side->bytes == 0 || side->buffer->bytes < side->bytes)
        return LONG_MAX;
    return (long)((side->buffer->bytes - side->bytes) / side->step) + 1;
}

static void read_received(const struct rotation *rotation, const char *recv)
{
    for (size_t i = 0; i < rotation->recv.bytes; i += LINE)
        (void)*(const volatile char *)(recv + i);
}

static void write_to_send(const struct rotation *rotation, char *send)
{
    for (size_t i = 0; i < rotation->send.bytes; i += LINE) {
        volatile char *byte = send + i;

        *byte = *byte;
    }
}

static void go_to(struct rotation *rotation, struct bench_run *r)
{
    const struct rotation_side *send = &rotation->send, *recv = &rotation->recv;

    if (send->bytes > 0)
        r->send =
            (char *)send->buffer->base + (size_t)rotation->at * send->step;
    if (recv->bytes > 0)
        r->recv =
            (char *)recv->buffer->base + (size_t)rotation->at * recv->step;
}

static void between(struct laps *l)
{
    struct bench_run *r =
        (struct bench_run *)(void *)((char *)l -
                                     offsetof(struct bench_run, laps));
    struct rotation *rotation = r->rotation;

    if (rotation->touch)
        read_received(rotation, r->recv);
    if (rotation->use != BUFFERS_REUSE) {
        rotation->at = (rotation->at + 1) % rotation->places;
        go_to(rotation, r);
    }
    if (rotation->touch)
        write_to_send(rotation, r->send);
    if (rotation->together)
        bench_sync(r);
}

void rotation_row(struct rotation *rotation, struct bench_run *r,
                  size_t send_bytes, size_t recv_bytes)
{
    const bool fresh = rotation->use == BUFFERS_FRESH;
    long places;

    rotation->send.bytes = r->send == MPI_IN_PLACE ? 0 : send_bytes;
    rotation->recv.bytes = recv_bytes;
    /* Whole lines and two more, or pages: neighbours share nothing, and no
       power of two keeps hitting the same cache sets. */
    rotation->send.step = fresh ? round_up(send_bytes, PAGE) + PAGE
                                : round_up(send_bytes, LINE) + 2 * LINE;
    rotation->recv.step = fresh ? round_up(recv_bytes, PAGE) + PAGE
                                : round_up(recv_bytes, LINE) + 2 * LINE;
    places = places_of(&rotation->send);
    if (places_of(&rotation->recv) < places)
        places = places_of(&rotation->recv);
    rotation->places = places < LONG_MAX ? places : 1;
    rotation->at = 0;
    r->rotation = rotation;
}

void rotation_begin(struct bench_run *r)
{
    const struct rotation *rotation = r->rotation;

    if (rotation->use != BUFFERS_REUSE || rotation->touch)
        r->laps.between = between;
}

void rotation_end(struct bench_run *r)
{
    r->laps.between = NULL;
    r->rotation->at = 0;
    go_to(r->rotation, r);
}

long rotation_laps(const struct rotation *rotation)
{
    /* The hook runs once more after the last lap. */
    return rotation->use != BUFFERS_FRESH ? LONG_MAX
           : rotation->places > 2         ? rotation->places - 1
                                          : 1;
}

static void renew(struct rotation_side *side,
                  const struct memory_options *options)
{
    struct buffer old = *side->buffer, fresh;

    if (side->bytes == 0)
        return;
    /* While the old one is still there: else it would get the same address. */
    if (!buffer_allocate(&fresh, old.kind, old.bytes, options)) {
        message_print(E20_OUT_OF_MEMORY, watchdog_program(),
                      "--buffers=fresh: no memory for a second pool");
        MPI_Abort(MPI_COMM_WORLD, messages[E20_OUT_OF_MEMORY].code);
    }
    *side->buffer = fresh;
    buffer_release(&old);
}

void rotation_renew(struct bench_run *r)
{
    struct rotation *rotation = r->rotation;

    if (rotation->use != BUFFERS_FRESH)
        return;
    renew(&rotation->send, &rotation->options);
    renew(&rotation->recv, &rotation->options);
    rotation->at = 0;
    go_to(rotation, r);
}
