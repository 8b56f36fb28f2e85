/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hosts_alike.h"
#include "left_out.h"
#include "named_by_runs.h"

/* Smallest relevant differences: of times and bandwidths, of the speed of a CPU, of
   the time that noise takes, and of that in a fixed period. */
static const double TIMES = 0.10, SPEED = 0.03, NOISE = 0.01, PERIOD = 0.005;

struct finding *findings_add(struct finding **list, size_t *n)
{
    *list = given_memory(realloc(*list, (*n + 1) * sizeof **list));
    (*list)[*n] = (struct finding){ .benchmark = "" };
    return &(*list)[(*n)++];
}

void findings_host(struct findings *f, const char *host)
{
    for (size_t i = 0; i < f->hosts; i++)
        if (strcmp(f->host[i], host) == 0)
            return;
    f->host = given_memory(realloc(f->host, (f->hosts + 1) * sizeof *f->host));
    f->host[f->hosts][0] = '\0';
    text_add(f->host[f->hosts++], HOST_NAME, "%s", host);
}

/* "h1", "h0 and h1" or "4 hosts"; of nodes, how many there are. */
static int hosts_of(const struct result_file *file, char words[HOST_NAME])
{
    const int nodes = (int)whole_in(file->environment, "nodes");
    const char *first = named_host(file, 0), *last = first;
    const json_t *ranks = json_object_get(file->environment, "rank");

    last = named_host(file, (long long)json_array_size(ranks) - 1);
    words[0] = '\0';
    if (nodes > 2)
        text_add(words, HOST_NAME, "%d hosts", nodes);
    else
        text_add(words, HOST_NAME, nodes == 2 ? "%s and %s" : "%s",
                 first != NULL ? first : "?", last != NULL ? last : "?");
    return nodes;
}

static bool shares_cpus(const struct result_file *file)
{
    return json_is_true(json_object_get(file->environment, "oversubscribed"));
}

/* The value of a row of a program that measures times or bandwidths; compared: if it is of
   two ranks within a host, with other hosts. */
static void add_row(struct findings *f, const struct result_file *file,
                    const json_t *row, bool compared)
{
    const json_t *bytes = json_object_get(row, "bytes");
    char host[HOST_NAME], label[SERIES_LABEL] = "";
    const int nodes = hosts_of(file, host);
    const long ranks = (long)whole_in(row, "ranks");
    const bool pair = strcmp(file->benchmark, "latency") == 0 ||
                      strcmp(file->benchmark, "bw") == 0;

    if (!result_row_counts(row))
        return;
    text_add(label, sizeof label, "%s %s", file->benchmark,
             nodes > 1 ? "between hosts" : "within a host");
    if (json_is_integer(bytes))
        text_add(label, sizeof label, ", %lld bytes",
                 (long long)json_integer_value(bytes));
    if (!pair)
        text_add(label, sizeof label, ", %ld ranks", ranks);
    host_series_add(&f->values, label, text_in(row, "unit"),
                    pair && nodes == 1 && compared && !shares_cpus(file) ? TIMES
                                                                         : 0,
                    host, result_row_time(row), result_row_figure(row));
}

/* What is typical of all pairs, for each kind of path. */
static void add_pairs(struct findings *f, const struct result_file *file,
                      const json_t *row)
{
    const json_t *path;
    char host[HOST_NAME];
    size_t i;

    hosts_of(file, host);
    json_array_foreach(json_object_get(json_object_get(row, "pairs"), "paths"),
                       i, path)
    {
        const json_t *us = json_object_get(path, "typical_us");
        const double value = json_number_value(
            us != NULL ? us : json_object_get(path, "typical_mb_per_s"));
        const char *name = text_in(path, "path");
        char label[SERIES_LABEL] = "";

        if (!(value > 0))
            continue;
        text_add(label, sizeof label, "%s, %s, %lld bytes, typical pair",
                 file->benchmark, name != NULL ? name : "",
                 whole_in(row, "bytes"));
        host_series_add(&f->values, label, us != NULL ? "us" : "MB/s", 0, host,
                        us != NULL ? value : 1 / value, value);
    }
}

/* The share of time that a rank loses most in a fixed period, but for the timer tick, which
   all CPUs have. */
static double lost_in_period(const json_t *rank)
{
    const json_t *period;
    double most = 0;
    size_t i;

    json_array_foreach(json_object_get(rank, "periods"), i, period)
    {
        if (!json_is_true(json_object_get(period, "tick")))
            most = fmax(most, number_in(period, "lost"));
    }
    return most;
}

static void add_lost(struct findings *f, const char *label, double margin,
                     const char *host, double lost)
{
    if (lost < 1)
        host_series_add(&f->values, label, "%", margin, host, 1 / (1 - lost),
                        100 * lost);
}

/* The share of time that its ranks lost, and the shortest quantum of the slowest, of each
   host.  Ranks of one run do the same work. */
static void add_noise(struct findings *f, const struct result_file *file,
                      const json_t *row)
{
    const double judged = shares_cpus(file) ? 0 : 1;
    const json_t *ranks =
        json_object_get(json_object_get(row, "noise"), "ranks");

    for (size_t h = 0; h < f->hosts; h++) {
        double lost = 0, quantum = 0, period = 0;
        const json_t *rank;
        size_t i;
        int n = 0;

        json_array_foreach(ranks, i, rank)
        {
            const char *host = text_in(rank, "host");

            if (host == NULL || strcmp(host, f->host[h]) != 0)
                continue;
            n++;
            lost += number_in(rank, "lost");
            quantum = fmax(quantum, number_in(rank, "quantum_us"));
            period = fmax(period, lost_in_period(rank));
        }
        if (n == 0 || !(quantum > 0))
            continue;
        add_lost(f, "noise, time lost", judged * NOISE, f->host[h], lost / n);
        add_lost(f, "noise, time lost in a fixed period", judged * PERIOD,
                 f->host[h], period);
        host_series_add(&f->values, "noise, time of fixed work, slowest CPU",
                        "us", judged * SPEED, f->host[h], quantum, quantum);
    }
}

/* Of times the first and the last row, of bandwidths the last. */
static void add_file(struct findings *f, const struct result_file *file)
{
    const size_t n = json_array_size(file->rows);
    const bool rate = strcmp(file->benchmark, "bw") == 0;

    for (size_t i = 0; i < n; i++) {
        const json_t *row = json_array_get(file->rows, i);
        const char *verified = text_in(row, "verified");

        f->verified += verified != NULL && strcmp(verified, "pass") == 0;
        if (json_object_get(row, "pairs") != NULL)
            add_pairs(f, file, row);
        else if (json_object_get(row, "noise") != NULL)
            add_noise(f, file, row);
        else if (json_object_get(row, "placement") == NULL &&
                 (i == 0 ? n == 1 || !rate : i == n - 1))
            add_row(f, file, row, rate || i == 0);
    }
}

/* In which order values are listed; others follow. */
static const char *const order[] = { "latency", "bw", "pair_matrix", "pair_bw",
                                     "noise" };

static size_t place_of(const char *benchmark)
{
    size_t k = 0;

    while (k < sizeof order / sizeof *order && strcmp(order[k], benchmark) != 0)
        k++;
    return k;
}

/* --- Hosts that are worse than the others ------------------------------------------ */

static void add_worse(struct findings *f, const struct host_series *s,
                      const struct host_values *v)
{
    struct finding *one = findings_add(&f->odd, &f->n);
    const bool noise = strncmp(s->label, "noise, time", 11) == 0;

    one->kind = noise ? FINDING_NOISE : FINDING_WITHIN;
    text_add(one->host, sizeof one->host, "%s", v->host);
    one->benchmark = strncmp(s->label, "bw", 2) == 0        ? "bw"
                     : strncmp(s->label, "latency", 7) == 0 ? "latency"
                                                            : "noise";
    one->ratio = v->ratio;
    one->runs = (int)v->named;
    one->of = (int)v->n;
    text_add(
        one->what, sizeof one->what,
        "%s: %.4g %s. The same takes %.2f times as long as on the typical host.",
        s->label, v->median, s->unit, v->ratio);
    text_add(one->evidence, sizeof one->evidence,
             "It is an outlier in %zu of %zu runs.", v->named, v->n);
}

/* --- All of it --------------------------------------------------------------------- */

/* What most hosts have last; then by kind, and by how large they are. */
static int by_weight(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;

    if (a->on_most_hosts != b->on_most_hosts)
        return a->on_most_hosts ? 1 : -1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->ratio > b->ratio ? -1 : a->ratio < b->ratio;
}

bool findings_make(struct findings *f, const struct variant *s,
                   const char *left_out, char why[WHY])
{
    *f = (struct findings){ .of = s };
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0;
             k <
             json_array_size(json_object_get(s->file[i].environment, "rank"));
             k++) {
            const char *host = named_host(&s->file[i], (long long)k);

            if (host != NULL)
                findings_host(f, host);
        }
    for (size_t k = 0; k <= sizeof order / sizeof *order; k++)
        for (size_t i = 0; i < s->n; i++)
            if (place_of(s->file[i].benchmark) == k)
                add_file(f, &s->file[i]);
    host_series_judge(&f->values);
    for (size_t i = 0; i < f->values.n; i++)
        for (size_t k = 0; k < f->values.series[i].hosts; k++)
            if (f->values.series[i].host[k].worse)
                add_worse(f, &f->values.series[i],
                          &f->values.series[i].host[k]);
    named_by_runs(s, &f->odd, &f->n);
    hosts_alike(s, &f->odd, &f->n);
    if (!left_out_read(f, left_out, why))
        return false;
    left_out_judge(f);
    qsort(f->odd, f->n, sizeof *f->odd, by_weight);
    return true;
}

size_t findings_odd(const struct findings *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++)
        n += !f->odd[i].on_most_hosts;
    return n;
}

size_t findings_runs(const struct findings *f)
{
    size_t most = 0;

    for (size_t i = 0; i < f->values.n; i++) {
        const size_t runs = host_series_runs(&f->values.series[i]);

        most = runs > most ? runs : most;
    }
    return most;
}

void findings_release(struct findings *f)
{
    host_series_release(&f->values);
    free(f->odd);
    free(f->host);
    free(f->left_out);
    free(f->text);
    *f = (struct findings){ .n = 0 };
}

bool findings_measured(const struct findings *f)
{
    return f->values.n > 0;
}
