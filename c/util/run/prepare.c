/* SPDX-License-Identifier: BSD-3-Clause */
#include "prepare.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shuffle.h"
#include "base/sizes.h"
#include "data/gpu.h"
#include "job/placement.h"
#include "job/progress.h"
#include "job/world.h"

/* --- How many messages of a window have memory of their own: -b ------------------------- */

/* Bytes of all windows of a rank; and where one slot is asked for, so that small messages
   are verified together. */
#define LIMIT          ((size_t)1 << 30)
#define LIMIT_TO_CHECK ((size_t)1 << 20)

/* Does one slot serve all that are sent? */
static bool sends_one(const struct context *c)
{
    return c->bench->takes & TAKES_BUFFERS && c->settings->slots != SLOTS_MULTIPLE;
}

size_t slots_blocks(const struct context *c, int window, bool sending)
{
    const struct flow *flow = c->bench->flow;
    struct bench_run r = *c->run;

    r.window = window;
    const size_t room = flow_room(flow, &r, sending);

    if (flow->elsewhere & (sending ? FLOW_SENDS : FLOW_RECEIVES))
        return 0;
    return sending && room > 0 && sends_one(c) ? 1 : room;
}

/* Bytes that the slots of one window may take on this rank. */
static size_t slots_limit(const struct context *c)
{
    const struct flow *flow = c->bench->flow;
    size_t windows = flow->elsewhere != 0; /* that of the family */

    if (c->settings->slots == SLOTS_SINGLE)
        return LIMIT_TO_CHECK;
    /* How many buffers are in use is what such a program measures. */
    if (c->settings->slots == SLOTS_MULTIPLE || flow->at != NULL)
        return SIZE_MAX;
    for (int sending = 0; sending < 2; sending++)
        windows += slots_blocks(c, 2, sending) - slots_blocks(c, 1, sending);
    return LIMIT / (windows > 0 ? windows : 1);
}

int slots_of(const struct setup *p, int window, size_t bytes)
{
    const size_t most =
        p->window_bytes == SIZE_MAX ? (size_t)window : p->window_bytes / slot_size(bytes);

    return most < 1 ? 1 : most < (size_t)window ? (int)most : window;
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
    const struct partner partner = pairing_partner(&s->pairing, r->pairs, r->rank);
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

    *p = (struct setup){ .start.comm = MPI_COMM_NULL, .window_bytes = SIZE_MAX };
    r->comm = c->world->all;
    r->rank = c->world->rank;
    r->nranks = c->world->size;
    r->blocks = r->nranks;
    find_partner(r, c);
    for (int i = 0; i < 2; i++)
        p->side[i] = memory_kind_of(s->memory[i]);
    p->sends_one = sends_one(c);
    r->op = MPI_SUM;
    r->start = &p->start;
    r->window = !(b->takes & TAKES_WINDOW) ? 1
                : s->vary_window           ? 1 << (VARY_WINDOWS - 1) /* of all rows at most */
                                           : s->window;
    r->in_place = b->takes & TAKES_IN_PLACE && s->in_place;
    r->as_omb = settings_as_omb(s);
    r->root_rotates = b->takes & TAKES_ROOT && s->root == ROOT_ROTATES;
    r->root = b->takes & TAKES_ROOT && s->root > 0 ? s->root : 0;
    p->pool = pool_of(p, c);
    r->pool = &p->pool;
    r->family = world_keep(1, bench_family(b)->state, "the state of a family");
    if (bench_family(b)->describe != NULL)
        b->family->describe(c);
}

/* --- Memory -------------------------------------------------------------------- */

size_t setup_widest(struct setup *p, const struct context *c, const struct rows *rows)
{
    const struct flow *flow = c->bench->flow;
    const int operations = bench_operations(c->bench);
    struct bench_run r = p->run;
    size_t most = 0;

    p->run.parameter = rows->value[0];
    p->run.operation = 0;
    for (r.operation = 0; r.operation == 0 || r.operation < operations; r.operation++)
        for (int i = 0; i < rows->values; i++) {
            r.parameter = rows->value[i];
            const size_t blocks = flow_room(flow, &r, true) + flow_room(flow, &r, false);
            if (blocks > most) {
                most = blocks;
                p->run.parameter = r.parameter;
                p->run.operation = r.operation;
            }
        }
    return slots_limit(c);
}

/* Bytes of that buffer or, if it is to rotate, of its pool if that is larger. */
static size_t bytes_of(const struct setup *p, const struct context *c, size_t bytes, int slots,
                       bool sending)
{
    const size_t buffer = layout_size(sending ? &p->run.out : &p->run.in, bytes,
                                      slots_blocks(c, slots, sending), c->bench->flow->window);

    return buffer > 0 && c->pool > buffer ? c->pool : buffer;
}

/* Whose memory this is. */
static const struct memory_kind *kind_of(const struct setup *p, const struct context *c)
{
    const struct flow *flow = c->bench->flow;
    const bool second = flow->sides == SIDES_TURNED ? p->run.sender : !p->run.sender;

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
    const size_t blocks = flow->window ? flow_room(flow, r, true) + flow_room(flow, r, false) : 0;

    return blocks > windows ? blocks : windows;
}

/* Bytes of what MPI is given beside the buffers. */
static size_t arrays_of(const struct setup *p, const struct context *c)
{
    const struct flow *flow = c->bench->flow;

    return size_sum(flow->arrays != NULL ? flow->arrays->need(&p->run, flow) : 0,
                    size_product(requests_of(p, c), sizeof *p->run.request));
}

/* What is needed for rows of that size. */
static struct buffers buffers_of(const struct setup *p, const struct context *c, size_t bytes)
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

struct memory_need setup_need(const struct setup *p, const struct context *c, size_t bytes)
{
    struct buffers b = buffers_of(p, c, bytes);
    const int window = p->run.window;
    const bool many = slots_blocks(c, window, true) > 1 || slots_blocks(c, window, false) > 1;

    buffers_add(&b, NULL, b.kind, size_sum(b.send.bytes, b.recv.bytes));
    for (int i = 0; i < b.n; i++)
        buffers_add(&b, NULL, b.own[i].kind, b.own[i].bytes);
    struct memory_need need = b.beside;
    need.limited = settings_as_omb(c->settings) && c->bench->timed == TIMED_ALL
                       ? size_product(bytes, many ? (size_t)p->run.nranks : 1)
                       : size_sum(need.host, need.gpu) - arrays_of(p, c);
    return need;
}

/* --- What fits ------------------------------------------------------------------- */

/* What limits rows: -M, the GPU, /dev/shm and the memory of the node. */
enum limit { OF_RANK, OF_GPU, OF_SHARED, OF_NODE, LIMITS };

/* What rows of a size need, where it is most, and what there is, where it is least:
   negative, for one reduction.  lacks: LIMITS less the first that is too little, or 0. */
struct demand {
    double need[LIMITS], available[LIMITS], lacks;
};

/* Collective. */
static struct demand weigh(const struct setup *p, const struct context *c, size_t bytes)
{
    const struct memory_need need = setup_need(p, c, bytes);
    const size_t limit = c->settings->memory_limit;
    double of_node[] = { (double)need.host, (double)need.shared };

    PMPI_Allreduce(MPI_IN_PLACE, of_node, 2, MPI_DOUBLE, MPI_SUM, c->placement->node);
    struct demand d = {
        { limit > 0 ? (double)need.limited : 0, (double)need.gpu, of_node[1], of_node[0] },
        /* The ranks that share a GPU share its memory. */
        { -(double)limit, this_gpu.used ? -(double)this_gpu.facts.free / this_gpu.sharers : 0,
          need.shared > 0 ? -need.room : -INFINITY, -(double)c->placement->available },
    };

    for (int i = LIMITS; i-- > 0;)
        if (d.need[i] > (i == OF_RANK ? 1 : MEMORY_PERCENT / 100.0) * -d.available[i])
            d.lacks = LIMITS - i;
    PMPI_Allreduce(MPI_IN_PLACE, &d, sizeof d / sizeof(double), MPI_DOUBLE, MPI_MAX,
                   c->world->comm);
    d.available[OF_GPU] *= MEMORY_PERCENT / 100.0;
    return d;
}

/* That size does not fit; last: the largest that does, NULL: none. */
static enum exit_code say_left_out(const struct context *c, const struct demand *d, size_t bytes,
                                   const size_t *last)
{
    const enum limit of = LIMITS - (enum limit)d->lacks;
    static const char *const where[LIMITS] = { "", " a GPU", " /dev/shm", "" };
    static const char *const per[LIMITS] = { "", "rank, on its GPU,", "node in /dev/shm", "node" };
    char need[32], available[32], text[120];

    size_words(d->need[of], need);
    size_words(-d->available[of], available);
    if (of == OF_RANK)
        snprintf(text, sizeof text, "needs=%.0f; mem-limit per rank=%zu;", d->need[of],
                 c->settings->memory_limit);
    else
        snprintf(text, sizeof text, "needs=%s; per %s available=%s;", need, per[of], available);
    if (last == NULL)
        return world_refuse(c->world, E10_NOTHING_FITS, "no size fits%s: size=%zu; %s", where[of],
                            bytes, text);
    if (c->world->rank == 0)
        message_print(W11_ROWS_LEFT_OUT, "large sizes are left out: last=%zu; next=%zu; %s", *last,
                      bytes, text);
    return EXIT_OK;
}

/* The largest size of -m whose buffers fit everywhere, of the widest row, which p gets; larger
   ones are named.  Collective. */
static enum exit_code find_fitting(struct setup *p, const struct context *c, struct rows *rows,
                                   size_t *largest)
{
    size_t bytes = c->settings->sizes.min;
    unsigned long window = setup_widest(p, c, rows);
    const size_t *last = NULL;

    PMPI_Allreduce(MPI_IN_PLACE, &window, 1, MPI_UNSIGNED_LONG, MPI_MIN, c->world->comm);
    p->window_bytes = window;
    rows->blocks = &p->blocks;
    if (!(c->bench->takes & TAKES_SIZES))
        return EXIT_OK;
    *largest = 0;
    do {
        const struct demand d = weigh(p, c, bytes);

        if (d.lacks > 0)
            return say_left_out(c, &d, bytes, last);
        *largest = bytes;
        last = largest;
    } while (sizes_next(&c->settings->sizes, &bytes));
    return EXIT_OK;
}

/* --- Rows that there cannot be ------------------------------------------------------- */

/* Blocks of a size of their own may be longer than the message. */
static bool is_int(const struct bench_run *r, size_t count)
{
    return count <= INT_MAX &&
           ((r->out.portions == NULL && r->in.portions == NULL) || layout_fits(r, count));
}

/* Can MPI count it? Parts need an int, packed v-collectives one for the sum of
   all counts, derived types one for their blocks. */
static bool is_countable(const struct context *c, const struct typemap *p)
{
    const struct flow *flow = c->bench->flow;
    const size_t count = p->kind == TYPEMAP_WHOLE ? p->elements : 1;

    if (flow->dealt != FLOW_WHOLE ||
        ((flow->sum || c->bench->needs == NEEDS_PARTITIONED) && !LARGE_COUNTS))
        return count <= INT_MAX;
    return p->n <= INT_MAX && (!flow->int_counts || is_int(c->run, count)) &&
           (!flow->packed || layout_fits(c->run, count)) &&
           (!flow->packed_bytes || layout_fits(c->run, p->elements * p->unit));
}

/* Why rows are left out: each reason is one text, the end of a sentence about rows, and its
   address tells it from others. */
static const char lacks_countable[] = "an MPI count cannot hold their number of elements";
static const char scarce[] = "a rank would have less than one element";
static const char empty[] = "no stride or block of -D fits in them";
static const char parts[] = "a partition (-q) would end within an element";
static const char uneven[] = "their sizes are not whole numbers of elements of the type";

static const char *lacks_size(const struct context *c, const struct row *row)
{
    const struct family *family = bench_family(c->bench);
    const size_t elements = bench_plan(c->bench, c->settings).elements;
    const char *why = /* first, since it may be a row that nobody asked for */
        family->lacks_row != NULL ? family->lacks_row(c, row) : NULL;

    if (why == NULL && row->bytes % (elements * element_size(row->element)) > 0)
        return elements > 1 ? parts : uneven;
    return why;
}

static const char *lacks_elements(const struct context *c, const struct typemap_list *blocks,
                                  const struct row *row)
{
    const int ranks = row->ranks > 0 ? row->ranks : c->run->nranks;
    const struct typemap pieces =
        typemap_of(&c->settings->derived, blocks, element_size(row->element), row->bytes);

    return pieces.n == 0               ? empty
           : !is_countable(c, &pieces) ? lacks_countable
           /* A vector that is dealt out has an element for every rank. */
           : c->bench->flow->dealt != FLOW_WHOLE && pieces.elements < (size_t)ranks &&
                   !settings_as_omb(c->settings)
               ? scarce
               : NULL;
}

/* --- Which rows there are, and in which order ----------------------------------------- */

/* The rows that were asked for: each is measured, or is left out for its reason. */
struct listing {
    const struct context *c;
    struct rows *rows, absent;
    size_t fitting; /* the largest size whose buffers fit */
};

static void rows_add(struct rows *rows, const struct row *row)
{
    if (rows->n == rows->room) {
        const int room = rows->room > 0 ? 2 * rows->room : 64;
        struct row *const more = world_keep((size_t)room, sizeof *more, "the list of rows");

        for (int i = 0; i < rows->n; i++)
            more[i] = rows->row[i];
        rows->row = more;
        rows->room = room;
    }
    rows->row[rows->n++] = *row;
}

/* After the last one: their results, which know no more than their row. */
static void rows_complete(struct rows *rows)
{
    rows->result = world_keep((size_t)rows->n, sizeof *rows->result, "the results of rows");
    for (int i = 0; i < rows->n; i++)
        rows->result[i].row = &rows->row[i];
}

static const char too_large[] = "their buffers do not fit in memory";

/* The sizes of -m of a row, as far as they fit; sizes that are too small for the program are no
   news where nobody named them and there are others. */
static void add_sizes(struct listing *l, struct row row)
{
    const struct settings *s = l->c->settings;
    const int n = l->rows->n;
    struct rows no_news = { .row = NULL };

    row.bytes = s->sizes.min;
    do {
        row.lacks = lacks_size(l->c, &row);
        if (row.lacks == row_unasked)
            continue;
        if (row.lacks == NULL)
            row.lacks =
                row.bytes > l->fitting ? too_large : lacks_elements(l->c, l->rows->blocks, &row);
        if (row.lacks == too_large || row.lacks == lacks_countable)
            rows_add(&l->absent, &row);
        else if (row.lacks != NULL)
            rows_add(s->sizes.named ? &l->absent : &no_news, &row);
        else if (!s->vary_window)
            rows_add(l->rows, &row);
        else
            for (row.window = 1; row.window < 1 << VARY_WINDOWS; row.window *= 2)
                rows_add(l->rows, &row);
    } while (sizes_next(&s->sizes, &row.bytes));
    for (int i = 0; l->rows->n == n && i < no_news.n; i++)
        rows_add(&l->absent, &no_news.row[i]);
}

/* Can that operation be measured?  Says why not. */
static bool is_possible(const struct context *c, int operation)
{
    struct context asked = *c;
    struct refusal refusal = { .why = "" };

    asked.known = KNOWN_OPERATION;
    asked.operation = operation;
    if (c->known >= KNOWN_NODES)
        bench_refuse(&asked, &refusal);
    refusal_print(&refusal, c->world->rank == 0);
    return refusal.why[0] == '\0';
}

/* Ranks that take part in rows of value number i; 0: all. */
static int subset_of(const struct context *c, const struct rows *rows, int i)
{
    const enum parameter_kind kind = bench_plan(c->bench, c->settings).parameter->kind;

    return kind == PARAMETER_PARTNERS  ? (int)rows->value[i] + 1
           : kind == PARAMETER_SUBSETS ? (int)rows->value[i]
                                       : 0;
}

/* The number of ranks of the row after that of n ranks, of the first after 0:
   2, 4, ... and all; 0: it was the last. */
static int next_subset(int n, int all)
{
    if (n == all)
        return 0;
    return n > all / 2 ? all : n == 0 ? 2 : 2 * n;
}

/* One row for each type, or 2, 4, ... and all ranks for each operation. */
static void add_unsized(struct rows *rows, const struct context *c)
{
    const enum element *type = c->settings->types;
    const bool by_ranks = c->bench->parameter.kind == PARAMETER_RANKS;

    for (int v = 0; !by_ranks && v < rows->values; v++)
        for (int i = 0; i < c->settings->ntypes; i++)
            rows_add(rows,
                     &(struct row){ .element = type[i],
                                    .bytes = bench_is_sized(c->bench) ? element_size(type[i]) : 0,
                                    .parameter = rows->value[v],
                                    .window = c->run->window,
                                    .ranks = subset_of(c, rows, v) });
    for (int i = 0; by_ranks && i < bench_operations(c->bench); i++)
        for (int n = 0; (n = next_subset(n, c->world->size)) > 0;)
            rows_add(rows, &(struct row){ .operation = i, .window = c->run->window, .ranks = n });
}

/* Of each operation, at each value of the parameter, of each type, the sizes of -m. */
static void add_all(struct listing *l)
{
    const struct context *c = l->c;
    const struct settings *s = c->settings;
    const struct rows *rows = l->rows;

    if (!(c->bench->takes & TAKES_SIZES)) {
        add_unsized(l->rows, c);
        return;
    }
    for (int o = 0; o == 0 || o < bench_operations(c->bench); o++)
        for (int i = 0; i < rows->values && is_possible(c, o); i++)
            for (int t = 0; t < s->ntypes; t++) {
                const struct row row = {
                    .window = c->run->window,
                    .operation = o,
                    .parameter = rows->value[i],
                    .ranks = subset_of(c, rows, i),
                    .element = s->types[t],
                };

                add_sizes(l, row);
            }
}

/* Say of the rows that are left out for this reason how many they are, and which. */
static enum exit_code say_reason(const struct listing *l, enum message_id id, const char *why)
{
    struct rows same = { .row = NULL };
    char *text = NULL;
    size_t bytes = 0;
    FILE *const to = open_memstream(&text, &bytes);
    enum { MOST = 600 };

    if (to == NULL)
        world_no_memory("a message");
    for (int i = 0; i < l->absent.n; i++)
        if (l->absent.row[i].lacks == why)
            rows_add(&same, &l->absent.row[i]);
    rows_name(to, l->c, same.row, same.n);
    fclose(to);
    message_print(id, "%srows left out=%d;%.*s%s %s", l->rows->n > 0 ? "" : "no row is left; ",
                  same.n, MOST, text, bytes > MOST ? "...;" : "", why);
    free(text);
    return messages[id].code;
}

/* Why there is no row: what the last one lacks, whose size is the largest. */
static enum exit_code say_none(const struct listing *l, bool speaks)
{
    const char *why = l->absent.n > 0 ? l->absent.row[l->absent.n - 1].lacks : NULL;
    enum message_id id = E19_EMPTY;

    for (int i = 0; i < l->absent.n; i++)
        if (l->absent.row[i].lacks == lacks_countable) {
            why = lacks_countable;
            id = E11_TOO_LARGE;
        }
    if (!speaks)
        return messages[id].code;
    return why != NULL ? say_reason(l, id, why)
                       : message_print(id, "none of its sections is possible");
}

/* Say which rows there cannot be: one message for each reason that find_fitting has not said. */
static enum exit_code say_missing(const struct listing *l, bool speaks)
{
    const struct row *row = l->absent.row;

    if (l->rows->n == 0)
        return say_none(l, speaks);
    for (int i = 0, j; speaks && i < l->absent.n; i++) {
        for (j = 0; row[j].lacks != row[i].lacks;)
            j++;
        if (j == i && row[i].lacks != too_large)
            say_reason(l, W31_LEFT_OUT, row[i].lacks);
    }
    return EXIT_OK;
}

static void swap(struct row *a, struct row *b)
{
    const struct row c = *a;

    *a = *b;
    *b = c;
}

/* Put the rows of each block into the order of --order, on all ranks alike. */
static void put_in_order(struct rows *rows, const struct context *c)
{
    const enum order order = c->settings->order;
    uint64_t state = c->seed;
    int last;

    /* Blocks stay together: each has a heading of its own. */
    for (int first = 0; first < rows->n; first = last) {
        struct row *const row = &rows->row[first];

        last = rows_block_end(rows, first);
        const int n = last - first;
        for (int i = 0; order == ORDER_DOWN && i < n / 2; i++)
            swap(&row[i], &row[n - 1 - i]);
        /* Fisher and Yates */
        for (int i = n - 1; order == ORDER_RANDOM && i > 0; i--)
            swap(&row[i], &row[shuffle_next(&state, (unsigned long)i + 1)]);
    }
}

enum exit_code rows_list(struct rows *rows, struct setup *p, const struct context *c)
{
    struct listing l = { .c = c, .rows = rows, .fitting = SIZE_MAX };
    enum exit_code code = EXIT_OK;

    /* command_line_check_ranks has refused what cannot be. */
    rows->values = parameter_values(bench_plan(c->bench, c->settings).parameter, c->settings,
                                    c->world->size, rows->value, NULL, 0);
    if (p != NULL)
        code = find_fitting(p, c, rows, &l.fitting);
    if (code != EXIT_OK)
        return code;
    add_all(&l);
    code = say_missing(&l, p == NULL || c->world->rank == 0);
    rows->absent = l.absent.row;
    rows->nabsent = l.absent.n;
    put_in_order(rows, c);
    rows_complete(rows);
    return code;
}

/* --- What rows find ready, and its end -------------------------------------------------- */

/* Bytes of the largest row; 0 if there is none. */
static size_t largest_of(const struct rows *rows)
{
    size_t largest = 0;

    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].bytes > largest)
            largest = rows->row[i].bytes;
    return largest;
}

/* The send buffer in memory of that kind.  Collective; EXIT_OK, or the code to leave with, said
   why by the first rank that got none. */
static enum exit_code allocate_buffers(struct buffers *b, const struct memory_kind *send,
                                       const struct world *world)
{
    const struct memory_kind *kind = b->kind;
    bool good;

    errno = 0;
    good = buffer_allocate(&b->send, send, b->send.bytes) &&
           buffer_allocate(&b->recv, kind, b->recv.bytes);
    for (int i = 0; good && i < b->n; i++) {
        kind = b->own[i].kind;
        good = buffer_allocate(b->own[i].buffer, kind, b->own[i].bytes);
    }
    if (kind == &memory_host)
        return world_refuse_first(world, !good, E20_OUT_OF_MEMORY,
                                  "memory for buffers could not be allocated");
    return world_refuse_first(world, !good, E32_NO_SUCH_MEMORY, "%s: %s: %s", kind->letter,
                              kind->lacks, strerror(errno));
}

/* Collective; EXIT_OK, or the code to leave with, said why, alike on all ranks. */
static enum exit_code allocate(struct setup *p, const struct context *c, size_t max_bytes)
{
    const struct memory_kind *send = bench_plan(c->bench, c->settings).send_memory;

    p->buffers = buffers_of(p, c, max_bytes);
    p->window = p->run.window;
    /* Smaller rows have as much. */
    if (p->window_bytes < SIZE_MAX)
        p->window_bytes = (size_t)p->buffers.slots * slot_size(max_bytes);
    return allocate_buffers(&p->buffers, send != NULL ? send : p->buffers.kind, c->world);
}

enum exit_code setup_loop(struct setup *p, const struct context *c, const struct rows *rows,
                          struct measure *m)
{
    const struct family *family = bench_family(c->bench);
    struct bench_run *r = &p->run;
    enum exit_code code;

    progress_phase("memory");
    code = allocate(p, c, largest_of(rows));
    if (code != EXIT_OK)
        return code;
    r->request = world_keep(requests_of(p, c), sizeof *r->request, "requests");
    if (c->bench->flow->arrays != NULL)
        c->bench->flow->arrays->begin(r, c->bench->flow);
    measure_begin(m);
    p->start = start_begin(c->world->comm, c->settings->start, c->sync, c->clock->resolution_s);
    return family->ready != NULL ? family->ready(c, &p->buffers) : EXIT_OK;
}

void setup_release(struct setup *p, const struct context *c)
{
    const struct family *family = bench_family(c->bench);

    if (family->end != NULL)
        family->end(c);
    if (p->start.comm != MPI_COMM_NULL)
        PMPI_Comm_free(&p->start.comm);
    free(p->blocks.piece);
    buffer_release(&p->buffers.send);
    buffer_release(&p->buffers.recv);
    for (int i = 0; i < p->buffers.n; i++)
        buffer_release(p->buffers.own[i].buffer);
}
