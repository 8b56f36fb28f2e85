/* SPDX-License-Identifier: BSD-3-Clause */
#include "prepare.h"

#include <stdlib.h>

#include "data/datatype.h"
#include "base/buffer_size.h"
#include "stripes/stripe.h"

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
    struct bench_run *r = &p->run;
    bool good;

    r->request = malloc(2 * (size_t)r->window * (size_t)most_partners(b, r) *
                        sizeof *r->request);
    good = r->request != NULL;
    good = good && layout_begin(&p->layout, prepare_blocks(p));
    if (b->takes & TAKES_PARTITIONS)
        good = good && partitions_begin(&p->partitions, s);
    if (b->takes & TAKES_MATRIX)
        good = good && matrix_begin(&p->matrix, r->nranks);
    if (b->takes & TAKES_STAGING) {
        good = good && staging_begin(&p->staging, r, s->chunk, max_bytes,
                                     &p->send, &p->recv);
        r->staging = &p->staging;
    }
    if (b->takes & TAKES_PROCESSES) /* after memory, as it may be registered */
        good = good &&
               processes_begin(&p->children, s->processes[r->sender ? 0 : 1]);
    if (!all_have(world, good))
        return false;
    p->start = start_begin(world->comm, s->start, sync, resolution_s);
    if (b->flow->rma != FLOW_BUFFERS)
        rma_begin(&p->rma, r, p->window.base,
                  prepare_window_bytes(p, b, max_bytes), s->align_offset);
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
    return blocks > 0 ? buffer_size(bytes, blocks, window) - BUFFER_GUARD : 0;
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
        typemap_of(&s->derived, &p->blocks, element_size(element), bytes);
    if (!datatype_message(element, &p->pieces, flow->sum, &p->message))
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
    r->recv_stride = slot_size(bytes);
    r->send_stride =
        b->takes & TAKES_BUFFERS && !s->buffers ? 0 : r->recv_stride;
    r->counts = p->layout.counts;
    r->displs = p->layout.displs;
    r->byte_displs = p->layout.byte_displs;
    r->places = p->layout.places;
    r->types = p->layout.types;
    p->rotation.window.place = p->rma.base;
    p->rotation.window.bytes =
        p->window.bytes > 0 ? in_use(bytes, prepare_window_blocks(p, b), true)
                            : 0;
    buffer_pool_row(&p->rotation, r,
                 in_use(bytes, prepare_send_blocks(p, b, s), flow->window),
                 in_use(bytes, prepare_recv_blocks(p, b), flow->window));
    return true;
}

void prepare_row_end(struct prepared *p)
{
    datatype_release(&p->message);
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
    processes_end(&p->children);
    staging_end(&p->staging);
    matrix_end(&p->matrix);
    partitions_end(&p->partitions);
    typemap_release(&p->blocks);
    topology_end(&p->topology);
    groups_end(&p->groups);
    buffer_release(&p->send);
    buffer_release(&p->recv);
    buffer_release(&p->window);
    free(p->run.request);
    p->run.request = NULL;
}
