/* SPDX-License-Identifier: BSD-3-Clause */
#include "host_series.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"
#include "text/text.h"

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
    *v = (struct host_values){ .ratio = 1 };
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

bool runs_agree(size_t named, size_t of)
{
    return named >= RUNS_AGREE && 4 * named >= 3 * of;
}

/* Count for each host how often its run with this number is an outlier among the hosts that
   have such a run.  False: no host has one. */
static bool name_outliers(struct host_series *s, size_t run, double *room)
{
    double limit;
    size_t n = 0;

    for (size_t i = 0; i < s->hosts; i++)
        if (run < s->host[i].n)
            room[n++] = s->host[i].cost[run];
    if (n < HOST_SERIES_HOSTS)
        return n > 0;
    limit = stats_outlier_limit(room, n, s->margin);
    for (size_t i = 0; i < s->hosts; i++)
        s->host[i].named += run < s->host[i].n && s->host[i].cost[run] > limit;
    return true;
}

/* Of values whose order matters. */
static double median_of(const double *value, size_t n)
{
    double *copy = given_memory(malloc(n * sizeof *copy)), middle;

    memcpy(copy, value, n * sizeof *copy);
    middle = stats_median(copy, n);
    free(copy);
    return middle;
}

static void judge(struct host_series *s)
{
    double *room = given_memory(malloc(s->hosts * sizeof *room)), typical;
    size_t run = 0;

    for (size_t i = 0; i < s->hosts; i++) {
        struct host_values *v = &s->host[i];

        v->median = median_of(v->figure, v->n);
        v->ratio = room[i] = median_of(v->cost, v->n);
    }
    typical = stats_median(room, s->hosts);
    while (s->margin > 0 && name_outliers(s, run, room))
        run++;
    for (size_t i = 0; i < s->hosts; i++) {
        s->host[i].ratio /= typical;
        s->host[i].worse = runs_agree(s->host[i].named, s->host[i].n);
    }
    free(room);
}

void host_series_judge(struct host_series_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        judge(&list->series[i]);
}

size_t host_series_runs(const struct host_series *s)
{
    size_t runs = SIZE_MAX;

    if (!(s->margin > 0) || s->hosts < HOST_SERIES_HOSTS)
        return 0;
    for (size_t i = 0; i < s->hosts; i++)
        runs = s->host[i].n < runs ? s->host[i].n : runs;
    return runs;
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
