/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows there are: sweep_choose of sweep.h. */
#include <limits.h>

#include "layout.h"
#include "plan.h"
#include "subset.h"
#include "sweep.h"
#include "vary.h"

/* Sizes of the sweep, with what this node needs for each of them. */
struct demand {
    int n;
    size_t bytes[SWEEP_SIZES];
    double need[SWEEP_SIZES]; /* of all ranks of the node together */
    double fits[SWEEP_SIZES]; /* 1 or 0, on every node */
    double available;         /* of the node that has least */
};

/* Sizes that the program cannot measure. */
struct left_out {
    int uncountable, scarce, empty; /* empty: -D leaves nothing to move */
};

/* With --around a size brings the one above it along, of any type. */
static size_t with_neighbour(const struct settings *set, size_t bytes)
{
    const size_t above = set->sizes.max - bytes;

    return bytes + (!set->around ? 0 : above < 8 ? above : 8);
}

static void weigh(const struct sweep *s, struct demand *w)
{
    const struct settings *set = s->settings;
    size_t bytes = set->sizes.min;
    double own[SWEEP_SIZES];

    w->n = 0;
    do {
        w->bytes[w->n] = bytes;
        own[w->n++] = (double)prepare_bytes(&s->prepared, s->bench, set,
                                            with_neighbour(set, bytes));
    } while (w->n < SWEEP_SIZES && sizes_next(&set->sizes, &bytes));
    MPI_Allreduce(own, w->need, w->n, MPI_DOUBLE, MPI_SUM, s->placement.node);
    for (int i = 0; i < w->n; i++)
        w->fits[i] =
            w->need[i] <=
                PLAN_PERCENT / 100.0 * (double)s->placement.available &&
            (set->memory_limit == 0 || own[i] <= (double)set->memory_limit);
    MPI_Allreduce(MPI_IN_PLACE, w->fits, w->n, MPI_DOUBLE, MPI_MIN,
                  s->world->comm);
    w->available = (double)s->placement.available;
    MPI_Allreduce(MPI_IN_PLACE, &w->available, 1, MPI_DOUBLE, MPI_MIN,
                  s->world->comm);
    MPI_Allreduce(MPI_IN_PLACE, w->need, w->n, MPI_DOUBLE, MPI_MAX,
                  s->world->comm);
}

static enum exit_code say_what_is_left_out(const struct sweep *s,
                                           const struct demand *w, int fitting)
{
    const struct settings *set = s->settings;
    char need[32], free_bytes[32], limit[64] = "";

    if (fitting == w->n)
        return EXIT_OK;
    if (s->world->rank == 0) {
        plan_human(w->need[fitting] < (double)(size_t)-1
                       ? (size_t)w->need[fitting]
                       : (size_t)-1,
                   need);
        plan_human((size_t)w->available, free_bytes);
        if (set->memory_limit > 0)
            snprintf(limit, sizeof limit, " mem-limit per rank=%zu;",
                     set->memory_limit);
        if (fitting == 0)
            message_print(E10_NOTHING_FITS, s->bench->name,
                          "no size fits: size=%zu; needs=%s per node; "
                          "available=%s;%s",
                          w->bytes[0], need, free_bytes, limit);
        else
            message_print(W11_ROWS_LEFT_OUT, s->bench->name,
                          "large sizes are left out: last=%zu; next=%zu; "
                          "needs=%s; per node available=%s;%s",
                          w->bytes[fitting - 1], w->bytes[fitting], need,
                          free_bytes, limit);
    }
    return fitting == 0 ? messages[E10_NOTHING_FITS].code : EXIT_OK;
}

/* Can MPI count it? Parts need an int, packed v-collectives one for the sum of
   all counts, derived types one for their blocks. */
static bool is_countable(const struct sweep *s, const struct pieces *p)
{
    const struct flow *flow = s->bench->flow;
    const int blocks = prepare_blocks(&s->prepared);
    const size_t count = p->kind == PIECES_WHOLE ? p->elements : 1;

    if (flow->dealt != FLOW_WHOLE ||
        ((flow->sum || s->bench->takes & TAKES_PARTITIONS) && !LARGE_COUNTS))
        return count <= INT_MAX;
    return p->n <= INT_MAX && (!flow->int_counts || count <= INT_MAX) &&
           (!flow->packed || layout_fits(blocks, count)) &&
           (!flow->packed_bytes || layout_fits(blocks, p->elements * p->unit));
}

/* Bytes of which a size has to have a whole number. */
static size_t unit_of(const struct sweep *s, enum element element)
{
    return element_size(element) * (s->bench->takes & TAKES_PARTITIONS
                                        ? (size_t)s->settings->partitions
                                        : 1);
}

static void add_row(struct sweep *s, enum element element, size_t bytes,
                    struct left_out *out)
{
    const struct sizes *sizes = &s->settings->sizes;
    const struct pieces pieces =
        pieces_of(&s->settings->derived, &s->prepared.blocks,
                  element_size(element), bytes);

    if (bytes % unit_of(s, element) != 0 || bytes < sizes->min ||
        bytes > sizes->max)
        return; /* no whole number of units, or a neighbour outside */
    if (pieces.n == 0)
        out->empty++;
    else if (!is_countable(s, &pieces))
        out->uncountable++;
    else if (!flow_is_dealt(s->bench->flow, pieces.elements, s->world->size))
        out->scarce++;
    else if (s->settings->vary_window)
        vary_add(s, element, bytes);
    else
        s->row[s->rows++] = (struct row){ .element = element, .bytes = bytes };
}

static void add_rows(struct sweep *s, enum element element,
                     const struct demand *w, int fitting, struct left_out *out)
{
    const size_t one = unit_of(s, element);

    for (int i = 0; i < fitting; i++) {
        /* Below four elements every size is there anyway. */
        const bool around = s->settings->around && w->bytes[i] >= 4 * one;

        if (around)
            add_row(s, element, w->bytes[i] - one, out);
        add_row(s, element, w->bytes[i], out);
        if (around)
            add_row(s, element, w->bytes[i] + one, out);
    }
}

/* One row for each type, or 2, 4, ... and all ranks for each operation. */
static void add_unsized_rows(struct sweep *s)
{
    const enum element *type = s->settings->types;
    const int all = s->world->size;

    for (int i = 0; !s->bench->by_ranks && i < s->settings->ntypes; i++)
        s->row[s->rows++] =
            (struct row){ .element = type[i],
                          .bytes =
                              sweep_is_sized(s) ? element_size(type[i]) : 0 };
    for (int i = 0; i < bench_operations(s->bench); i++)
        for (int n = 0; (n = subset_next(n, all)) > 0;)
            s->row[s->rows++] = (struct row){ .operation = i, .ranks = n };
}

static void say_what_cannot_be(const struct sweep *s,
                               const struct left_out *out)
{
    const char *name = s->bench->name;
    const struct sizes *sizes = &s->settings->sizes;

    if (s->rows > 0 && out->uncountable > 0)
        message_print(W13_UNCOUNTABLE, name,
                      "sizes left out=%d; largest measured=%zu; an MPI "
                      "count holds=%d;",
                      out->uncountable, sweep_largest(s), INT_MAX);
    if (s->rows > 0 && out->scarce > 0)
        message_print(W24_TOO_FEW_ELEMENTS, name,
                      "sizes left out=%d; with less than one element for each "
                      "of ranks=%d;",
                      out->scarce, s->world->size);
    if (s->rows > 0 && out->empty > 0)
        message_print(W27_NOTHING_MOVES, name,
                      "sizes left out=%d; -D has no block that ends within "
                      "them",
                      out->empty);
    if (s->rows > 0)
        return;
    if (out->uncountable > 0)
        message_print(E11_TOO_LARGE, name,
                      "size=%zu; has more elements than an MPI count holds "
                      "(%d;)",
                      sizes->min, INT_MAX);
    else if (out->empty > 0)
        message_print(E19_EMPTY, name,
                      "-D has no block that ends within %zu bytes", sizes->max);
    else
        message_print(E19_EMPTY, name,
                      "no size from %zu to %zu bytes is a whole number of "
                      "elements of the type%s",
                      sizes->min, sizes->max,
                      out->scarce > 0 ? " with at least one for each rank"
                      : s->bench->takes & TAKES_PARTITIONS
                          ? " in each partition"
                          : "");
}

enum exit_code sweep_choose(struct sweep *s)
{
    const struct settings *set = s->settings;
    struct demand w;
    enum exit_code code;
    struct left_out out = { 0 };
    int fitting = 0;

    s->rows = 0;
    if (!(s->bench->takes & TAKES_SIZES)) {
        add_unsized_rows(s);
        return EXIT_OK;
    }
    weigh(s, &w);
    while (fitting < w.n && w.fits[fitting] > 0)
        fitting++;
    code = say_what_is_left_out(s, &w, fitting);
    if (code != EXIT_OK)
        return code;
    for (int i = 0; i < set->ntypes; i++)
        add_rows(s, set->types[i], &w, fitting, &out);
    if (s->world->rank == 0)
        say_what_cannot_be(s, &out);
    if (s->rows > 0)
        return EXIT_OK;
    return messages[out.uncountable > 0 ? E11_TOO_LARGE : E19_EMPTY].code;
}

size_t sweep_largest(const struct sweep *s)
{
    size_t largest = 0;

    for (int i = 0; i < s->rows; i++)
        if (s->row[i].bytes > largest)
            largest = s->row[i].bytes;
    return largest;
}
