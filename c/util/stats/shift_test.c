/* SPDX-License-Identifier: BSD-3-Clause */
#include "shift_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rank_test.h"
#include "stats.h"

static const double TAIL = 0.025; /* on either side of the interval */

/*
 * Of all choices of k among the scores, each a whole number: into ways[s] the share
 * of those whose scores add up to s, for s up to the sum of all.
 */
static bool share_of_sums(const unsigned *score, size_t n, size_t k,
                          double *ways, size_t sums)
{
    /* table[j * sums + s]: of j scores, as numbers relative to what was divided
       out below, so that none overflows. */
    double *table = calloc((k + 1) * sums, sizeof *table);
    double all = 0;

    if (table == NULL)
        return false;
    table[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1 < k ? i + 1 : k; j > 0; j--)
            for (size_t s = sums; s-- > score[i];)
                table[j * sums + s] += table[(j - 1) * sums + s - score[i]];
    memcpy(ways, table + k * sums, sums * sizeof *ways);
    free(table);
    for (size_t s = 0; s < sums; s++)
        all += ways[s];
    for (size_t s = 0; s < sums; s++)
        ways[s] /= all;
    return true;
}

/* Exact two-sided p of the sum of twice the mid-ranks of a. */
static bool exact_p(const double *ranks, size_t na, size_t n, double *p)
{
    const size_t sums = n * (n + 1) + 1;
    unsigned *score = malloc(n * sizeof *score);
    double *ways = malloc(sums * sizeof *ways);
    bool good = score != NULL && ways != NULL;
    size_t observed = 0;
    double below = 0, above = 0;

    for (size_t i = 0; i < n && good; i++) {
        score[i] = (unsigned)lround(2 * ranks[i]);
        observed += i < na ? score[i] : 0;
    }
    good = good && share_of_sums(score, n, na, ways, sums);
    for (size_t s = 0; s < sums && good; s++) {
        below += s <= observed ? ways[s] : 0;
        above += s >= observed ? ways[s] : 0;
    }
    *p = fmin(1, 2 * fmin(below, above));
    free(score);
    free(ways);
    return good;
}

/* The largest k with P(U <= k - 1) <= TAIL, without ties; 0: none. */
static bool critical(size_t na, size_t nb, size_t *k)
{
    const size_t n = na + nb, sums = n * (n + 1) / 2 + 1;
    const double mean = (double)na * (double)nb / 2;
    unsigned score[RANK_SHIFT_EXACT];
    double *ways, sum = 0;

    *k = 0;
    if (n > RANK_SHIFT_EXACT) {
        const double far =
            mean - 1.959963984540054 *
                       sqrt((double)na * (double)nb * (double)(n + 1) / 12);
        *k = far > 0 ? (size_t)far : 0;
        return true;
    }
    ways = malloc(sums * sizeof *ways);
    for (size_t i = 0; i < n; i++)
        score[i] = (unsigned)i + 1;
    if (ways == NULL || !share_of_sums(score, n, na, ways, sums)) {
        free(ways);
        return false;
    }
    for (size_t s = na * (na + 1) / 2; s < sums; s++) {
        sum += ways[s];
        if (sum > TAIL * (1 + 1e-12))
            break;
        ++*k;
    }
    free(ways);
    return true;
}

/* The p: values holds a, then b. */
static bool p_of(const double *values, size_t na, size_t nb, double *p)
{
    const size_t n = na + nb;
    double *sorted = malloc(n * sizeof *sorted);
    double *ranks = malloc(n * sizeof *ranks);
    bool good = sorted != NULL && ranks != NULL;

    if (good && n <= RANK_SHIFT_EXACT) {
        memcpy(sorted, values, n * sizeof *sorted);
        memcpy(ranks, values, n * sizeof *ranks);
        stats_sort(sorted, n);
        ranks_of(ranks, sorted, n);
        good = exact_p(ranks, na, n, p);
    } else if (good) {
        memcpy(sorted, values, na * sizeof *sorted);
        memcpy(ranks, values + na, nb * sizeof *ranks);
        stats_sort(sorted, na);
        stats_sort(ranks, nb);
        *p = mann_whitney(sorted, na, ranks, nb, 1).p;
    }
    free(sorted);
    free(ranks);
    return good;
}

bool rank_shift_of(const double *a, size_t na, const double *b, size_t nb,
                   struct rank_shift *result)
{
    const size_t pairs = na * nb;
    double *values = malloc((na + nb) * sizeof *values);
    double *difference = malloc(pairs * sizeof *difference);
    bool good = values != NULL && difference != NULL;
    double greater = 0;
    size_t k = 0;

    *result = (struct rank_shift){ .p = 1 };
    if (good) {
        memcpy(values, a, na * sizeof *values);
        memcpy(values + na, b, nb * sizeof *values);
        good = p_of(values, na, nb, &result->p) && critical(na, nb, &k);
    }
    if (good) {
        for (size_t i = 0; i < pairs; i++) {
            difference[i] = b[i % nb] - a[i / nb];
            greater += difference[i] > 0 ? 1 : difference[i] < 0 ? 0 : 0.5;
        }
        stats_sort(difference, pairs);
        result->shift =
            (difference[(pairs - 1) / 2] + difference[pairs / 2]) / 2;
        result->superiority = greater / (double)pairs;
        result->has_interval = k > 0;
        if (k > 0) {
            result->low = difference[k - 1];
            result->high = difference[pairs - k];
        }
    }
    free(values);
    free(difference);
    return good;
}

static int by_value(const void *a, const void *b)
{
    const double x = **(const double *const *)a, y = **(const double *const *)b;

    return (x > y) - (x < y);
}

bool rank_shift_holm(double *p, size_t n)
{
    double **order = malloc((n > 0 ? n : 1) * sizeof *order), least = 0;

    if (order == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        order[i] = &p[i];
    qsort(order, n, sizeof *order, by_value);
    for (size_t i = 0; i < n; i++) {
        least = fmax(least, fmin(1, (double)(n - i) * *order[i]));
        *order[i] = least;
    }
    free(order);
    return true;
}
