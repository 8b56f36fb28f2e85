/* SPDX-License-Identifier: BSD-3-Clause */
/* The transforms of grid.h, by FFTW; stand-ins without it. */
#include "grid.h"

#include <complex.h>
#include <stdlib.h>

#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#ifdef HAVE_FFTW3
#    include <fftw3.h>

bool grid_is_built(void)
{
    return true;
}

/* One plane, in place. */
static fftw_plan plan_plane(const struct grid *g, int sign)
{
    return fftw_plan_dft_2d(g->ny, g->nx, g->space, g->space, sign,
                            FFTW_MEASURE);
}

/* The columns of one y: all x of it side by side, in place. */
static fftw_plan plan_columns(const struct grid *g, int sign)
{
    const int stride = g->own_y * g->nx;

    return fftw_plan_many_dft(1, &g->nz, g->nx, g->space, NULL, stride, 1,
                              g->space, NULL, stride, 1, sign, FFTW_MEASURE);
}

bool grid_begin(struct grid *g, enum nas_class class, int rank, int ranks,
                void *space, void *other, void *spectrum)
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

void grid_transform(const struct grid *g, enum grid_plan plan,
                    double _Complex *at)
{
    fftw_execute_dft(g->plan[plan], at, at);
}
#else
bool grid_is_built(void)
{
    return false;
}

bool grid_begin(struct grid *g, enum nas_class class, int rank, int ranks,
                void *space, void *other, void *spectrum)
{
    (void)class;
    (void)rank;
    (void)ranks;
    (void)space;
    (void)other;
    (void)spectrum;
    *g = (struct grid){ 0 };
    return false;
}

void grid_end(struct grid *g)
{
    (void)g;
}

void grid_transform(const struct grid *g, enum grid_plan plan,
                    double _Complex *at)
{
    (void)g;
    (void)plan;
    (void)at;
}
#endif
