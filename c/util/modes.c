/* SPDX-License-Identifier: BSD-3-Clause */
#include "modes.h"

#include "dip.h"
#include "stats.h"

#include <math.h>

enum { PARTS = 20 }; /* 1 / share of the points that a density is made of */

static const double SAME = 1e-9; /* relative: rounding, not a difference */
static const double STEP_SHARE = 0.05; /* of the points are on finer steps */

/* Samples that a clock cannot tell apart, and the way to the next. */
struct group {
    size_t begin, end;
    double left, right;
};

static bool next_group(struct group *g, const double *sorted, size_t n,
                       double within)
{
    const size_t begin = g->end;
    size_t end = begin + 1;

    if (begin == n)
        return false;
    while (end < n && sorted[end] - sorted[end - 1] <=
                          fmax(within, SAME * fabs(sorted[end])))
        end++;
    g->begin = begin;
    g->end = end;
    g->left = begin > 0 ? sorted[begin] - sorted[begin - 1] : 0;
    g->right = end < n ? sorted[end] - sorted[end - 1] : g->left;
    if (begin == 0)
        g->left = g->right;
    return true;
}

/* Where point k of m lies among n samples, counted from 0. */
static double place(size_t k, size_t m, size_t n)
{
    return ((double)k + 0.5) * (double)n / (double)m;
}

/* The step of the clock: the longer way to a neighbour, since the shorter one
   may be a rounding of the step (41 ns, 42 ns). */
static double step_of(const double *sorted, size_t n, double *gap, size_t m)
{
    struct group g = { 0 };
    size_t k = 0;

    while (next_group(&g, sorted, n, 0))
        for (; k < m && place(k, m, n) < (double)g.end; k++)
            gap[k] = fmax(g.left, g.right);
    stats_sort(gap, m);
    return stats_quantile(gap, m, STEP_SHARE);
}

static void spread(const double *sorted, size_t n, double step, double *point,
                   size_t m)
{
    struct group g = { 0 };
    size_t k = 0;

    while (next_group(&g, sorted, n, step / 4)) {
        const double from = sorted[g.begin] - fmin(g.left, step) / 2;
        const double to = sorted[g.end - 1] + fmin(g.right, step) / 2;
        const double size = (double)(g.end - g.begin);

        for (; k < m && place(k, m, n) < (double)g.end; k++)
            point[k] =
                from + (to - from) * (place(k, m, n) - (double)g.begin) / size;
    }
}

/* A window of the points around the valley: its first one, and the depth. */
struct valley {
    size_t begin;
    double depth;
};

static struct valley valley_of(const double *point, size_t m, size_t window)
{
    struct valley v = { 0 };
    double before = HUGE_VAL, after[DIP_MOST];

    for (size_t i = m - window; i-- > 0;) {
        const double room = point[i + window] - point[i];

        after[i] = i + window + 1 < m ? fmin(room, after[i + 1]) : room;
    }
    for (size_t i = window; i + 2 * window < m; i++) {
        const double room = point[i + window] - point[i];
        double depth;

        before = fmin(before, point[i] - point[i - window]);
        depth = room / fmax(before, after[i + window]);
        if (depth > v.depth)
            v = (struct valley){ i, depth };
    }
    return v;
}

/* The middle of the widest gap in the valley. */
static double split_of(const double *point, size_t begin, size_t window)
{
    size_t widest = begin;

    for (size_t i = begin; i < begin + window; i++)
        if (point[i + 1] - point[i] > point[widest + 1] - point[widest])
            widest = i;
    return (point[widest] + point[widest + 1]) / 2;
}

static size_t at_most(const double *sorted, size_t n, double limit)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (sorted[middle] <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void describe(struct modes *modes, const double *sorted, size_t n)
{
    const size_t lower = at_most(sorted, n, modes->split);

    if (lower == 0 || lower == n)
        return;
    modes->low = stats_quantile(sorted, lower, 0.5);
    modes->high = stats_quantile(sorted + lower, n - lower, 0.5);
    modes->low_share = (double)lower / (double)n;
    modes->high_share = (double)(n - lower) / (double)n;
    modes->two = modes->p < MODES_SIGNIFICANCE && modes->depth >= MODES_DEPTH &&
                 modes->low > 0 && modes->high >= MODES_APART * modes->low &&
                 modes->high - modes->low >= MODES_READINGS * modes->step;
}

struct modes modes_of(const double *sorted, size_t n, double tau)
{
    const size_t m = n < DIP_MOST ? n : DIP_MOST, window = m / PARTS;
    struct modes modes = { .p = 1 };
    struct valley valley;
    double point[DIP_MOST];

    if (n < MODES_LEAST)
        return modes;
    modes.step = step_of(sorted, n, point, m);
    spread(sorted, n, modes.step, point, m);
    modes.dip = dip_of(point, m);
    modes.p = dip_p(modes.dip, fmin((double)n / sqrt(fmax(tau, 1)), (double)m));
    valley = valley_of(point, m, window);
    modes.depth = valley.depth;
    modes.split = split_of(point, valley.begin, window);
    describe(&modes, sorted, n);
    return modes;
}
