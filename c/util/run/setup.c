/* SPDX-License-Identifier: BSD-3-Clause */
#include "setup.h"

#include <stdlib.h>

#include "base/buffer_size.h"
#include "data/pairs.h"
#include "job/world.h"
#include "machine/placement.h"
#include "sampling/start.h"
#include "setup_memory.h"

/* Messages in flight; at most, where that differs from row to row. */
static int window_of(const struct bench *b, const struct settings *s)
{
    if (!(b->takes & TAKES_WINDOW))
        return 1;
    if (s->vary_window)
        return 1 << (VARY_WINDOWS - 1);
    return settings_window(s);
}

static struct buffer_pool pool_of(struct setup *p, const struct context *c)
{
    const struct settings *s = c->settings;

    return (struct buffer_pool){
        .use = s->use,
        .touch = s->touch,
        .together = c->bench->loop & (LAPS | TIMED_LAPS),
        .ahead = c->bench->loop & POSTS_AHEAD,
        .flow = c->bench->flow,
        .send.buffer = &p->send,
        .recv.buffer = &p->recv,
        .moves = p->side[0]->moves || p->side[1]->moves,
    };
}

/* The two of a pair, or rank 0 and all others. */
static void find_partner(struct bench_run *r, const struct context *c)
{
    const struct pair pair = pairs_of(r->rank, r->pairs);

    r->peer = pair.peer;
    r->sender = pair.sender;
    r->partners = 1;
    if (c->bench->parameter.kind == PARAMETER_PARTNERS) {
        r->peer = r->rank == 0 ? MPI_PROC_NULL : 0;
        r->sender = r->rank > 0;
        r->partners = r->nranks;
    }
}

void setup_describe(struct setup *p, const struct context *c)
{
    const struct bench *b = c->bench;
    const struct settings *s = c->settings;
    struct bench_run *r = &p->run;

    *p = (struct setup){ .start.comm = MPI_COMM_NULL, .cache_ranks = 1 };
    r->comm = c->world->all;
    r->rank = c->world->rank;
    r->nranks = c->world->size;
    r->blocks = r->nranks;
    r->pairs = s->pairs > 0 ? s->pairs : r->nranks / 2;
    find_partner(r, c);
    for (int i = 0; i < 2; i++)
        p->side[i] = memory_kind_of(s->place[i]);
    r->op = MPI_SUM;
    r->start = &p->start;
    r->window = window_of(b, s);
    r->in_place = b->takes & TAKES_IN_PLACE && s->in_place;
    r->root_rotates = b->takes & TAKES_ROOT && s->root == ROOT_ROTATES;
    r->root = b->takes & TAKES_ROOT && s->root > 0 ? s->root : 0;
    p->pool = pool_of(p, c);
    r->pool = &p->pool;
    if (b->family == NULL)
        return;
    r->family = calloc(1, b->family->state + 1);
    if (r->family == NULL)
        world_no_memory("the state of a family");
    if (b->family->describe != NULL)
        b->family->describe(c);
}

enum exit_code setup_partners(struct setup *p, const struct context *c)
{
    const struct family *family = c->bench->family;
    char why[300] = "";

    if (bench_is_threaded(c->bench, c->settings) &&
        world_agree(c->world, c->world->startup.threads ? EXIT_OK : EXIT_RUN) !=
            EXIT_OK)
        return world_refuse(c->world, E18_MPI_LACKS, c->bench->name,
                            "this MPI library does not give "
                            "MPI_THREAD_MULTIPLE");
    if (!derived_read(&c->settings->derived, c->world->comm, &p->blocks, why,
                      sizeof why))
        return world_refuse(c->world, E12_USAGE, c->bench->name, "%s", why);
    return family != NULL && family->begin != NULL ? family->begin(c) : EXIT_OK;
}

enum exit_code setup_check_nodes(const struct context *c)
{
    const struct family *family = c->bench->family;
    const struct placement *at = c->placement;
    const char *sharing = family != NULL && family->one_node != NULL
                              ? family->one_node(c->bench, c->settings)
                              : NULL;

    if (sharing == NULL || (at->nodes == 1 && at->mpi_nodes == 1))
        return EXIT_OK;
    return world_refuse(c->world, E28_NOT_ONE_NODE, c->bench->name,
                        "%s needs all ranks on one node; nodes by their "
                        "kernel=%d; by MPI=%d;",
                        sharing, at->nodes, at->mpi_nodes);
}

enum exit_code setup_loop(struct setup *p, const struct context *c,
                          size_t max_bytes)
{
    const struct family *family = c->bench->family;
    struct bench_run *r = &p->run;

    r->request = malloc(2 * (size_t)r->window * (size_t)r->partners *
                        sizeof *r->request);
    if (world_first(c->world, r->request == NULL ||
                                  !layout_begin(&p->layout, r->blocks)) <
        c->world->size)
        return world_refuse(c->world, E20_OUT_OF_MEMORY, c->bench->name,
                            "memory for buffers or samples was refused");
    p->start = start_begin(c->world->comm, c->settings->start, c->sync,
                           c->clock->resolution_s);
    return family != NULL && family->ready != NULL
               ? family->ready(c, p->kind, max_bytes, &p->send, &p->recv)
               : EXIT_OK;
}

/* Ranks that send or receive nothing still name a buffer, to MPI_PROC_NULL:
   a null pointer would be an error. */
static void *some(void *base)
{
    static char nothing[1];

    return base != NULL ? base : nothing;
}

/* Bytes that an iteration uses of a buffer. */
static size_t in_use(size_t bytes, size_t blocks, bool window)
{
    return blocks > 0 ? buffer_size(bytes, blocks, window) - BUFFER_GUARD : 0;
}

/* Who takes part in the row, and with what. */
static size_t begin_row(struct setup *p, const struct context *c,
                        const struct row *row)
{
    const struct family *family = c->bench->family;
    struct bench_run *r = &p->run;

    if (row->window > 0)
        r->window = row->window;
    r->parameter = row->parameter;
    if (row->ranks > 0)
        r->nranks = row->ranks;
    return family != NULL && family->share != NULL
               ? family->share(c, row->bytes)
               : row->bytes;
}

static void lay_out(struct setup *p, const struct context *c, size_t bytes)
{
    const struct flow *flow = c->bench->flow;
    struct bench_run *r = &p->run;

    layout_fill(&p->layout, (size_t)p->message.count, p->message.type, bytes);
    if (flow->dealt != FLOW_WHOLE)
        layout_split(&p->layout, (int)p->message.count,
                     flow->dealt == FLOW_PARTS);
    r->bytes = bytes;
    r->count = p->message.count;
    r->type = p->message.type;
    r->recv_count = p->layout.counts[r->rank];
    r->counts = p->layout.counts;
    r->displs = p->layout.displs;
    r->byte_displs = p->layout.byte_displs;
    r->places = p->layout.places;
    r->types = p->layout.types;
}

void setup_row(struct setup *p, const struct context *c, const struct row *row)
{
    const struct bench *b = c->bench;
    struct bench_run *r = &p->run;
    const size_t bytes = begin_row(p, c, row);

    p->pieces = typemap_of(&c->settings->derived, &p->blocks,
                           element_size(row->element), bytes);
    if (!datatype_message(row->element, &p->pieces, b->flow->sum, &p->message))
        world_no_memory("a datatype"); /* rows_list left no other reason */
    lay_out(p, c, bytes);
    r->send = some(p->send.base);
    r->recv = some(p->recv.base);
    r->recv_stride = slot_size(bytes);
    r->send_stride =
        b->takes & TAKES_BUFFERS && !c->settings->buffers ? 0 : r->recv_stride;
    if (b->family != NULL && b->family->row != NULL)
        b->family->row(c);
    buffer_pool_row(&p->pool, r,
                    in_use(bytes, setup_send_blocks(p, c), b->flow->window),
                    in_use(bytes, setup_recv_blocks(p, c), b->flow->window));
    if (row->ranks > 0)
        subset_begin(r, c->world, row->ranks, c->settings->start, c->sync,
                     c->clock->resolution_s);
}

void setup_row_end(struct setup *p, const struct row *row)
{
    datatype_release(&p->message);
    if (row->ranks > 0)
        subset_end(&p->run);
}

void setup_release(struct setup *p, const struct context *c)
{
    const struct family *family = c->bench->family;

    if (family != NULL && family->end != NULL && p->run.family != NULL)
        family->end(c);
    if (p->start.comm != MPI_COMM_NULL)
        start_end(&p->start);
    layout_end(&p->layout);
    typemap_release(&p->blocks);
    buffer_release(&p->send);
    buffer_release(&p->recv);
    free(p->run.family);
    free(p->run.request);
    p->run.family = NULL;
    p->run.request = NULL;
}
