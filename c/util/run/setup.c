/* SPDX-License-Identifier: BSD-3-Clause */
#include "setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/simulation.h"
#include "base/sizes.h"
#include "job/world.h"
#include "machine/placement.h"
#include "sampling/start.h"

/* Messages in flight; at most, where that differs from row to row. */
static int window_of(const struct bench *b, const struct settings *s)
{
    if (!(b->takes & TAKES_WINDOW))
        return 1;
    if (s->vary_window)
        return 1 << (VARY_WINDOWS - 1);
    return settings_window(s);
}

/* --- How many messages of a window have memory of their own: -b ------------------------- */

/* Bytes of all windows of a rank; and where one slot is asked for, so that small messages
   are verified together. */
#define LIMIT          ((size_t)1 << 30)
#define LIMIT_TO_CHECK ((size_t)1 << 20)

static enum slots slots_kind(const struct context *c)
{
    const enum slots kind = (enum slots)c->settings->slots;

    return kind == SLOTS_AUTO && c->bench->takes & TAKES_BUFFERS &&
                   settings_as_omb(c->settings)
               ? SLOTS_SINGLE
               : kind;
}

static bool slots_sends_one(const struct context *c)
{
    return c->bench->takes & TAKES_BUFFERS && slots_kind(c) != SLOTS_MULTIPLE;
}

static size_t slots_blocks(const struct context *c, int window, bool sending)
{
    const struct flow *flow = c->bench->flow;
    struct bench_run r = *c->run;

    r.window = window;
    const size_t room = flow_room(flow, &r, sending);

    if (flow->elsewhere & (sending ? FLOW_SENDS : FLOW_RECEIVES))
        return 0;
    return sending && room > 0 && slots_sends_one(c) ? 1 : room;
}

size_t slots_limit(const struct context *c)
{
    const struct flow *flow = c->bench->flow;
    size_t windows = flow->elsewhere != 0; /* that of the family */

    if (slots_kind(c) == SLOTS_SINGLE)
        return LIMIT_TO_CHECK;
    /* How many buffers are in use is what such a program measures. */
    if (slots_kind(c) == SLOTS_MULTIPLE || flow->at != NULL)
        return SIZE_MAX;
    for (int sending = 0; sending < 2; sending++)
        windows += slots_blocks(c, 2, sending) - slots_blocks(c, 1, sending);
    return LIMIT / (windows > 0 ? windows : 1);
}

void slots_agree(struct setup *p, const struct context *c)
{
    unsigned long bytes = slots_limit(c);

    PMPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UNSIGNED_LONG, MPI_MIN,
                   c->world->comm);
    p->window_bytes = bytes;
}

static int slots_window(const struct setup *p, const struct row *row)
{
    return row->window > 0 ? row->window : p->window;
}

static int slots_of(const struct setup *p, int window, size_t bytes)
{
    const size_t most = p->window_bytes == SIZE_MAX
                            ? (size_t)window
                            : p->window_bytes / slot_size(bytes);

    return most < 1 ? 1 : most < (size_t)window ? (int)most : window;
}

void slots_say(const struct setup *p, const struct context *c,
               const struct rows *rows)
{
    size_t least = SIZE_MAX;

    for (int i = 0; i < rows->n && slots_kind(c) != SLOTS_SINGLE; i++) {
        const struct row *row = &rows->row[i];
        const int window = slots_window(p, row);

        if (row->bytes < least && slots_of(p, window, row->bytes) < window)
            least = row->bytes;
    }
    if (least < SIZE_MAX && c->world->rank == 0)
        printf(
            "# Messages of a window share buffers from size=%zu on%s.\n", least,
            c->bench->takes & TAKES_BUFFERS ? "; -b multiple gives each its own"
                                            : "");
}

/* --- What the command line says of this rank ------------------------------------------ */

static struct buffer_pool pool_of(struct setup *p, const struct context *c)
{
    const struct settings *s = c->settings;

    return (struct buffer_pool){
        .use = s->use,
        .touch = s->touch,
        .together = c->bench->loop & (BACK_TO_BACK | TIMED_ITERATIONS),
        .ahead = c->bench->loop & POSTS_AHEAD,
        .flow = c->bench->flow,
        .send.buffer = &p->buffers.send,
        .recv.buffer = &p->buffers.recv,
        .moves = p->side[0]->moves || p->side[1]->moves,
    };
}

/* With whom this rank talks: in pairs, while others have no partner; or rank 0 and all others. */
static void find_partner(struct bench_run *r, const struct context *c)
{
    const struct settings *s = c->settings;

    r->pairs = s->pairing.kind == PAIRING_LIST ? s->pairing.n
               : s->pairs > 0                  ? s->pairs
                                               : r->nranks / 2;
    const struct partner partner =
        pairing_partner(&s->pairing, r->pairs, r->rank);
    r->peer = partner.number >= 0 ? partner.number : MPI_PROC_NULL;
    r->sender = partner.first;
    if (c->bench->parameter.kind == PARAMETER_PARTNERS) {
        r->peer = r->rank == 0 ? MPI_PROC_NULL : 0;
        r->sender = r->rank > 0;
    }
}

void setup_describe(struct setup *p, const struct context *c)
{
    const struct bench *b = c->bench;
    const struct settings *s = c->settings;
    struct bench_run *r = &p->run;

    *p = (struct setup){ .start.comm = MPI_COMM_NULL,
                         .window_bytes = SIZE_MAX,
                         .cache_ranks = 1 };
    r->comm = c->world->all;
    r->rank = c->world->rank;
    r->nranks = c->world->size;
    r->blocks = r->nranks;
    find_partner(r, c);
    for (int i = 0; i < 2; i++)
        p->side[i] = memory_kind_of(s->memory[i]);
    r->op = MPI_SUM;
    r->start = &p->start;
    r->window = window_of(b, s);
    r->in_place = b->takes & TAKES_IN_PLACE && s->in_place;
    r->as_omb = settings_as_omb(s);
    r->root_rotates = b->takes & TAKES_ROOT && s->root == ROOT_ROTATES;
    r->root = b->takes & TAKES_ROOT && s->root > 0 ? s->root : 0;
    p->pool = pool_of(p, c);
    r->pool = &p->pool;
    r->family = calloc(1, bench_family(b)->state + 1);
    if (r->family == NULL)
        world_no_memory("the state of a family");
    if (bench_family(b)->describe != NULL)
        b->family->describe(c);
}

/* Whose paths are meant, where the family does not say it. */
static struct placement_talk who_talks(const struct context *c)
{
    const struct plan plan = bench_plan(c->bench, c->settings);
    const bool hot = c->bench->parameter.kind == PARAMETER_PARTNERS;

    return (struct placement_talk){
        .among = hot || c->bench->timed == TIMED_ALL ? c->world->comm
                                                     : MPI_COMM_NULL,
        .star = hot,
        .threads = plan.threads[c->run->sender ? 0 : 1],
    };
}

enum exit_code setup_partners(struct setup *p, const struct context *c)
{
    const struct family *family = bench_family(c->bench);
    const struct settings *s = c->settings;
    const char *missing = datatype_missing(s->types, s->ntypes, !SIMULATED);
    char why[300] = "";

    if (missing != NULL)
        return world_refuse(c->world, E18_MPI_LACKS, c->bench->name,
                            "-T: this MPI library has no type %s", missing);
    if (bench_is_threaded(c->bench, c->settings) &&
        world_first(c->world, !c->world->startup->threads) < c->world->size)
        return world_refuse(c->world, E18_MPI_LACKS, c->bench->name,
                            "this MPI library does not give "
                            "MPI_THREAD_MULTIPLE");
    if (!derived_read(&s->derived, c->world->comm, &p->blocks, why, sizeof why))
        return world_refuse(c->world, E12_USAGE, c->bench->name, "%s", why);
    *c->talk = who_talks(c);
    return family->begin != NULL ? family->begin(c) : EXIT_OK;
}

/* --- Memory -------------------------------------------------------------------- */

void setup_turn_to(struct setup *p, const struct row *row)
{
    p->run.parameter = row->parameter;
    p->run.operation = row->operation;
}

struct row setup_widest(const struct setup *p, const struct context *c,
                        const struct rows *rows)
{
    const struct flow *flow = c->bench->flow;
    const int operations = bench_operations(c->bench);
    struct row widest = { .parameter = rows->value[0] };
    struct bench_run r = p->run;
    size_t most = 0;

    for (r.operation = 0; r.operation == 0 || r.operation < operations;
         r.operation++)
        for (int i = 0; i < rows->values; i++) {
            r.parameter = rows->value[i];
            const size_t blocks =
                flow_room(flow, &r, true) + flow_room(flow, &r, false);
            if (blocks > most) {
                most = blocks;
                widest.parameter = r.parameter;
                widest.operation = r.operation;
            }
        }
    return widest;
}

/* Bytes of that buffer or, if it is to rotate, of its pool if that is larger. */
static size_t bytes_of(const struct setup *p, const struct context *c,
                       size_t bytes, int slots, bool sending)
{
    const size_t pool =
        buffer_pool_bytes(c->settings, p->cache_bytes, p->cache_ranks);
    const size_t buffer =
        layout_size(sending ? &p->run.out : &p->run.in, bytes,
                    slots_blocks(c, slots, sending), c->bench->flow->window);

    return buffer > 0 && pool > buffer ? pool : buffer;
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

/* Of the messages that are under way at once.  A rank without a partner posts its windows, too,
   to nobody. */
static size_t requests_of(const struct setup *p, const struct context *c)
{
    const struct flow *flow = c->bench->flow;
    const struct bench_run *r = &p->run;

    if (flow->one_sided)
        return 0;
    if (flow->requests != NULL)
        return (size_t)flow->requests(r);
    const size_t windows = 2 * (size_t)r->window;
    const size_t blocks =
        flow->window ? flow_room(flow, r, true) + flow_room(flow, r, false) : 0;

    return blocks > windows ? blocks : windows;
}

/* Bytes of what MPI is given beside the buffers. */
static size_t arrays_of(const struct setup *p, const struct context *c)
{
    return size_sum(layout_need(&p->run, c->bench->flow),
                    size_product(requests_of(p, c), sizeof *p->run.request));
}

/* What is needed for rows of that size. */
static struct buffers buffers_of(const struct setup *p, const struct context *c,
                                 size_t bytes)
{
    const struct family *family = bench_family(c->bench);

    const int slots = slots_of(p, p->run.window, bytes);
    struct buffers b = { .kind = kind_of(p, c),
                         .bytes = bytes,
                         .slots = slots,
                         .send.bytes = bytes_of(p, c, bytes, slots, true),
                         .recv.bytes = bytes_of(p, c, bytes, slots, false) };

    buffers_add(&b, NULL, &memory_host, arrays_of(p, c));
    if (family->memory != NULL)
        family->memory(c, &b);
    return b;
}

struct memory_need setup_need(const struct setup *p, const struct context *c,
                              size_t bytes)
{
    const struct buffers b = buffers_of(p, c, bytes);

    return buffers_need(&b);
}

size_t setup_limited(const struct setup *p, const struct context *c,
                     size_t bytes)
{
    const struct memory_need need = setup_need(p, c, bytes);
    const int window = p->run.window;
    const bool many =
        slots_blocks(c, window, true) > 1 || slots_blocks(c, window, false) > 1;

    if (!settings_as_omb(c->settings) || c->bench->timed != TIMED_ALL)
        return size_sum(need.host, need.gpu) - arrays_of(p, c);
    return size_product(bytes, many ? (size_t)p->run.nranks : 1);
}

enum exit_code setup_memory(struct setup *p, const struct context *c,
                            size_t max_bytes)
{
    const struct memory_kind *send =
        bench_plan(c->bench, c->settings).send_memory;

    p->buffers = buffers_of(p, c, max_bytes);
    p->window = p->run.window;
    /* Smaller rows have as much. */
    if (p->window_bytes < SIZE_MAX)
        p->window_bytes = (size_t)p->buffers.slots * slot_size(max_bytes);
    return buffers_allocate(&p->buffers, send != NULL ? send : p->buffers.kind,
                            c->world, c->bench->name);
}

enum exit_code setup_loop(struct setup *p, const struct context *c)
{
    const struct family *family = bench_family(c->bench);
    struct bench_run *r = &p->run;
    const size_t requests = requests_of(p, c);
    enum exit_code code;

    if (requests > 0)
        r->request = calloc(requests, sizeof *r->request);
    code = world_agree_memory(c->world, c->bench->name,
                              (requests == 0 || r->request != NULL) &&
                                  layout_begin(r, c->bench->flow),
                              "buffers or samples");
    if (code != EXIT_OK)
        return code;
    p->start = start_begin(c->world->comm, c->settings->start, c->sync,
                           c->clock->resolution_s);
    return family->ready != NULL ? family->ready(c, &p->buffers) : EXIT_OK;
}

/* Ranks that send or receive nothing still name a buffer, to MPI_PROC_NULL: a null
   pointer would be an error, or the same buffer for both. */
static char nothing[2][4096];

static void *some(void *base, bool sending)
{
    return base != NULL ? base : nothing[sending];
}

unsigned char setup_written_to_nothing(void)
{
    unsigned char found = 0;

    for (size_t i = 0; i < sizeof nothing && found == 0; i++)
        found = (unsigned char)nothing[i % 2][i / 2];
    memset(nothing, 0, sizeof nothing);
    return found;
}

/* Bytes that an iteration uses of a buffer. */
static size_t in_use(const struct setup *p, const struct context *c,
                     bool sending)
{
    const size_t blocks = slots_blocks(c, p->run.window, sending);

    return blocks > 0
               ? layout_size(sending ? &p->run.out : &p->run.in, p->run.bytes,
                             blocks, c->bench->flow->window) -
                     BUFFER_GUARD
               : 0;
}

/* Who takes part in the row, and with what. */
static size_t begin_row(struct setup *p, const struct flow *flow,
                        const struct row *row)
{
    struct bench_run *r = &p->run;

    r->window = r->slots = slots_of(p, slots_window(p, row), row->bytes);
    setup_turn_to(p, row);
    r->turn = 0;
    r->turn_names = NULL;
    if (row->ranks > 0)
        r->nranks = row->ranks;
    r->turns = flow->turns != NULL ? flow->turns(r) : 1;
    return flow->message_bytes != NULL ? flow->message_bytes(r, row->bytes)
                                       : row->bytes;
}

static void lay_out(struct bench_run *r, const struct flow *flow,
                    const struct message_type *message, size_t bytes)
{
    r->bytes = bytes;
    r->count = message->count;
    r->type = message->type;
    r->recv_count = (bench_count)layout_own_part(r, flow).n;
    layout_fill(r, flow);
}

void setup_row(struct setup *p, const struct context *c, const struct row *row)
{
    const struct bench *b = c->bench;
    struct bench_run *r = &p->run;
    const size_t bytes = begin_row(p, b->flow, row);

    p->pieces = typemap_of(&c->settings->derived, &p->blocks,
                           element_size(row->element), bytes);
    if (!datatype_message(row->element, &p->pieces, b->flow->sum, &p->message))
        world_no_memory("a datatype"); /* rows_list left no other reason */
    lay_out(r, b->flow, &p->message, bytes);
    r->send = some(p->buffers.send.base, true);
    r->recv = some(p->buffers.recv.base, false);
    r->recv_stride = b->flow->one_sided && r->as_omb ? bytes : slot_size(bytes);
    r->send_stride = slots_sends_one(c) ? 0 : r->recv_stride;
    if (bench_family(b)->row != NULL)
        b->family->row(c);
    buffer_pool_row(&p->pool, r, in_use(p, c, true), in_use(p, c, false));
    if (row->ranks > 0)
        subset_begin(r, c->world, row->ranks);
}

void setup_whole_window(struct setup *p, const struct context *c,
                        const struct row *row)
{
    struct bench_run *r = &p->run;

    r->window = slots_window(p, row);
    if (slots_kind(c) != SLOTS_SINGLE)
        return;
    r->slots = r->window;
    r->recv_stride = 0;
}

void setup_row_end(struct setup *p, const struct row *row)
{
    p->run.window = p->window;
    datatype_release(&p->message);
    if (row->ranks > 0)
        subset_end(&p->run);
}

void setup_release(struct setup *p, const struct context *c)
{
    const struct family *family = bench_family(c->bench);

    if (family->end != NULL && p->run.family != NULL)
        family->end(c);
    if (p->start.comm != MPI_COMM_NULL)
        start_end(&p->start);
    layout_end(&p->run);
    typemap_release(&p->blocks);
    buffers_release(&p->buffers);
    free(p->run.family);
    free(p->run.request);
    p->run.family = NULL;
    p->run.request = NULL;
}
