/* SPDX-License-Identifier: BSD-3-Clause */
#include "refine.h"

#include <math.h>
#include <stdlib.h>

static const double LEAST = 0.15; /* of the time */
static const double SURE = 2;     /* times what the errors explain */

static int by_bytes(const void *a, const void *b)
{
    const struct refine_point *x = a, *y = b;

    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

void refine_sort(struct refine_point *point, int n)
{
    qsort(point, (size_t)n, sizeof *point, by_bytes);
}

static double slope(const struct refine_point *a, const struct refine_point *b)
{
    return (b->time - a->time) / (double)(b->bytes - a->bytes);
}

/* The slope that point[i] and point[i+1] would have if nothing jumped: of the
   intervals before and behind, the gentler. */
static double gentler(const struct refine_point *point, int n, int i)
{
    const double left = i > 0 ? slope(&point[i - 1], &point[i]) : HUGE_VAL;
    const double right =
        i + 2 < n ? slope(&point[i + 1], &point[i + 2]) : HUGE_VAL;
    const double least = fabs(left) < fabs(right) ? left : right;

    return isfinite(least) ? least : 0;
}

bool refine_find(const struct refine_point *point, int n, size_t unit,
                 struct refine_jump *jump)
{
    double largest = LEAST;
    bool found = false;

    for (int i = 0; i + 1 < n; i++) {
        const struct refine_point *a = &point[i], *b = &point[i + 1];
        const double least = gentler(point, n, i);
        const double expected = a->time + least * (double)(b->bytes - a->bytes);
        const double beyond = fabs(b->time - expected);

        /* At the ends there is one slope to compare with, which may be that of
           a jump; then this is not it. */
        if (a->time <= 0 || b->time <= 0 || expected <= 0 ||
            ((i == 0 || i + 2 == n) && fabs(slope(a, b)) <= fabs(least)) ||
            (unit > 0 && b->bytes - a->bytes <= unit) ||
            beyond <= SURE * (a->error + b->error) ||
            beyond / a->time <= largest)
            continue;
        largest = beyond / a->time;
        *jump = (struct refine_jump){ a->bytes, b->bytes, b->time / expected };
        found = true;
    }
    return found;
}

size_t refine_middle(const struct refine_jump *jump, size_t unit)
{
    const size_t half = (jump->to - jump->from) / 2 / unit * unit;

    return jump->from + (half > 0 ? half : unit);
}
