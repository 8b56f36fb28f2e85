/* SPDX-License-Identifier: BSD-3-Clause */
#include "prepare.h"

#include <stdlib.h>

#include "derived.h"
#include "plan.h"
#include "stripe.h"

/* Blocks of the send buffer: none where the RMA window is it, one where one
   serves the whole window. */
static size_t send_blocks(const struct prepared *p, const struct bench *b,
                          const struct settings *s)
{
    const size_t sends = flow_send_room(b->flow, &p->run);

    if (b->flow->rma == FLOW_OUT_OF_WINDOW)
        return 0;
    return sends > 0 && b->takes & TAKES_BUFFERS && !s->buffers ? 1 : sends;
}

static size_t recv_blocks(const struct prepared *p, const struct bench *b)
{
    return b->flow->rma == FLOW_INTO_WINDOW ? 0
                                            : flow_recv_room(b->flow, &p->run);
}

/* RMA windows are as large on either rank, though only one may use it. */
static size_t window_blocks(const struct prepared *p, const struct bench *b)
{
    return b->flow->rma == FLOW_BUFFERS ? 0
           : b->flow->one_block         ? 1
                                        : (size_t)p->run.window;
}

void prepare_widest(struct prepared *p, const struct bench *b,
                    const long level[], int n)
{
    size_t most = 0;

    for (int i = 0; i < n; i++) {
        struct bench_run r = p->run;

        r.level = level[i];
        const size_t blocks =
            flow_send_room(b->flow, &r) + flow_recv_room(b->flow, &r);
        if (i == 0 || blocks > most) {
            most = blocks;
            p->run.level = level[i];
        }
    }
}

/* A side's buffer or, if that is to rotate, its pool if that is larger. */
static size_t with_pool(const struct prepared *p, const struct settings *s,
                        size_t buffer)
{
    const size_t pool = rotation_pool(s, buffer, p->cache_ranks);

    return buffer > 0 && pool > buffer ? pool : buffer;
}

size_t prepare_bytes(const struct prepared *p, const struct bench *b,
                     const struct settings *s, size_t bytes)
{
    const bool window = b->flow->window;
    const size_t send =
        with_pool(p, s, plan_buffer(bytes, send_blocks(p, b, s), window));
    const size_t recv =
        with_pool(p, s, plan_buffer(bytes, recv_blocks(p, b), window));
    /* A new pool is there before the old one is given back. */
    const size_t spare =
        s->use != BUFFERS_FRESH ? 0 : (send > recv ? send : recv);

    const size_t all = plan_sum(plan_sum(plan_sum(send, recv), spare),
                                plan_buffer(bytes, window_blocks(p, b), true));

    /* Children keep what their parent writes anew. */
    return b->takes & TAKES_PROCESSES ? plan_product(all, 2) : all;
}

int prepare_blocks(const struct prepared *p)
{
    const int ranks = p->run.nranks, neighbours = p->topology.most;

    return neighbours > ranks ? neighbours : ranks;
}

/* Ranks that this one may exchange windows with. */
static int most_partners(const struct bench *b, const struct bench_run *r)
{
    return b->levels.kind == LEVELS_OF_RANKS ? r->nranks
           : r->groups != NULL               ? r->groups->count - 1
                                             : 1;
}

static bool all_have(const struct world *world, bool mine)
{
    return world_agree(world, mine ? EXIT_OK : EXIT_RUN) == EXIT_OK;
}

bool prepare_buffers(struct prepared *p, const struct bench *b,
                     const struct settings *s, const struct world *world,
                     const struct clock_sync *sync, double resolution_s,
                     size_t max_bytes)
{
    const struct flow *flow = b->flow;
    const struct memory_options *options = &p->rotation.options;
    struct bench_run *r = &p->run;
    const size_t send = with_pool(
        p, s, plan_buffer(max_bytes, send_blocks(p, b, s), flow->window));
    const size_t recv = with_pool(
        p, s, plan_buffer(max_bytes, recv_blocks(p, b), flow->window));
    const size_t shared = plan_buffer(max_bytes, window_blocks(p, b), true);
    bool good =
        buffer_allocate(&p->send,
                        b->transport != NULL ? b->transport->memory
                                             : &memory_host,
                        send, options) &&
        buffer_allocate(&p->recv, &memory_host, recv, options) &&
        buffer_allocate(&p->window, &memory_host,
                        rma_allocates(s->window_kind) ? 0 : shared, options);

    r->request = malloc(2 * (size_t)r->window * (size_t)most_partners(b, r) *
                        sizeof *r->request);
    good = good && r->request != NULL;
    good = good && layout_begin(&p->layout, prepare_blocks(p));
    if (b->takes & TAKES_PARTITIONS)
        good = good && partitions_begin(&p->partitions, s->partitions, s->ready,
                                        s->ready_seed);
    if (b->takes & TAKES_PROCESSES) /* after memory, as it may be registered */
        good = good &&
               children_begin(&p->children, s->processes[r->sender ? 0 : 1]);
    if (!all_have(world, good))
        return false;
    p->start = start_begin(world->comm, s->start, sync, resolution_s);
    if (flow->rma != FLOW_BUFFERS)
        rma_begin(&p->rma, r, p->window.base, shared, s->align_offset);
    return true;
}

enum exit_code prepare_transport(struct prepared *p, const struct bench *b,
                                 const struct world *world, bool one_node)
{
    if (b->transport == NULL)
        return EXIT_OK;
    p->transport = b->transport;
    return transport_begin(b->transport, &p->run, &p->send, world, one_node,
                           b->name);
}

/* Ranks that send or receive nothing still name a buffer, to MPI_PROC_NULL:
   a null pointer would be an error. */
static void *some(void *base)
{
    static char nothing[1];

    return base != NULL ? base : nothing;
}

/* Bytes that a lap uses of a buffer. */
static size_t in_use(size_t bytes, size_t blocks, bool window)
{
    return blocks > 0 ? plan_buffer(bytes, blocks, window) - PLAN_GUARD : 0;
}

bool prepare_row(struct prepared *p, const struct bench *b,
                 const struct settings *s, enum element element, size_t bytes)
{
    struct bench_run *r = &p->run;
    const struct flow *flow = b->flow;

    if (b->takes & TAKES_STRIPES) {
        r->stripes = bytes > s->stripe_threshold ? r->pairs : 1;
        bytes = stripe_bytes(r, bytes, s->stripe_threshold);
    }
    p->pieces =
        pieces_of(&s->derived, &p->blocks, element_size(element), bytes);
    if (!types_message(element, &p->pieces, flow->sum, &p->message))
        return false;
    layout_fill(&p->layout, (size_t)p->message.count, p->message.type, bytes);
    if (flow->dealt != FLOW_WHOLE)
        layout_split(&p->layout, (int)p->message.count,
                     flow->dealt == FLOW_PARTS);
    r->bytes = bytes;
    r->count = p->message.count;
    r->type = p->message.type;
    r->part = p->layout.counts[r->rank];
    r->send = some(p->send.base);
    r->recv = some(p->recv.base);
    if (flow->rma == FLOW_INTO_WINDOW)
        r->recv = p->rma.base;
    if (flow->rma == FLOW_OUT_OF_WINDOW)
        r->send = p->rma.base;
    if (r->reuse != NULL)
        reuse_begin(r->reuse, r);
    r->recv_stride = plan_slot(bytes);
    r->send_stride =
        b->takes & TAKES_BUFFERS && !s->buffers ? 0 : r->recv_stride;
    r->counts = p->layout.counts;
    r->displs = p->layout.displs;
    r->byte_displs = p->layout.byte_displs;
    r->places = p->layout.places;
    r->types = p->layout.types;
    rotation_row(&p->rotation, r,
                 in_use(bytes, send_blocks(p, b, s), flow->window),
                 in_use(bytes, recv_blocks(p, b), flow->window));
    return true;
}

void prepare_row_end(struct prepared *p)
{
    types_release(&p->message);
}

void prepare_release(struct prepared *p)
{
    if (p->transport != NULL)
        p->transport->end(&p->run, p->run.comm);
    if (p->rma.win != MPI_WIN_NULL)
        rma_end(&p->rma);
    if (p->start.comm != MPI_COMM_NULL)
        start_end(&p->start);
    layout_end(&p->layout);
    children_end(&p->children);
    partitions_end(&p->partitions);
    pieces_release(&p->blocks);
    topology_end(&p->topology);
    groups_end(&p->groups);
    buffer_release(&p->send);
    buffer_release(&p->recv);
    buffer_release(&p->window);
    free(p->run.request);
    p->run.request = NULL;
}
