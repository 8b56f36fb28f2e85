/* SPDX-License-Identifier: BSD-3-Clause */
#include "host_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"
#include "text/text.h"
#include "verdicts/shift_test.h"

static const double FAMILY = 0.05, DEVIATIONS = 4, OF_NORMAL = 1.4826;

static struct host_series *series_of(struct host_series_list *list,
                                     const char *label, const char *unit,
                                     double margin)
{
    struct host_series *s;

    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->series[i].label, label) == 0)
            return &list->series[i];
    list->series = given_memory(
        realloc(list->series, (list->n + 1) * sizeof *list->series));
    s = &list->series[list->n++];
    *s = (struct host_series){ .margin = margin };
    text_add(s->label, sizeof s->label, "%s", label);
    text_add(s->unit, sizeof s->unit, "%s", unit);
    return s;
}

static struct host_values *values_of(struct host_series *s, const char *host)
{
    struct host_values *v;

    for (size_t i = 0; i < s->hosts; i++)
        if (strcmp(s->host[i].host, host) == 0)
            return &s->host[i];
    s->host = given_memory(realloc(s->host, (s->hosts + 1) * sizeof *s->host));
    v = &s->host[s->hosts++];
    *v = (struct host_values){ .ratio = 1, .p = 1 };
    text_add(v->host, sizeof v->host, "%s", host);
    return v;
}

void host_series_add(struct host_series_list *list, const char *label,
                     const char *unit, double margin, const char *host,
                     double cost, double figure)
{
    struct host_values *v =
        values_of(series_of(list, label, unit, margin), host);
    const size_t bytes = (v->n + 1) * sizeof *v->cost;

    v->cost = given_memory(realloc(v->cost, bytes));
    v->figure = given_memory(realloc(v->figure, bytes));
    v->cost[v->n] = cost;
    v->figure[v->n++] = figure;
}

double host_series_median(double *value, size_t n)
{
    stats_sort(value, n);
    return (value[(n - 1) / 2] + value[n / 2]) / 2;
}

static double median_of(const double *value, size_t n)
{
    double *copy = given_memory(malloc(n * sizeof *copy)), middle;

    memcpy(copy, value, n * sizeof *copy);
    middle = host_series_median(copy, n);
    free(copy);
    return middle;
}

/* The median of what the other hosts' medians are, and their deviation relative to it. */
static double typical_of(const struct host_series *s, size_t but,
                         double *deviation)
{
    double *median = given_memory(malloc(s->hosts * sizeof *median)), typical;
    size_t n = 0;

    for (size_t i = 0; i < s->hosts; i++)
        if (i != but)
            median[n++] = median_of(s->host[i].cost, s->host[i].n);
    typical = host_series_median(median, n);
    for (size_t i = 0; i < n; i++)
        median[i] = fabs(median[i] / typical - 1);
    *deviation = n >= 3 ? OF_NORMAL * host_series_median(median, n) : 0;
    free(median);
    return typical;
}

/* The values of all other hosts, to be freed, in order.  Of more than the test can take
   exactly, so many are left, evenly over their order, the smallest and largest included. */
static double *others_of(const struct host_series *s, size_t but, size_t *count)
{
    const size_t most = RANK_SHIFT_EXACT > 2 * s->host[but].n
                            ? RANK_SHIFT_EXACT - s->host[but].n
                            : RANK_SHIFT_EXACT / 2;
    size_t n = 0;
    double *all;

    for (size_t i = 0; i < s->hosts; i++)
        n += i != but ? s->host[i].n : 0;
    all = given_memory(malloc((n + 1) * sizeof *all));
    n = 0;
    for (size_t i = 0; i < s->hosts; i++)
        for (size_t k = 0; i != but && k < s->host[i].n; k++)
            all[n++] = s->host[i].cost[k];
    stats_sort(all, n);
    if (n > most) {
        for (size_t i = 0; i < most; i++)
            all[i] = all[i * (n - 1) / (most - 1)];
        n = most;
    }
    *count = n;
    return all;
}

/* A host of a series, for the correction. */
struct tested {
    struct host_values *of;
    bool above; /* by more than the hosts vary */
    bool apart; /* each of its values is worse than all others */
};

static struct tested test(struct host_series *s, size_t which)
{
    struct host_values *v = &s->host[which];
    struct tested t = { .of = v };
    struct rank_shift shift;
    double deviation;
    size_t n;
    double *others = others_of(s, which, &n);

    v->ratio = median_of(v->cost, v->n) / typical_of(s, which, &deviation);
    shift = rank_shift_of(others, n, v->cost, v->n);
    v->p = shift.p;
    t.above = v->ratio >= 1 + fmax(s->margin, DEVIATIONS * deviation);
    t.apart = v->n > 1 && shift.superiority >= 1;
    free(others);
    return t;
}

static enum host_is judged(const struct tested *t)
{
    if (!t->above)
        return HOST_ALIKE;
    if (t->of->p <= HOST_SERIES_LEVEL)
        return HOST_WORSE;
    return t->of->p <= FAMILY ||
                   (t->apart && t->of->ratio >= HOST_SERIES_CHANCE)
               ? HOST_WORSE_PERHAPS
               : HOST_ALIKE;
}

void host_series_judge(struct host_series_list *list)
{
    struct tested *t = NULL;
    double *p;

    list->tests = 0;
    for (size_t i = 0; i < list->n; i++) {
        struct host_series *s = &list->series[i];

        t = given_memory(realloc(t, (list->tests + s->hosts + 1) * sizeof *t));
        for (size_t k = 0; k < s->hosts; k++)
            s->host[k].median = median_of(s->host[k].figure, s->host[k].n);
        for (size_t k = 0; s->margin > 0 && s->hosts > 1 && k < s->hosts; k++)
            t[list->tests++] = test(s, k);
    }
    p = given_memory(malloc((list->tests + 1) * sizeof *p));
    for (size_t i = 0; i < list->tests; i++)
        p[i] = t[i].of->p;
    rank_shift_holm(p, list->tests);
    for (size_t i = 0; i < list->tests; i++) {
        t[i].of->p = p[i];
        t[i].of->is = judged(&t[i]);
    }
    free(p);
    free(t);
}

size_t host_series_has(const struct host_series *s)
{
    size_t least = s->hosts > 0 ? s->host[0].n : 0;

    for (size_t i = 1; i < s->hosts; i++)
        least = s->host[i].n < least ? s->host[i].n : least;
    return least;
}

/* Of all choices of k of n values those of the host are the largest, on either side. */
int host_series_needs(const struct host_series_list *list,
                      const struct host_series *s)
{
    for (int k = 2; s->hosts > 1 && k <= RANK_SHIFT_EXACT / 2; k++) {
        const double n = fmin((double)k * (double)s->hosts, RANK_SHIFT_EXACT);
        const double choices =
            exp(lgamma(n + 1) - lgamma(k + 1.0) - lgamma(n - k + 1));

        if (2 * (double)list->tests <= HOST_SERIES_LEVEL * choices)
            return k;
    }
    return 0;
}

void host_series_release(struct host_series_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        for (size_t k = 0; k < list->series[i].hosts; k++) {
            free(list->series[i].host[k].cost);
            free(list->series[i].host[k].figure);
        }
        free(list->series[i].host);
    }
    free(list->series);
    *list = (struct host_series_list){ .n = 0 };
}
