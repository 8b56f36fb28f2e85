/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows_list.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/shuffle.h"
#include "base/sizes.h"
#include "bench.h"
#include "data/datatype.h"
#include "job/world.h"
#include "machine/placement.h"
#include "memory/gpu.h"
#include "sampling/start.h"
#include "timing/clock.h"

/* The values of the parameter, into rows->value. */
static void find_values(struct rows *rows, const struct context *c)
{
    /* command_line_check_ranks has refused what cannot be. */
    rows->values =
        parameter_values(bench_plan(c->bench, c->settings).parameter,
                         c->settings, c->world->size, rows->value, NULL, 0);
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
static struct demand weigh(const struct setup *p, const struct context *c,
                           size_t bytes)
{
    const struct memory_need need = setup_need(p, c, bytes);
    const size_t limit = c->settings->memory_limit;
    double of_node[] = { (double)need.host, (double)need.shared };

    PMPI_Allreduce(MPI_IN_PLACE, of_node, 2, MPI_DOUBLE, MPI_SUM,
                   c->placement->node);
    struct demand d = {
        { limit > 0 ? (double)setup_limited(p, c, bytes) : 0, (double)need.gpu,
          of_node[1], of_node[0] },
        /* The ranks that share a GPU share its memory. */
        { -(double)limit,
          this_gpu.used ? -(double)this_gpu.facts.free / this_gpu.sharers : 0,
          need.shared > 0 ? -need.room : -INFINITY,
          -(double)c->placement->available },
    };

    for (int i = LIMITS; i-- > 0;)
        if (d.need[i] >
            (i == OF_RANK ? 1 : MEMORY_PERCENT / 100.0) * -d.available[i])
            d.lacks = LIMITS - i;
    PMPI_Allreduce(MPI_IN_PLACE, &d, sizeof d / sizeof(double), MPI_DOUBLE,
                   MPI_MAX, c->world->comm);
    d.available[OF_GPU] *= MEMORY_PERCENT / 100.0;
    return d;
}

/* That size does not fit; last: the largest that does, NULL: none. */
static enum exit_code say_left_out(const struct context *c,
                                   const struct demand *d, size_t bytes,
                                   const size_t *last)
{
    const enum limit of = LIMITS - (enum limit)d->lacks;
    static const char *const where[LIMITS] = { "", " a GPU", " /dev/shm", "" };
    static const char *const per[LIMITS] = { "", "rank, on its GPU,",
                                             "node in /dev/shm", "node" };
    char need[32], available[32], text[120];

    size_words(d->need[of], need);
    size_words(-d->available[of], available);
    if (of == OF_RANK)
        snprintf(text, sizeof text, "needs=%.0f; mem-limit per rank=%zu;",
                 d->need[of], c->settings->memory_limit);
    else
        snprintf(text, sizeof text, "needs=%s; per %s available=%s;", need,
                 per[of], available);
    if (last == NULL)
        return world_refuse(c->world, E10_NOTHING_FITS, c->bench->name,
                            "no size fits%s: size=%zu; %s", where[of], bytes,
                            text);
    if (c->world->rank == 0)
        message_print(W11_ROWS_LEFT_OUT, c->bench->name,
                      "large sizes are left out: last=%zu; next=%zu; %s", *last,
                      bytes, text);
    return EXIT_OK;
}

/* The largest size of -m whose buffers fit everywhere, of the widest row; larger ones
   are named.  Collective. */
static enum exit_code find_fitting(const struct setup *p,
                                   const struct context *c, size_t *largest)
{
    size_t bytes = sizes_first(&c->settings->sizes);
    const size_t *last = NULL;

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
           ((r->out.portions == NULL && r->in.portions == NULL) ||
            layout_fits(r, count));
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
static const char lacks_countable[] =
    "an MPI count cannot hold their number of elements";
static const char scarce[] = "a rank would have less than one element";
static const char empty[] = "no stride or block of -D fits in them";
static const char parts[] = "a partition (-q) would end within an element";
static const char uneven[] =
    "their sizes are not whole numbers of elements of the type";

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

static const char *lacks_elements(const struct context *c,
                                  const struct typemap_list *blocks,
                                  const struct row *row)
{
    const int ranks = row->ranks > 0 ? row->ranks : c->run->nranks;
    const struct typemap pieces = typemap_of(
        &c->settings->derived, blocks, element_size(row->element), row->bytes);

    return pieces.n == 0               ? empty
           : !is_countable(c, &pieces) ? lacks_countable
           : settings_as_omb(c->settings) ||
                   flow_is_dealt(c->bench->flow, pieces.elements, ranks)
               ? NULL
               : scarce;
}

/* --- The list -------------------------------------------------------------------- */

/* The rows that were asked for: each is measured, or is left out for its reason. */
struct listing {
    const struct context *c;
    struct rows *rows, absent;
};

/* A row for each window of -V. */
static void add_windows(struct rows *rows, struct row row)
{
    for (row.window = 1; row.window < 1 << VARY_WINDOWS; row.window *= 2)
        rows_add(rows, &row);
}

static const char too_large[] = "their buffers do not fit in memory";

/* Those sizes of -m, up to fitting, of a row; sizes that the program does not have are no
   news where nobody named them and there are others. */
static void add_sizes(struct listing *l, struct row row, size_t fitting)
{
    const struct settings *s = l->c->settings;
    const int n = l->rows->n;
    struct rows no_news = { .row = NULL };

    row.bytes = sizes_first(&s->sizes);
    do {
        row.lacks = lacks_size(l->c, &row);
        if (row.lacks == row_unasked)
            continue;
        if (row.lacks != NULL) {
            rows_add(s->sizes.named ? &l->absent : &no_news, &row);
            continue;
        }
        row.lacks = row.bytes > fitting
                        ? too_large
                        : lacks_elements(l->c, l->rows->blocks, &row);
        if (row.lacks != NULL)
            rows_add(&l->absent, &row);
        else if (s->vary_window)
            add_windows(l->rows, row);
        else
            rows_add(l->rows, &row);
    } while (sizes_next(&s->sizes, &row.bytes));
    for (int i = 0; l->rows->n == n && i < no_news.n; i++)
        rows_add(&l->absent, &no_news.row[i]);
    rows_release(&no_news);
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
    refusal_print(&refusal, c->bench->name, c->world->rank == 0);
    return refusal.why[0] == '\0';
}

/* Ranks that take part in rows of value number i; 0: all. */
static int subset_of(const struct context *c, const struct rows *rows, int i)
{
    const enum parameter_kind kind =
        bench_plan(c->bench, c->settings).parameter->kind;

    return kind == PARAMETER_PARTNERS  ? (int)rows->value[i] + 1
           : kind == PARAMETER_SUBSETS ? (int)rows->value[i]
                                       : 0;
}

/* One row for each type, or 2, 4, ... and all ranks for each operation. */
static void add_unsized(struct rows *rows, const struct context *c)
{
    const enum element *type = c->settings->types;
    const bool by_ranks = c->bench->parameter.kind == PARAMETER_RANKS;

    for (int v = 0; !by_ranks && v < rows->values; v++)
        for (int i = 0; i < c->settings->ntypes; i++)
            rows_add(rows, &(struct row){ .element = type[i],
                                          .bytes = bench_is_sized(c->bench)
                                                       ? element_size(type[i])
                                                       : 0,
                                          .parameter = rows->value[v],
                                          .ranks = subset_of(c, rows, v) });
    for (int i = 0; by_ranks && i < bench_operations(c->bench); i++)
        for (int n = 0; (n = subset_next(n, c->world->size)) > 0;)
            rows_add(rows, &(struct row){ .operation = i, .ranks = n });
}

/* Of each operation, at each value of the parameter, of each type, those sizes of -m that
   are at most fitting. */
static void add_all(struct listing *l, size_t fitting)
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
                    .operation = o,
                    .parameter = rows->value[i],
                    .ranks = subset_of(c, rows, i),
                    .element = s->types[t],
                };

                add_sizes(l, row, fitting);
            }
}

/* Say of the rows that are left out for this reason how many they are, and which. */
static enum exit_code say_reason(const struct listing *l, enum message_id id,
                                 const char *why)
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
    message_print(id, l->c->bench->name, "%srows left out=%d;%.*s%s %s",
                  l->rows->n > 0 ? "" : "no row is left; ", same.n, MOST, text,
                  bytes > MOST ? "...;" : "", why);
    free(text);
    rows_release(&same);
    return messages[id].code;
}

/* Why there is no row. */
static enum exit_code say_none(const struct listing *l, bool speaks)
{
    const char *why = l->absent.n > 0 ? l->absent.row[0].lacks : NULL;
    enum message_id id = E19_EMPTY;

    for (int i = 0; i < l->absent.n; i++)
        if (l->absent.row[i].lacks == lacks_countable) {
            why = lacks_countable;
            id = E11_TOO_LARGE;
        }
    if (!speaks)
        return messages[id].code;
    return why != NULL ? say_reason(l, id, why)
                       : message_print(id, l->c->bench->name,
                                       "none of its sections is possible");
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

unsigned long rows_seed(const struct context *c)
{
    const struct settings *s = c->settings;
    unsigned long seed = 0;

    if (!(c->bench->takes & TAKES_SIZES) || s->order != ORDER_RANDOM)
        return 0;
    seed = s->seed != 0 ? s->seed : (unsigned long)clock_now() % 1000000 + 1;
    PMPI_Bcast(&seed, 1, MPI_UNSIGNED_LONG, 0, c->world->comm);
    return seed;
}

static void swap(struct row *a, struct row *b)
{
    const struct row c = *a;

    *a = *b;
    *b = c;
}

/* Put n rows of one block into order. */
static void arrange(struct row *row, int n, enum order order, uint64_t *state)
{
    if (order == ORDER_DOWN)
        for (int i = 0; i < n / 2; i++)
            swap(&row[i], &row[n - 1 - i]);
    if (order == ORDER_RANDOM) /* Fisher and Yates */
        for (int i = n - 1; i > 0; i--)
            swap(&row[i], &row[shuffle_next(state, (unsigned long)i + 1)]);
}

/* Put the rows of each block into the order of --order, on all ranks alike. */
static void put_in_order(struct rows *rows, const struct context *c)
{
    uint64_t state = c->seed;
    int last;

    /* Blocks stay together: each has a heading of its own. */
    for (int first = 0; first < rows->n; first = last) {
        last = rows_block_end(rows, first);
        arrange(&rows->row[first], last - first, c->settings->order, &state);
    }
}

/* --- For the run, and for --dry-run ---------------------------------------------- */

/* What is listed, and what is not: said if this rank speaks. */
static enum exit_code list(struct rows *rows, const struct context *c,
                           size_t fitting, bool speaks)
{
    struct listing l = { .c = c, .rows = rows };
    enum exit_code code;

    add_all(&l, fitting);
    code = say_missing(&l, speaks);
    rows->absent = l.absent.row;
    rows->nabsent = l.absent.n;
    return code;
}

enum exit_code rows_list(struct rows *rows, const struct context *c)
{
    find_values(rows, c);
    return list(rows, c, SIZE_MAX, true);
}

enum exit_code rows_list_fitting(struct rows *rows, struct setup *p,
                                 const struct context *c)
{
    enum exit_code code = EXIT_OK;
    size_t fitting = 0;

    find_values(rows, c);
    const struct row widest = setup_widest(p, c, rows);
    setup_turn_to(p, &widest);
    slots_agree(p, c);
    if (c->bench->takes & TAKES_SIZES)
        code = find_fitting(p, c, &fitting);
    if (code != EXIT_OK)
        return code;
    rows->blocks = &p->blocks;
    code = list(rows, c, fitting, c->world->rank == 0);
    put_in_order(rows, c);
    rows_complete(rows);
    return code;
}
