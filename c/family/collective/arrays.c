/* SPDX-License-Identifier: BSD-3-Clause */
#include "arrays.h"

#include <limits.h>

#include "base/sizes.h"
#include "job/world.h"

/* Entries of each array of a buffer.  Even a rank without blocks may name the first. */
static size_t entries(const struct bench_run *r, const struct flow *flow, bool sending)
{
    if (flow->dealt == FLOW_PARTS)
        return sending ? 0 : (size_t)r->nranks;
    const size_t room = flow_room(flow, r, sending);

    return room > 0 ? room : 1;
}

/* Of each block a type, and a place beyond what an int holds. */
static bool has_types(const struct flow *flow)
{
    return flow->packed_bytes || flow->int_counts;
}

static bool has_displacements(const struct bench_run *r, const struct flow *flow)
{
    return flow->int_counts || r->out.portions != NULL || r->in.portions != NULL;
}

static size_t arrays_need(const struct bench_run *r, const struct flow *flow)
{
    const size_t out = entries(r, flow, true), in = entries(r, flow, false);
    const size_t each =
        2 * sizeof *r->out.counts + (has_displacements(r, flow) ? sizeof *r->out.displacements : 0);
    const size_t type = has_types(flow) ? sizeof *r->types : 0;

    return size_sum(size_product(size_sum(out, in), each), size_product(out > in ? out : in, type));
}

static size_t need(const struct bench_run *r, const struct flow *flow)
{
    const int portions =
        (r->out.portions != NULL ? r->out.n : 0) + (r->in.portions != NULL ? r->in.n : 0);

    return size_sum(arrays_need(r, flow), (size_t)portions * sizeof(struct portion));
}

static void begin(struct bench_run *r, const struct flow *flow)
{
    const size_t out = entries(r, flow, true), in = entries(r, flow, false);
    /* One block of memory, the widest entries first. */
    char *at = world_keep(arrays_need(r, flow), 1, "blocks");

    if (has_displacements(r, flow)) {
        r->out.displacements = (MPI_Aint *)at;
        r->in.displacements = r->out.displacements + out;
        at = (char *)(r->in.displacements + in);
    }
    if (has_types(flow)) {
        r->types = (MPI_Datatype *)at;
        at = (char *)(r->types + (out > in ? out : in));
    }
    r->out.counts = (int *)at;
    r->out.displs = r->out.counts + out;
    r->in.counts = r->out.displs + out;
    r->in.displs = r->in.counts + in;
    if (r->out.portions == NULL)
        r->out.n = (int)out;
    if (r->in.portions == NULL)
        r->in.n = (int)in;
}

void arrays_split(struct layout *l, int count, int parts, bool rest)
{
    for (int i = 0; i < parts; i++) {
        const struct layout_part part = layout_part((size_t)count, parts, rest, i);

        l->counts[i] = (int)part.n;
        l->displs[i] = (int)part.first;
    }
}

static void fill_equal(const struct bench_run *r, struct layout *l, size_t count, size_t unit,
                       size_t bytes)
{
    const bool fit = layout_fits(r, unit);

    for (int i = 0; i < l->n; i++) {
        l->counts[i] = count <= INT_MAX ? (int)count : 0;
        l->displs[i] = fit ? (int)unit * i : 0;
        if (l->displacements != NULL)
            l->displacements[i] = (MPI_Aint)(bytes * (size_t)i);
    }
}

static void fill_portions(struct layout *l, size_t count, size_t unit, size_t bytes)
{
    const size_t one = count > 0 ? bytes / count : 0;
    const size_t step = count > 0 ? unit / count : 0;
    size_t at = 0;

    for (int i = 0; i < l->n; i++) {
        const size_t n = layout_portion(&l->portions[i], count);

        l->counts[i] = (int)n;
        l->displs[i] = at * step <= INT_MAX ? (int)(at * step) : 0;
        l->displacements[i] = (MPI_Aint)(at * one);
        at += n;
    }
}

static void fill(struct bench_run *r, const struct flow *flow)
{
    struct layout *const layouts[] = { &r->out, &r->in };
    const size_t count = (size_t)r->count;
    const size_t unit = flow->packed_bytes ? r->bytes : count;

    if (flow->dealt == FLOW_PARTS) {
        arrays_split(&r->in, (int)count, r->nranks, true);
        return;
    }
    for (int i = 0; i < 2; i++)
        if (layouts[i]->portions != NULL)
            fill_portions(layouts[i], count, unit, r->bytes);
        else
            fill_equal(r, layouts[i], count, unit, r->bytes);
    for (int i = 0; r->types != NULL && (i < r->out.n || i < r->in.n); i++)
        r->types[i] = r->type;
}

const struct flow_arrays vector_arrays = { .need = need, .begin = begin, .fill = fill };
