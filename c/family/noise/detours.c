/* SPDX-License-Identifier: BSD-3-Clause */
#include "detours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

static bool is_detour(const struct detours *d, double took_s)
{
    return took_s > DETOUR * d->typical_s;
}

/* Shortest, median and sum. */
static bool describe(const double *took_s, long n, struct detours *d)
{
    double *sorted = malloc((size_t)n * sizeof *sorted);

    if (sorted == NULL)
        return false;
    memcpy(sorted, took_s, (size_t)n * sizeof *sorted);
    stats_sort(sorted, (size_t)n);
    d->quantum_s = sorted[0];
    d->typical_s = stats_quantile(sorted, (size_t)n, 0.5);
    d->slow = d->typical_s > DETOUR * d->quantum_s;
    for (long i = 0; i < n; i++)
        d->total_s += took_s[i];
    free(sorted);
    return true;
}

/* Keep it if it is one of the longest. */
static void keep(struct detours *d, struct detour one)
{
    int least = 0;

    if (d->nkept < DETOURS_KEPT) {
        d->kept[d->nkept++] = one;
        return;
    }
    for (int i = 1; i < d->nkept; i++)
        if (d->kept[i].lost_s < d->kept[least].lost_s)
            least = i;
    if (d->kept[least].lost_s >= one.lost_s)
        return;
    memmove(&d->kept[least], &d->kept[least + 1],
            (size_t)(d->nkept - least - 1) * sizeof one);
    d->kept[d->nkept - 1] = one;
}

/* Collect the detours; returns how many there are without those that follow another
   one. */
static long collect(const double *took_s, long n, struct detours *d,
                    struct detour *apart)
{
    double at = 0, lost = 0;
    bool follows = false;
    long events = 0;

    for (long i = 0; i < n; i++) {
        const struct detour one = { at, took_s[i] - d->typical_s };
        const bool detour = is_detour(d, took_s[i]);

        at += took_s[i];
        if (detour) {
            d->n++;
            lost += one.lost_s;
            d->longest_s = fmax(d->longest_s, one.lost_s);
            keep(d, one);
            if (follows)
                apart[events - 1].lost_s += one.lost_s;
            else
                apart[events++] = one;
        }
        follows = detour;
    }
    if (d->total_s > 0) {
        d->lost = lost / d->total_s;
        d->per_s = (double)d->n / d->total_s;
    }
    return events;
}

bool detours_of(const double *took_s, long n, struct detours *out)
{
    struct detour *apart;
    bool good;

    *out = (struct detours){ .quanta = n };
    if (n == 0)
        return true;
    apart = malloc((size_t)n * sizeof *apart);
    good = apart != NULL && describe(took_s, n, out);
    if (good) {
        const long events = collect(took_s, n, out, apart);

        good = period_find(apart, events, out->quantum_s, out->total_s,
                           out->period);
    }
    free(apart);
    return good;
}
