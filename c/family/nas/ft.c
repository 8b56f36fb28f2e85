/* SPDX-License-Identifier: BSD-3-Clause */
#include "ft.h"

#include <complex.h>
#include <stdio.h>

enum { ARRAYS = 3 };

static void describe(enum nas_class class, int ranks, struct problem *p)
{
    const int *n = nas_ft[class].n;

    p->divides = grid_divides(class, ranks);
    snprintf(p->needs, sizeof p->needs,
             "a number of ranks that divides %d and %d", n[1], n[2]);
    snprintf(p->size, sizeof p->size, "grid=%dx%dx%d;", n[0], n[1], n[2]);
    p->iterations = nas_ft[class].iterations;
    p->operations = nas_ft_operations(class);
    p->bytes = ARRAYS * grid_bytes(class, ranks);
}

static bool begin(struct bench_run *r, enum nas_class class)
{
    struct nas *a = nas_of(r);
    bool good = true;

    for (int i = 0; i < ARRAYS; i++)
        good = good && buffer_allocate(&a->buffer[i], &memory_host,
                                       grid_bytes(class, r->nranks));
    return good &&
           grid_begin(&a->grid, class, r->rank, r->nranks, a->buffer[0].base,
                      a->buffer[1].base, a->buffer[2].base);
}

static void end(struct bench_run *r)
{
    struct nas *a = nas_of(r);

    grid_end(&a->grid);
    for (int i = 0; i < ARRAYS; i++)
        buffer_release(&a->buffer[i]);
}

static bool verify(struct bench_run *r, char *why, size_t room)
{
    const struct grid *g = &nas_of(r)->grid;
    int wrong = 0, any;

    for (int i = nas_ft[g->class].iterations; i > 0; i--) {
        const double sum[2] = { creal(g->sum[i - 1]), cimag(g->sum[i - 1]) };

        if (!nas_ft_is_right(g->class, i, sum))
            wrong = i;
    }
    PMPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, r->comm);
    snprintf(why, room, "checksum of iteration=%d; on some rank", any);
    if (wrong > 0)
        snprintf(why, room,
                 "iteration=%d; checksum=%.12g,%.12g; expected=%.12g,%.12g;",
                 wrong, creal(g->sum[wrong - 1]), cimag(g->sum[wrong - 1]),
                 nas_ft[g->class].checksum[wrong - 1][0],
                 nas_ft[g->class].checksum[wrong - 1][1]);
    return any == 0;
}

static const struct application application = {
    .calls = { [FT_ALLTOALL] = "MPI_Alltoall",
               [FT_ALLREDUCE] = "MPI_Allreduce" },
    .describe = describe,
    .begin = begin,
    .end = end,
    .verify = verify,
};

static void refuse(const struct context *c, struct refusal *r)
{
    if (!grid_is_built())
        refusal_because(r, E29_LIBRARY,
                        "this build has no FFTW (fftw3, double precision)");
    nas_refuse(c, r);
}

static const struct nas_settings defaults = { NAS_A, &application };

const struct family nas_ft_family = {
    NAS_FAMILY,
    .options = nas_ft_options,
    .defaults = &defaults,
    .refuse = refuse,
};
