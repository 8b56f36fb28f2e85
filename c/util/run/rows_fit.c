/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows_fit.h"

#include "base/buffer_size.h"
#include "gpu/gpu_use.h"
#include "job/world.h"
#include "machine/placement.h"

enum { SIZES = 66 }; /* 0, 1, 2, 4, ... 2^63, and one to spare */

/* Sizes of the sweep, with what this node needs for each of them. */
struct demand {
    int n;
    size_t bytes[SIZES];
    double need[SIZES]; /* of all ranks of the node together */
    double fits[SIZES]; /* 1 or 0, on every node */
    double available;   /* of the node that has least */
    double gpu_need[SIZES], gpu_fits[SIZES];
    double gpu_available; /* the same of the memory of one GPU */
};

/* With --around a size brings the one above it along, of any type. */
static size_t with_neighbour(const struct settings *set, size_t bytes)
{
    const size_t above = set->sizes.max - bytes;

    return bytes + (!set->around ? 0 : above < 8 ? above : 8);
}

/* What a GPU gives, among the ranks that share it. */
static double gpu_available(const struct gpu_use *gpu)
{
    return MEMORY_PERCENT / 100.0 * (double)gpu->facts.free / gpu->sharers;
}

static void reduce(const struct context *c, double *figures, int n, MPI_Op op)
{
    MPI_Allreduce(MPI_IN_PLACE, figures, n, MPI_DOUBLE, op, c->world->comm);
}

static void weigh(const struct setup *p, const struct context *c,
                  struct demand *d)
{
    const struct settings *set = c->settings;
    const double available =
        MEMORY_PERCENT / 100.0 * (double)c->placement->available;
    size_t bytes = set->sizes.min;
    double own[SIZES];

    d->n = 0;
    do {
        const struct memory_need need =
            setup_need(p, c, with_neighbour(set, bytes));

        d->bytes[d->n] = bytes;
        own[d->n] = (double)need.host;
        d->gpu_need[d->n] = (double)need.gpu;
        d->gpu_fits[d->n] =
            need.gpu == 0 || d->gpu_need[d->n] <= gpu_available(c->gpu);
        d->n++;
    } while (d->n < SIZES && sizes_next(&set->sizes, &bytes));
    MPI_Allreduce(own, d->need, d->n, MPI_DOUBLE, MPI_SUM, c->placement->node);
    for (int i = 0; i < d->n; i++)
        d->fits[i] = d->need[i] <= available && d->gpu_fits[i] > 0 &&
                     (set->memory_limit == 0 ||
                      own[i] + d->gpu_need[i] <= (double)set->memory_limit);
    reduce(c, d->fits, d->n, MPI_MIN);
    reduce(c, d->gpu_fits, d->n, MPI_MIN);
    d->available = (double)c->placement->available;
    d->gpu_available = c->gpu->used ? gpu_available(c->gpu) : 0;
    reduce(c, &d->available, 1, MPI_MIN);
    reduce(c, &d->gpu_available, 1, MPI_MIN);
    reduce(c, d->need, d->n, MPI_MAX);
    reduce(c, d->gpu_need, d->n, MPI_MAX);
}

/* Size number fitting is the first that does not fit. */
static enum exit_code say_left_out(const struct context *c,
                                   const struct demand *d, int fitting)
{
    const bool gpu = d->gpu_fits[fitting] == 0;
    char need[32], available[32], limit[64] = "";

    size_words(gpu ? d->gpu_need[fitting] : d->need[fitting], need);
    size_words(gpu ? d->gpu_available : d->available, available);
    if (c->settings->memory_limit > 0)
        snprintf(limit, sizeof limit, " mem-limit per rank=%zu;",
                 c->settings->memory_limit);
    if (fitting == 0)
        return world_refuse(c->world, E10_NOTHING_FITS, c->bench->name,
                            "no size fits%s: size=%zu; needs=%s per %s; "
                            "available=%s;%s",
                            gpu ? " a GPU" : "", d->bytes[0], need,
                            gpu ? "rank" : "node", available, limit);
    if (c->world->rank == 0)
        message_print(W11_ROWS_LEFT_OUT, c->bench->name,
                      "large sizes are left out: last=%zu; next=%zu; "
                      "needs=%s; per %s available=%s;%s",
                      d->bytes[fitting - 1], d->bytes[fitting], need,
                      gpu ? "rank, on its GPU," : "node", available, limit);
    return EXIT_OK;
}

enum exit_code rows_fit(struct setup *p, const struct context *c,
                        const struct rows *rows, size_t *largest)
{
    struct demand d;
    int n = 0; /* those that fit come first */

    setup_widest(p, c, rows);
    weigh(p, c, &d);
    while (n < d.n && d.fits[n] > 0)
        n++;
    *largest = n > 0 ? d.bytes[n - 1] : 0;
    return n < d.n ? say_left_out(c, &d, n) : EXIT_OK;
}
