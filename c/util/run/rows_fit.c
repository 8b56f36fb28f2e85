/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows_fit.h"

#include "base/buffer_size.h"
#include "gpu/gpu_use.h"
#include "job/world.h"
#include "machine/placement.h"

/* What rows of a size need, where it is most, and what there is, where that is
   least; of a node, and of one GPU. */
struct demand {
    double node, gpu;
    double node_available, gpu_available;
    bool fits, gpu_fits; /* everywhere */
};

/* With --around a size brings the one above it along, of any type. */
static size_t with_neighbour(const struct settings *set, size_t bytes)
{
    const size_t above = set->sizes.max - bytes;

    return bytes + (!set->around ? 0 : above < 8 ? above : 8);
}

/* Collective. */
static struct demand weigh(const struct setup *p, const struct context *c,
                           size_t bytes)
{
    const struct settings *set = c->settings;
    const struct memory_need need =
        setup_need(p, c, with_neighbour(set, bytes));
    const double share = MEMORY_PERCENT / 100.0;
    const double available = (double)c->placement->available;
    /* Among the ranks that share a GPU. */
    const double gpu_available =
        c->gpu->used ? share * (double)c->gpu->facts.free / c->gpu->sharers : 0;
    const bool gpu_fits = (double)need.gpu <= gpu_available;
    const bool within = set->memory_limit == 0 ||
                        size_sum(need.host, need.gpu) <= set->memory_limit;
    double node = (double)need.host;

    MPI_Allreduce(MPI_IN_PLACE, &node, 1, MPI_DOUBLE, MPI_SUM,
                  c->placement->node);
    const bool fits = node <= share * available && gpu_fits && within;
    double most[] = { node,  (double)need.gpu, -available, -gpu_available,
                      !fits, !gpu_fits };

    MPI_Allreduce(MPI_IN_PLACE, most, sizeof most / sizeof *most, MPI_DOUBLE,
                  MPI_MAX, c->world->comm);
    return (struct demand){ .node = most[0],
                            .gpu = most[1],
                            .node_available = -most[2],
                            .gpu_available = -most[3],
                            .fits = most[4] == 0,
                            .gpu_fits = most[5] == 0 };
}

/* That size does not fit; last: the largest that does, NULL: none. */
static enum exit_code say_left_out(const struct context *c,
                                   const struct demand *d, size_t bytes,
                                   const size_t *last)
{
    const bool gpu = !d->gpu_fits;
    char need[32], available[32], limit[64] = "";

    size_words(gpu ? d->gpu : d->node, need);
    size_words(gpu ? d->gpu_available : d->node_available, available);
    if (c->settings->memory_limit > 0)
        snprintf(limit, sizeof limit, " mem-limit per rank=%zu;",
                 c->settings->memory_limit);
    if (last == NULL)
        return world_refuse(c->world, E10_NOTHING_FITS, c->bench->name,
                            "no size fits%s: size=%zu; needs=%s per %s; "
                            "available=%s;%s",
                            gpu ? " a GPU" : "", bytes, need,
                            gpu ? "rank" : "node", available, limit);
    if (c->world->rank == 0)
        message_print(W11_ROWS_LEFT_OUT, c->bench->name,
                      "large sizes are left out: last=%zu; next=%zu; "
                      "needs=%s; per %s available=%s;%s",
                      *last, bytes, need, gpu ? "rank, on its GPU," : "node",
                      available, limit);
    return EXIT_OK;
}

enum exit_code rows_fit(const struct setup *p, const struct context *c,
                        size_t *largest)
{
    size_t bytes = c->settings->sizes.min;
    const size_t *last = NULL;

    *largest = 0;
    do {
        const struct demand d = weigh(p, c, bytes);

        if (!d.fits)
            return say_left_out(c, &d, bytes, last);
        *largest = bytes;
        last = largest;
    } while (sizes_next(&c->settings->sizes, &bytes));
    return EXIT_OK;
}
