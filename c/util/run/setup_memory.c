/* SPDX-License-Identifier: BSD-3-Clause */
#include "setup_memory.h"

#include <errno.h>

#include "base/buffer_size.h"

size_t setup_send_blocks(const struct setup *p, const struct context *c)
{
    const size_t sends = flow_send_room(c->bench->flow, &p->run);

    if (c->bench->flow->elsewhere & FLOW_SENDS)
        return 0;
    return sends > 0 && c->bench->takes & TAKES_BUFFERS && !c->settings->buffers
               ? 1
               : sends;
}

size_t setup_recv_blocks(const struct setup *p, const struct context *c)
{
    return c->bench->flow->elsewhere & FLOW_RECEIVES
               ? 0
               : flow_recv_room(c->bench->flow, &p->run);
}

void setup_widest(struct setup *p, const struct context *c,
                  const struct rows *rows)
{
    const struct flow *flow = c->bench->flow;
    size_t most = 0;

    for (int i = 0; i < rows->values; i++) {
        struct bench_run r = p->run;

        r.parameter = rows->value[i];
        const size_t blocks =
            flow_send_room(flow, &r) + flow_recv_room(flow, &r);
        if (i == 0 || blocks > most) {
            most = blocks;
            p->run.parameter = rows->value[i];
        }
    }
}

/* A side's buffer or, if that is to rotate, its pool if that is larger. */
static size_t with_pool(const struct setup *p, const struct settings *s,
                        size_t buffer)
{
    const size_t pool = buffer_pool_bytes(s, p->cache_ranks);

    return buffer > 0 && pool > buffer ? pool : buffer;
}

static size_t send_bytes(const struct setup *p, const struct context *c,
                         size_t bytes)
{
    return with_pool(
        p, c->settings,
        buffer_size(bytes, setup_send_blocks(p, c), c->bench->flow->window));
}

static size_t recv_bytes(const struct setup *p, const struct context *c,
                         size_t bytes)
{
    return with_pool(
        p, c->settings,
        buffer_size(bytes, setup_recv_blocks(p, c), c->bench->flow->window));
}

/* Whose memory this is. */
static const struct memory_kind *kind_of(const struct setup *p,
                                         const struct context *c)
{
    const struct flow *flow = c->bench->flow;
    const bool second =
        flow->sides == SIDES_TURNED ? p->run.sender : !p->run.sender;

    return p->side[flow->sides != SIDES_NONE && second];
}

struct memory_need setup_need(const struct setup *p, const struct context *c,
                              size_t bytes)
{
    const struct family *family = c->bench->family;
    const struct memory_kind *kind = kind_of(p, c);
    const size_t send = send_bytes(p, c, bytes), recv = recv_bytes(p, c, bytes);
    struct memory_need need = { 0 };

    memory_need_add(&need, kind, size_sum(send, recv));
    if (family != NULL && family->memory != NULL)
        family->memory(c, kind, bytes, send, recv, &need);
    return need;
}

enum exit_code setup_memory(struct setup *p, const struct context *c,
                            size_t max_bytes)
{
    const struct family *family = c->bench->family;
    const size_t align_offset = c->settings->align_offset;
    const struct memory_kind *send;
    bool good;

    send = p->kind = kind_of(p, c);
    if (family != NULL && family->send_memory != NULL)
        send = family->send_memory(c->bench);
    errno = 0;
    good = buffer_allocate(&p->send, send, send_bytes(p, c, max_bytes),
                           align_offset) &&
           buffer_allocate(&p->recv, p->kind, recv_bytes(p, c, max_bytes),
                           align_offset);
    return buffer_agree(c->world, c->bench->name, p->kind, good, errno);
}
