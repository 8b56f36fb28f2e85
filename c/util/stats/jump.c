/* SPDX-License-Identifier: BSD-3-Clause */
#include "jump.h"

#include <math.h>
#include <stdlib.h>

static const double LEAST = 0.15; /* share of the time */
static const double SURE = 2;     /* times what the errors explain */

static int by_bytes(const void *a, const void *b)
{
    const struct jump_point *x = a, *y = b;

    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* The slope from a point to the next, s per byte, and what the errors of both make of
   it. */
struct slope {
    double value, error;
};

static struct slope slope(const struct jump_point *a,
                          const struct jump_point *b)
{
    const double bytes = (double)(b->bytes - a->bytes);

    return (struct slope){ (b->time - a->time) / bytes,
                           (a->error + b->error) / bytes };
}

/* The slope that point[i] and point[i+1] would have if nothing jumped: of the
   intervals before and after, the gentler. */
static struct slope gentler(const struct jump_point *point, int n, int i)
{
    const struct slope none = { HUGE_VAL, 0 };
    const struct slope left = i > 0 ? slope(&point[i - 1], &point[i]) : none;
    const struct slope right =
        i + 2 < n ? slope(&point[i + 1], &point[i + 2]) : none;
    const struct slope least =
        fabs(left.value) < fabs(right.value) ? left : right;

    return isfinite(least.value) ? least : (struct slope){ 0, 0 };
}

bool jump_find(struct jump_point *point, int n, size_t unit, struct jump *jump)
{
    double largest = LEAST;
    bool found = false;

    qsort(point, (size_t)n, sizeof *point, by_bytes);
    for (int i = 0; i + 1 < n; i++) {
        const struct jump_point *a = &point[i], *b = &point[i + 1];
        const double bytes = (double)(b->bytes - a->bytes);
        const struct slope least = gentler(point, n, i);
        const double expected = a->time + least.value * bytes;
        const double beyond = fabs(b->time - expected);
        const double error = a->error + b->error + least.error * bytes;

        /* At the ends there is one slope to compare with, which may be that of
           a jump; then this is not it. */
        if (a->time <= 0 || b->time <= 0 || expected <= 0 ||
            ((i == 0 || i + 2 == n) &&
             fabs(slope(a, b).value) <= fabs(least.value)) ||
            (unit > 0 && b->bytes - a->bytes <= unit) ||
            beyond <= SURE * error || beyond / a->time <= largest)
            continue;
        largest = beyond / a->time;
        *jump = (struct jump){ a->bytes, b->bytes, b->time / expected };
        found = true;
    }
    return found;
}

size_t jump_middle(const struct jump *jump, size_t unit)
{
    const size_t half = (jump->to - jump->from) / 2 / unit * unit;

    return jump->from + (half > 0 ? half : unit);
}
