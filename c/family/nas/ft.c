/* SPDX-License-Identifier: BSD-3-Clause */
#include "nas.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#ifdef HAVE_FFTW3
#    include <fftw3.h>
#endif

static const double ALPHA = 1e-6; /* coefficient of the equation */

bool grid_divides(enum nas_class class, int ranks)
{
    const int *n = nas_ft[class].n;

    return n[1] % ranks == 0 && n[2] % ranks == 0;
}

size_t grid_bytes(enum nas_class class, int ranks)
{
    const int *n = nas_ft[class].n;

    return (size_t)n[0] * (size_t)n[1] * (size_t)(n[2] / ranks) * sizeof(double _Complex);
}

static size_t plane_of(const struct grid *g)
{
    return (size_t)g->nx * (size_t)g->ny;
}

void grid_fill(struct grid *g)
{
    const size_t n = plane_of(g) * (size_t)g->own_z;
    uint64_t state = nas_random_skip(NAS_SEED, 2 * (uint64_t)n * (uint64_t)g->rank);

    for (size_t i = 0; i < n; i++) {
        const double real = nas_random(&state);

        /* Compilers other than gcc lack CMPLX of glibc. */
        g->space[i] = real + nas_random(&state) * I;
    }
}

/* The rows of a plane that belong to rank, in the blocks of other. */
static double _Complex *rows_of(const struct grid *g, int rank, int z)
{
    return g->other + (size_t)rank * (size_t)g->block +
           (size_t)z * (size_t)g->own_y * (size_t)g->nx;
}

void grid_leave(struct grid *g)
{
    const size_t rows = (size_t)g->own_y * (size_t)g->nx;

    for (int z = 0; z < g->own_z; z++) {
        double _Complex *plane = g->space + (size_t)z * plane_of(g);

        grid_transform(g, GRID_PLANE_THERE, plane);
        for (int rank = 0; rank < g->ranks; rank++)
            memcpy(rows_of(g, rank, z), plane + (size_t)rank * rows, rows * sizeof *plane);
    }
}

void grid_arrive(struct grid *g)
{
    const size_t rows = (size_t)g->own_y * (size_t)g->nx;

    for (int z = 0; z < g->own_z; z++) {
        double _Complex *plane = g->space + (size_t)z * plane_of(g);

        for (int rank = 0; rank < g->ranks; rank++)
            memcpy(plane + (size_t)rank * rows, rows_of(g, rank, z), rows * sizeof *plane);
        grid_transform(g, GRID_PLANE_BACK, plane);
    }
}

void grid_enter(struct grid *g)
{
    for (int y = 0; y < g->own_y; y++)
        grid_transform(g, GRID_COLUMN_THERE, g->spectrum + (size_t)y * (size_t)g->nx);
}

/* exp(-4 alpha pi^2 k^2 t) along one axis: wave numbers of the upper half are
   negative. */
static void fill_decay(double *factor, int n, int iteration)
{
    const double rate = -4 * ALPHA * M_PI * M_PI * iteration;

    for (int i = 0; i < n; i++) {
        const double k = i < n / 2 ? i : i - n;

        factor[i] = exp(rate * k * k);
    }
}

void grid_evolve(struct grid *g, int iteration)
{
    double *x_factor = g->decay, *y_factor = x_factor + g->nx, *z_factor = y_factor + g->ny;
    const size_t stride = (size_t)g->own_y * (size_t)g->nx;

    fill_decay(x_factor, g->nx, iteration);
    fill_decay(y_factor, g->ny, iteration);
    fill_decay(z_factor, g->nz, iteration);
    for (int y = 0; y < g->own_y; y++) {
        const size_t first = (size_t)y * (size_t)g->nx;

        for (int z = 0; z < g->nz; z++) {
            const size_t at = first + (size_t)z * stride;
            const double factor = y_factor[g->rank * g->own_y + y] * z_factor[z];

            for (int x = 0; x < g->nx; x++)
                g->space[at + (size_t)x] = factor * x_factor[x] * g->spectrum[at + (size_t)x];
        }
        grid_transform(g, GRID_COLUMN_BACK, g->space + first);
    }
}

void grid_sum(struct grid *g)
{
    const double points = (double)plane_of(g) * g->nz;

    g->part = 0;
    for (int j = 1; j <= NAS_FT_TERMS; j++) {
        const int x = j % g->nx, y = 3 * j % g->ny, z = 5 * j % g->nz;
        const int own = z - g->rank * g->own_z;

        if (own >= 0 && own < g->own_z)
            g->part += g->space[(size_t)own * plane_of(g) + (size_t)y * (size_t)g->nx + (size_t)x];
    }
    /* FFTW's forward and backward transforms multiply by it */
    g->part /= points;
}

/* --- The transforms, by FFTW; empty functions without it --------------------- */

#ifdef HAVE_FFTW3
bool grid_is_built(void)
{
    return true;
}

/* One plane, in place. */
static fftw_plan plan_plane(const struct grid *g, int sign)
{
    return fftw_plan_dft_2d(g->ny, g->nx, g->space, g->space, sign, FFTW_MEASURE);
}

/* The columns of one y, all its x next to each other, in place. */
static fftw_plan plan_columns(const struct grid *g, int sign)
{
    const int stride = g->own_y * g->nx;

    return fftw_plan_many_dft(1, &g->nz, g->nx, g->space, NULL, stride, 1, g->space, NULL, stride,
                              1, sign, FFTW_MEASURE);
}

bool grid_begin(struct grid *g, enum nas_class class, int rank, int ranks, void *space, void *other,
                void *spectrum)
{
    const int *n = nas_ft[class].n;

    *g = (struct grid){ .class = class,
                        .rank = rank,
                        .ranks = ranks,
                        .nx = n[0],
                        .ny = n[1],
                        .nz = n[2],
                        .own_y = n[1] / ranks,
                        .own_z = n[2] / ranks,
                        .space = space,
                        .other = other,
                        .spectrum = spectrum };
    g->block = g->nx * g->own_y * g->own_z;
    g->decay = malloc((size_t)(n[0] + n[1] + n[2]) * sizeof *g->decay);
    g->plan[GRID_PLANE_THERE] = plan_plane(g, FFTW_FORWARD);
    g->plan[GRID_PLANE_BACK] = plan_plane(g, FFTW_BACKWARD);
    g->plan[GRID_COLUMN_THERE] = plan_columns(g, FFTW_FORWARD);
    g->plan[GRID_COLUMN_BACK] = plan_columns(g, FFTW_BACKWARD);
    for (int i = 0; i < GRID_PLANS; i++)
        if (g->plan[i] == NULL)
            return false;
    return g->decay != NULL;
}

void grid_end(struct grid *g)
{
    for (int i = 0; i < GRID_PLANS; i++)
        if (g->plan[i] != NULL)
            fftw_destroy_plan(g->plan[i]);
    fftw_cleanup();
    free(g->decay);
    *g = (struct grid){ 0 };
}

void grid_transform(const struct grid *g, enum grid_plan plan, double _Complex *at)
{
    fftw_execute_dft(g->plan[plan], at, at);
}
#else
bool grid_is_built(void)
{
    return false;
}

bool grid_begin(struct grid *g, enum nas_class class, int rank, int ranks, void *space, void *other,
                void *spectrum)
{
    *g = (struct grid){ 0 };
    return false;
}

void grid_end(struct grid *g)
{
}

void grid_transform(const struct grid *g, enum grid_plan plan, double _Complex *at)
{
}
#endif

/* --- The family ------------------------------------------------------------------ */

enum { ARRAYS = 3 };

static void describe(enum nas_class class, int ranks, struct problem *p)
{
    const int *n = nas_ft[class].n;

    p->divides = grid_divides(class, ranks);
    snprintf(p->needs, sizeof p->needs, "a number of ranks that divides %d and %d", n[1], n[2]);
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
        good = good && buffer_allocate(&a->buffer[i], &memory_host, grid_bytes(class, r->nranks));
    return good && grid_begin(&a->grid, class, r->rank, r->nranks, a->buffer[0].base,
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
        snprintf(why, room, "iteration=%d; checksum=%.12g,%.12g; expected=%.12g,%.12g;", wrong,
                 creal(g->sum[wrong - 1]), cimag(g->sum[wrong - 1]),
                 nas_ft[g->class].checksum[wrong - 1][0], nas_ft[g->class].checksum[wrong - 1][1]);
    return any == 0;
}

static const struct application application = {
    .calls = { [FT_ALLTOALL] = "MPI_Alltoall", [FT_ALLREDUCE] = "MPI_Allreduce" },
    .describe = describe,
    .begin = begin,
    .end = end,
    .verify = verify,
};

static void refuse(const struct context *c, struct refusal *r)
{
    if (!grid_is_built())
        refusal_because(r, E29_LIBRARY, "this build has no FFTW (fftw3, double precision)");
    nas_refuse(c, r);
}

static const struct nas_settings defaults = { NAS_A, &application };

const struct family nas_ft_family = {
    NAS_FAMILY,
    .options = nas_ft_options,
    .defaults = &defaults,
    .refuse = refuse,
};
