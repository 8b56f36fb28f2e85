/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows_list.h"

#include <limits.h>
#include <math.h>

#include "base/shuffle.h"
#include "data/layout.h"
#include "job/world.h"
#include "report/window_columns.h"
#include "sampling/subset.h"
#include "timing/clock.h"

void rows_parameter(struct rows *rows, const struct context *c)
{
    /* command_line_check_ranks has refused what cannot be. */
    rows->values =
        parameter_values(bench_parameter(c->bench, c->settings), c->settings,
                         c->world->size, rows->value, NULL, 0);
}

/* Can MPI count it? Parts need an int, packed v-collectives one for the sum of
   all counts, derived types one for their blocks. */
static bool is_countable(const struct context *c, const struct typemap *p)
{
    const struct flow *flow = c->bench->flow;
    const int blocks = c->run->blocks;
    const size_t count = p->kind == TYPEMAP_WHOLE ? p->elements : 1;

    if (flow->dealt != FLOW_WHOLE ||
        ((flow->sum || c->bench->needs == NEEDS_PARTITIONED) && !LARGE_COUNTS))
        return count <= INT_MAX;
    return p->n <= INT_MAX && (!flow->int_counts || count <= INT_MAX) &&
           (!flow->packed || layout_fits(blocks, count)) &&
           (!flow->packed_bytes || layout_fits(blocks, p->elements * p->unit));
}

/* A size that has rows: whole units, within -m, that the operation has. */
static bool is_size(const struct context *c, const struct row *row,
                    size_t bytes)
{
    const struct family *family = c->bench->family;
    const struct sizes *sizes = &c->settings->sizes;

    return bytes >= sizes->min && bytes <= sizes->max &&
           bytes % bench_unit(c->bench, c->settings, row->element) == 0 &&
           (family == NULL || family->has_row == NULL ||
            family->has_row(c->bench, c->settings, row->operation, bytes));
}

/* A row like that one, of another size. */
static void add_row(struct rows *rows, const struct context *c,
                    const struct typemap_list *blocks, struct row row,
                    size_t bytes, struct left_out *out)
{
    const struct typemap_spec whole = { .kind = TYPEMAP_WHOLE };
    const struct typemap_spec *spec = &c->settings->derived;
    struct typemap pieces;

    row.bytes = bytes;
    if (!is_size(c, &row, bytes))
        return;
    if (spec->kind == TYPEMAP_INDX && blocks == NULL)
        spec = &whole;
    pieces = typemap_of(spec, blocks, element_size(row.element), bytes);
    if (pieces.n == 0)
        out->empty++;
    else if (!is_countable(c, &pieces))
        out->uncountable++;
    else if (!flow_is_dealt(c->bench->flow, pieces.elements, c->world->size))
        out->scarce++;
    else if (c->settings->vary_window)
        window_columns_add(rows, &row);
    else
        rows_add(rows, &row);
}

static void add_sizes(struct rows *rows, const struct context *c,
                      const struct typemap_list *blocks, const struct row *row,
                      size_t fitting, struct left_out *out)
{
    const size_t one = bench_unit(c->bench, c->settings, row->element);
    const struct sizes *sizes = &c->settings->sizes;
    size_t bytes = sizes->min;

    do {
        /* Below four elements every size is there anyway. */
        const bool around = c->settings->around && bytes >= 4 * one;

        if (bytes > fitting)
            return;
        if (around)
            add_row(rows, c, blocks, *row, bytes - one, out);
        add_row(rows, c, blocks, *row, bytes, out);
        if (around)
            add_row(rows, c, blocks, *row, bytes + one, out);
    } while (sizes_next(sizes, &bytes));
}

static bool is_possible(const struct context *c, int operation)
{
    const struct family *family = c->bench->family;

    return c->placement == NULL || family == NULL ||
           family->is_possible == NULL || family->is_possible(c, operation);
}

/* One row for each type, or 2, 4, ... and all ranks for each operation. */
static void add_unsized(struct rows *rows, const struct context *c)
{
    const enum element *type = c->settings->types;
    const bool by_ranks = c->bench->parameter.kind == PARAMETER_RANKS;

    for (int i = 0; !by_ranks && i < c->settings->ntypes; i++)
        rows_add(rows, &(struct row){ .element = type[i],
                                      .bytes = bench_is_sized(c->bench)
                                                   ? element_size(type[i])
                                                   : 0 });
    for (int i = 0; by_ranks && i < bench_operations(c->bench); i++)
        for (int n = 0; (n = subset_next(n, c->world->size)) > 0;)
            rows_add(rows, &(struct row){ .operation = i, .ranks = n });
}

void rows_list(struct rows *rows, const struct context *c,
               const struct typemap_list *blocks, size_t fitting,
               struct left_out *out)
{
    const struct settings *s = c->settings;
    const bool partners = c->bench->parameter.kind == PARAMETER_PARTNERS;

    if (!(c->bench->takes & TAKES_SIZES)) {
        add_unsized(rows, c);
        return;
    }
    for (int o = 0; o == 0 || o < bench_operations(c->bench); o++)
        for (int i = 0; i < rows->values && is_possible(c, o); i++)
            for (int t = 0; t < s->ntypes; t++) {
                const struct row row = {
                    .operation = o,
                    .parameter = rows->value[i],
                    .ranks = partners ? (int)rows->value[i] + 1 : 0,
                    .element = s->types[t],
                    .figure = NAN,
                };

                add_sizes(rows, c, blocks, &row, fitting, out);
            }
}

/* Why there is no row. */
static enum exit_code say_none(const struct context *c,
                               const struct left_out *out)
{
    const struct sizes *sizes = &c->settings->sizes;
    const char *name = c->bench->name;
    const bool units = bench_unit(c->bench, c->settings, ELEMENT_CHAR) > 1;

    if (out->uncountable > 0)
        return world_refuse(c->world, E11_TOO_LARGE, name,
                            "size=%zu; has more elements than an MPI count "
                            "holds (%d;)",
                            sizes->min, INT_MAX);
    if (out->empty > 0)
        return world_refuse(c->world, E19_EMPTY, name,
                            "no block of -D fits in %zu bytes", sizes->max);
    return world_refuse(c->world, E19_EMPTY, name,
                        "no size from %zu to %zu bytes is a whole number of "
                        "elements of the type%s",
                        sizes->min, sizes->max,
                        out->scarce > 0 ? " with at least one for each rank"
                        : units         ? " in each partition"
                                        : "");
}

enum exit_code rows_say(const struct rows *rows, const struct context *c,
                        const struct left_out *out)
{
    const char *name = c->bench->name;

    if (rows->n == 0)
        return say_none(c, out);
    if (c->world->rank != 0)
        return EXIT_OK;
    if (out->uncountable > 0)
        message_print(W13_UNCOUNTABLE, name,
                      "sizes left out=%d; largest measured=%zu; an MPI "
                      "count holds=%d;",
                      out->uncountable, rows_largest(rows), INT_MAX);
    if (out->scarce > 0)
        message_print(W24_TOO_FEW_ELEMENTS, name,
                      "sizes left out=%d; with less than one element for each "
                      "of ranks=%d;",
                      out->scarce, c->world->size);
    if (out->empty > 0)
        message_print(W27_NOTHING_MOVES, name,
                      "sizes left out=%d; no block of -D fits in them",
                      out->empty);
    return EXIT_OK;
}

unsigned long rows_seed(const struct context *c)
{
    const struct settings *s = c->settings;
    unsigned long seed = 0;

    if (!(c->bench->takes & TAKES_SIZES) || s->order != ORDER_RANDOM)
        return 0;
    seed = s->seed != 0 ? s->seed : (unsigned long)clock_now() % 1000000 + 1;
    MPI_Bcast(&seed, 1, MPI_UNSIGNED_LONG, 0, c->world->comm);
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

void rows_order(struct rows *rows, const struct context *c)
{
    uint64_t state = c->seed;
    int last;

    /* Blocks stay together: each has a heading of its own. */
    for (int first = 0; first < rows->n; first = last) {
        last = first;
        while (last < rows->n &&
               row_same_block(&rows->row[last], &rows->row[first]))
            last++;
        arrange(&rows->row[first], last - first, c->settings->order, &state);
    }
}
