/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows there are: sweep_choose of sweep.h. */
#include <limits.h>

#include "choose.h"
#include "data/layout.h"
#include "base/buffer_size.h"
#include "rma/rma_window.h"
#include "sampling/subset.h"
#include "sweep.h"
#include "report/window_columns.h"

/* With --around a size brings the one above it along, of any type. */
static size_t with_neighbour(const struct settings *set, size_t bytes)
{
    const size_t above = set->sizes.max - bytes;

    return bytes + (!set->around ? 0 : above < 8 ? above : 8);
}

/* What a GPU gives, among the ranks that share it. */
static double gpu_available(const struct sweep *s)
{
    return MEMORY_PERCENT / 100.0 * (double)s->gpu->facts.free / s->gpu->sharers;
}

static void reduce(const struct sweep *s, double *figures, int n, MPI_Op op)
{
    MPI_Allreduce(MPI_IN_PLACE, figures, n, MPI_DOUBLE, op, s->world->comm);
}

static void weigh(const struct sweep *s, struct demand *w)
{
    const struct settings *set = s->settings;
    const double available =
        MEMORY_PERCENT / 100.0 * (double)s->placement.available;
    size_t bytes = set->sizes.min;
    double own[SWEEP_SIZES];

    w->n = 0;
    do {
        const struct prepare_need need = prepare_need(
            &s->prepared, s->bench, set, with_neighbour(set, bytes));

        w->bytes[w->n] = bytes;
        own[w->n] = (double)need.host;
        w->gpu_need[w->n] = (double)need.gpu;
        w->gpu_fits[w->n] =
            need.gpu == 0 || w->gpu_need[w->n] <= gpu_available(s);
        w->n++;
    } while (w->n < SWEEP_SIZES && sizes_next(&set->sizes, &bytes));
    MPI_Allreduce(own, w->need, w->n, MPI_DOUBLE, MPI_SUM, s->placement.node);
    for (int i = 0; i < w->n; i++)
        w->fits[i] = w->need[i] <= available && w->gpu_fits[i] > 0 &&
                     (set->memory_limit == 0 ||
                      own[i] + w->gpu_need[i] <= (double)set->memory_limit);
    reduce(s, w->fits, w->n, MPI_MIN);
    reduce(s, w->gpu_fits, w->n, MPI_MIN);
    w->available = (double)s->placement.available;
    w->gpu_available = s->gpu->used ? gpu_available(s) : 0;
    reduce(s, &w->available, 1, MPI_MIN);
    reduce(s, &w->gpu_available, 1, MPI_MIN);
    reduce(s, w->need, w->n, MPI_MAX);
    reduce(s, w->gpu_need, w->n, MPI_MAX);
}

static int fitting_of(const struct demand *w)
{
    int n = 0; /* those that fit come first */

    while (n < w->n && w->fits[n] > 0)
        n++;
    return n;
}

/* Can MPI count it? Parts need an int, packed v-collectives one for the sum of
   all counts, derived types one for their blocks. */
static bool is_countable(const struct sweep *s, const struct typemap *p)
{
    const struct flow *flow = s->bench->flow;
    const int blocks = prepare_blocks(&s->prepared);
    const size_t count = p->kind == TYPEMAP_WHOLE ? p->elements : 1;

    if (flow->dealt != FLOW_WHOLE ||
        ((flow->sum || s->bench->takes & TAKES_PARTITIONS) && !LARGE_COUNTS))
        return count <= INT_MAX;
    return p->n <= INT_MAX && (!flow->int_counts || count <= INT_MAX) &&
           (!flow->packed || layout_fits(blocks, count)) &&
           (!flow->packed_bytes || layout_fits(blocks, p->elements * p->unit));
}

/* A row like that one, of another size. */
static void add_row(struct sweep *s, struct row row, size_t bytes,
                    struct left_out *out)
{
    const struct sizes *sizes = &s->settings->sizes;
    const struct typemap pieces =
        typemap_of(&s->settings->derived, &s->prepared.blocks,
                  element_size(row.element), bytes);

    row.bytes = bytes;
    if (bytes % bench_unit(s->bench, s->settings, row.element) != 0 ||
        bytes < sizes->min || bytes > sizes->max ||
        !bench_has_row(&s->bench->operations[row.operation], s->settings,
                       bytes))
        return; /* no whole number of units, or a neighbour outside */
    if (pieces.n == 0)
        out->empty++;
    else if (!is_countable(s, &pieces))
        out->uncountable++;
    else if (!flow_is_dealt(s->bench->flow, pieces.elements, s->world->size))
        out->scarce++;
    else if (s->settings->vary_window)
        window_columns_add(s, row.element, bytes);
    else
        s->row[s->rows++] = row;
}

static void add_rows(struct sweep *s, struct row row, const struct demand *w,
                     int fitting, struct left_out *out)
{
    const size_t one = bench_unit(s->bench, s->settings, row.element);

    for (int i = 0; i < fitting; i++) {
        /* Below four elements every size is there anyway. */
        const bool around = s->settings->around && w->bytes[i] >= 4 * one;

        if (around)
            add_row(s, row, w->bytes[i] - one, out);
        add_row(s, row, w->bytes[i], out);
        if (around)
            add_row(s, row, w->bytes[i] + one, out);
    }
}

static bool is_possible(const struct sweep *s, int operation)
{
    const struct operation *o = &s->bench->operations[operation];
    const bool far = s->prepared.side[0] == &memory_device ||
                     s->prepared.side[1] == &memory_device;

    if (!o->unified || (!far && rma_is_unified(s->world->comm)))
        return true;
    if (s->world->rank == 0)
        message_print(W30_NOT_UNIFIED, s->bench->name,
                      "operation %s is left out: %s", o->name,
                      far ? "the processor does not see device memory"
                          : "memory of a window is not what the processor "
                            "sees (MPI_WIN_SEPARATE)");
    return false;
}

/* All sizes, of each type at each level of each operation. */
static void add_blocks(struct sweep *s, const struct demand *w, int fitting,
                       struct left_out *out)
{
    const struct settings *set = s->settings;
    const bool of_ranks = s->bench->levels.kind == LEVELS_OF_RANKS;

    for (int o = 0; o == 0 || o < bench_operations(s->bench); o++)
        for (int i = 0; i < s->levels && is_possible(s, o); i++)
            for (int t = 0; t < set->ntypes; t++)
                add_rows(
                    s,
                    (struct row){ .operation = o,
                                  .level = s->level[i],
                                  .ranks = of_ranks ? (int)s->level[i] + 1 : 0,
                                  .element = set->types[t] },
                    w, fitting, out);
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

enum exit_code sweep_choose(struct sweep *s)
{
    const struct settings *set = s->settings;
    struct demand w;
    enum exit_code code;
    struct left_out out = { 0 };

    s->rows = 0;
    /* command_line_check_ranks has asked before. */
    s->levels = levels_choose(bench_levels(s->bench, set), set, s->world->size,
                              s->level, NULL, 0);
    prepare_widest(&s->prepared, s->bench, s->level, s->levels);
    if (!(s->bench->takes & TAKES_SIZES)) {
        add_unsized_rows(s);
        return EXIT_OK;
    }
    weigh(s, &w);
    code = choose_say_left_out(s, &w, fitting_of(&w));
    if (code != EXIT_OK)
        return code;
    add_blocks(s, &w, fitting_of(&w), &out);
    if (s->world->rank == 0)
        choose_say_impossible(s, &out);
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
