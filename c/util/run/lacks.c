/* SPDX-License-Identifier: BSD-3-Clause */
#include "lacks.h"

#include <limits.h>

#include "bench.h"
#include "data/datatype.h"

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

/* Why rows are left out. */
const char lacks_countable[] =
    "an MPI count cannot hold their number of elements";
static const char scarce[] = "a rank would have less than one element";
static const char empty[] = "no stride or block of -D fits in them";
static const char parts[] = "a partition (-q) would end within an element";
static const char uneven[] =
    "their sizes are not whole numbers of elements of the type";

const char *lacks_size(const struct context *c, const struct row *row)
{
    const struct family *family = bench_family(c->bench);
    const size_t elements = bench_plan(c->bench, c->settings).elements;
    const char *why = /* first, since it may be a row that nobody asked for */
        family->lacks_row != NULL ? family->lacks_row(c, row) : NULL;

    if (why == NULL && row->bytes % (elements * element_size(row->element)) > 0)
        return elements > 1 ? parts : uneven;
    return why;
}

const char *lacks_elements(const struct context *c,
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
