/* SPDX-License-Identifier: BSD-3-Clause */
#include "shift_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/rank_test.h"
#include "stats/stats.h"
#include "text/text.h"

/* The most that ranks, or twice the mid-ranks, can add up to, and 0. */
enum { SUMS = RANK_SHIFT_EXACT * (RANK_SHIFT_EXACT + 1) + 1 };

static const double TAIL = 0.025; /* on either side of the interval */

/* Of all choices of k among n scores: into ways[s] the share of those whose scores
   add up to s, below sums. */
static void share_of_sums(const unsigned *score, size_t n, size_t k,
                          double *ways, size_t sums)
{
    /* table[j * sums + s]: how many choices of j scores add up to s. */
    double *table = given_memory(calloc((k + 1) * sums, sizeof *table));
    double all = 0;

    table[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1 < k ? i + 1 : k; j > 0; j--)
            for (size_t s = sums; s-- > score[i];)
                table[j * sums + s] += table[(j - 1) * sums + s - score[i]];
    for (size_t s = 0; s < sums; s++)
        all += table[k * sums + s];
    for (size_t s = 0; s < sums; s++)
        ways[s] = table[k * sums + s] / all;
    free(table);
}

/* Exact two-sided p of the sum of twice the mid-ranks of a. */
static double exact_p(const double *ranks, size_t na, size_t n)
{
    const size_t sums = n * (n + 1) + 1;
    unsigned score[RANK_SHIFT_EXACT];
    double ways[SUMS], below = 0, above = 0;
    size_t observed = 0;

    for (size_t i = 0; i < n; i++) {
        score[i] = (unsigned)lround(2 * ranks[i]);
        observed += i < na ? score[i] : 0;
    }
    share_of_sums(score, n, na, ways, sums);
    for (size_t s = 0; s < sums; s++) {
        below += s <= observed ? ways[s] : 0;
        above += s >= observed ? ways[s] : 0;
    }
    return fmin(1, 2 * fmin(below, above));
}

/* The largest k with P(U <= k - 1) <= TAIL, without ties; 0: none. */
static size_t exact_rank(size_t na, size_t n)
{
    const size_t sums = n * (n + 1) / 2 + 1;
    unsigned score[RANK_SHIFT_EXACT];
    double ways[SUMS], sum = 0;
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        score[i] = (unsigned)i + 1;
    share_of_sums(score, n, na, ways, sums);
    for (size_t s = na * (na + 1) / 2; s < sums; s++, k++) {
        sum += ways[s];
        if (sum > TAIL * (1 + 1e-12))
            break;
    }
    return k;
}

/* p and k of so many values; ranks: those of a come first. */
static void find_p(const double *ranks, size_t na, size_t n, double *p,
                   size_t *k)
{
    const double pairs = (double)na * (double)(n - na);
    double far;

    if (n <= RANK_SHIFT_EXACT) {
        *p = exact_p(ranks, na, n);
        *k = exact_rank(na, n);
        return;
    }
    far = pairs / 2 - 1.959963984540054 * sqrt(pairs * ((double)n + 1) / 12);
    *p = mann_whitney(ranks, na, n, 1).p;
    *k = far > 0 ? (size_t)far : 0;
}

static void find_shift(const double *a, const double *b, size_t nb,
                       double *difference, size_t pairs,
                       struct rank_shift *result)
{
    for (size_t i = 0; i < pairs; i++) {
        difference[i] = b[i % nb] - a[i / nb];
        result->superiority += difference[i] > 0   ? 1
                               : difference[i] < 0 ? 0
                                                   : 0.5;
    }
    stats_sort(difference, pairs);
    result->superiority /= (double)pairs;
    result->shift = (difference[(pairs - 1) / 2] + difference[pairs / 2]) / 2;
}

struct rank_shift rank_shift_of(const double *a, size_t na, const double *b,
                                size_t nb)
{
    const size_t pairs = na * nb, n = na + nb;
    double *ranks = given_memory(malloc((2 * n + pairs) * sizeof *ranks));
    double *difference = ranks + 2 * n;
    struct rank_shift shift = { .p = 1 };
    size_t k;

    memcpy(ranks, a, na * sizeof *ranks);
    memcpy(ranks + na, b, nb * sizeof *ranks);
    ranks_of(ranks, n, ranks + n);
    find_shift(a, b, nb, difference, pairs, &shift);
    find_p(ranks, na, n, &shift.p, &k);
    shift.has_interval = k > 0;
    if (shift.has_interval) {
        shift.low = difference[k - 1];
        shift.high = difference[pairs - k];
    }
    free(ranks);
    return shift;
}

static int by_value(const void *a, const void *b)
{
    const double x = **(const double *const *)a, y = **(const double *const *)b;

    return (x > y) - (x < y);
}

void rank_shift_holm(double *p, size_t n)
{
    double **order = given_memory(malloc((n + 1) * sizeof *order)), least = 0;

    for (size_t i = 0; i < n; i++)
        order[i] = &p[i];
    qsort(order, n, sizeof *order, by_value);
    for (size_t i = 0; i < n; i++) {
        least = fmax(least, fmin(1, (double)(n - i) * *order[i]));
        *order[i] = least;
    }
    free(order);
}
