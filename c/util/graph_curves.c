/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph_curves.h"

#include <math.h>
#include <stdlib.h>

static int by_curve_and_size(const void *a, const void *b)
{
    const struct graph_point *p = a, *q = b;

    if (p->curve != q->curve)
        return p->curve - q->curve;
    return p->bytes < q->bytes ? -1 : p->bytes > q->bytes;
}

/* The two curves of points that begin at p. */
static void add_curves(FILE *plot, const struct graph_point *p)
{
    char name[80];

    snprintf(name, sizeof name, "%s%s%s", p->kind,
             p->kind[0] != '\0' ? ", " : "", element_name(p->type));
    fprintf(
        plot,
        "%s$t%d using 1:3:4:5 with yerrorbars lc %d pt 6 title '%s "
        "median, 95%% interval', $t%d using 1:2 with linespoints lc %d pt 7 "
        "ps 0.6 title '%s as in the table'",
        p->curve == 0 ? "plot " : ", ", p->curve, p->curve + 1, name, p->curve,
        p->curve + 1, name);
}

char *graph_curves(const struct graph *g)
{
    char *text = NULL;
    size_t size;
    FILE *plot = open_memstream(&text, &size);

    if (plot == NULL)
        return NULL;
    qsort(g->point, (size_t)g->points, sizeof *g->point, by_curve_and_size);
    for (int i = 0; i < g->points; i++) {
        const struct graph_point *p = &g->point[i];

        if (i == 0 || p[-1].curve != p->curve) {
            fprintf(g->script, "$t%d << END\n", p->curve);
            add_curves(plot, p);
        }
        /* Nothing has no logarithm either: one half stands for it. */
        fprintf(g->script, "%.15g %.6g %.6g %.6g %.6g\n",
                p->bytes > 0 ? (double)p->bytes : 0.5, p->figure, p->median,
                fmin(p->low, p->high), fmax(p->low, p->high));
        if (i + 1 == g->points || p[1].curve != p->curve)
            fputs("END\n", g->script);
    }
    fclose(plot);
    return text;
}
