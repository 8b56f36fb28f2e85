/* SPDX-License-Identifier: BSD-3-Clause */
#include "named_by_runs.h"

#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

/* What runs name: the same host or pair, for the same reason. */
struct named {
    enum finding_kind kind;
    const char *benchmark, *host, *partner; /* partner NULL: none */
    const struct result_file *last;         /* the last run that names it */
    double *ratio;                          /* of each run */
    int runs;
    char detail[FINDING_TEXT]; /* of the last run */
};

struct names {
    struct named *one;
    size_t n;
};

const char *named_host(const struct result_file *file, long long rank)
{
    const json_t *ranks = json_object_get(file->environment, "rank");

    return rank < 0 ? NULL
                    : text_in(json_array_get(ranks, (size_t)rank), "host");
}

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* A pair is the same in both directions. */
static bool is_of(const struct named *one, enum finding_kind kind,
                  const char *benchmark, const char *host, const char *partner)
{
    return one->kind == kind && is_same(one->benchmark, benchmark) &&
           ((is_same(one->host, host) && is_same(one->partner, partner)) ||
            (partner != NULL && is_same(one->host, partner) &&
             is_same(one->partner, host)));
}

/* A run names it, once whatever the number of its rows.  Returns it, with an empty
   detail; NULL: it is named already. */
static struct named *name(struct names *all, enum finding_kind kind,
                          const struct result_file *file, const char *host,
                          const char *partner, double ratio)
{
    struct named *one;
    size_t i = 0;

    while (i < all->n &&
           !is_of(&all->one[i], kind, file->benchmark, host, partner))
        i++;
    if (i == all->n) {
        all->one = given_memory(realloc(all->one, (i + 1) * sizeof *all->one));
        all->one[all->n++] = (struct named){ .kind = kind,
                                             .benchmark = file->benchmark,
                                             .host = host,
                                             .partner = partner };
    }
    one = &all->one[i];
    if (one->last == file)
        return NULL;
    one->last = file;
    one->ratio = given_memory(
        realloc(one->ratio, (size_t)(one->runs + 1) * sizeof *one->ratio));
    one->ratio[one->runs++] = ratio;
    one->detail[0] = '\0';
    return one;
}

static void name_pairs(struct names *all, const struct result_file *file,
                       const json_t *row)
{
    const json_t *slow;
    size_t i;

    json_array_foreach(json_object_get(json_object_get(row, "pairs"), "slow"),
                       i, slow)
    {
        const json_t *partner = json_object_get(slow, "partner");
        const char *host = named_host(file, whole_in(slow, "rank"));
        const char *other = json_is_integer(partner)
                                ? named_host(file, json_integer_value(partner))
                                : NULL;
        struct named *one = name(all, FINDING_NETWORK, file, host, other,
                                 number_in(slow, "ratio"));
        const long long bytes = whole_in(row, "bytes");

        if (one != NULL && json_is_integer(partner))
            text_add(one->detail, FINDING_TEXT, "%lld bytes, only this pair",
                     bytes);
        else if (one != NULL)
            text_add(one->detail, FINDING_TEXT,
                     "%lld bytes, in %lld of its %lld pairs", bytes,
                     whole_in(slow, "above"), whole_in(slow, "of_pairs"));
    }
}

static void name_suspects(struct names *all, const struct result_file *file,
                          const json_t *row)
{
    const json_t *suspect = json_object_get(row, "suspect");
    struct named *one = NULL;

    if (json_array_size(suspect) > 0)
        one = name(all, FINDING_VALUE, file, named_host(file, 0), NULL, 0);
    if (one != NULL)
        text_add(one->detail, FINDING_TEXT, "%lld bytes: %s",
                 whole_in(row, "bytes"),
                 json_string_value(json_array_get(suspect, 0)));
}

/* --- In words ---------------------------------------------------------------------- */

/* Runs of the benchmark in which the host took part. */
static int runs_of(const struct variant *s, const struct named *one)
{
    int runs = 0;

    for (size_t i = 0; i < s->n; i++) {
        const struct result_file *file = &s->file[i];
        const size_t ranks =
            json_array_size(json_object_get(file->environment, "rank"));
        bool there = false;

        for (size_t k = 0; k < ranks; k++)
            there = there || is_same(named_host(file, (long long)k), one->host);
        runs += there && strcmp(file->benchmark, one->benchmark) == 0;
    }
    return runs;
}

static void say_what(const struct named *one, double ratio, char *what)
{
    if (one->kind == FINDING_VALUE)
        text_add(what, FINDING_TEXT, "%s: a value cannot be right (%s).",
                 one->benchmark, one->detail);
    else
        text_add(what, FINDING_TEXT,
                 strcmp(one->benchmark, "pair_bw") == 0
                     ? "Bandwidth to other hosts is %.2f times the typical one "
                       "(pair_bw, %s)."
                     : "Messages to other hosts take %.2f times the typical "
                       "time (pair_matrix, %s).",
                 strcmp(one->benchmark, "pair_bw") == 0 ? 1 / ratio : ratio,
                 one->detail);
}

static void put(const struct variant *s, struct named *one,
                struct finding **list, size_t *n)
{
    const double ratio = stats_median(one->ratio, (size_t)one->runs);
    const int of = runs_of(s, one);
    struct finding *f;

    if (!runs_agree((size_t)one->runs, (size_t)of))
        return;
    f = findings_add(list, n);
    f->kind = one->kind;
    f->benchmark = one->benchmark;
    text_add(f->host, HOST_NAME, "%s", one->host != NULL ? one->host : "?");
    if (one->partner != NULL)
        text_add(f->partner, HOST_NAME, "%s", one->partner);
    f->ratio = one->kind == FINDING_NETWORK ? ratio : 0;
    f->runs = one->runs;
    f->of = of;
    say_what(one, ratio, f->what);
    text_add(f->evidence, FINDING_TEXT, "Named in %d of %d runs.", f->runs,
             f->of);
}

void named_by_runs(const struct variant *s, struct finding **list, size_t *n)
{
    struct names all = { .n = 0 };

    for (size_t i = 0; i < s->n; i++) {
        const json_t *row;
        size_t k;

        if (json_is_true(
                json_object_get(s->file[i].environment, "oversubscribed")))
            continue;

        json_array_foreach(s->file[i].rows, k, row)
        {
            name_pairs(&all, &s->file[i], row);
            name_suspects(&all, &s->file[i], row);
        }
    }
    for (size_t i = 0; i < all.n; i++) {
        put(s, &all.one[i], list, n);
        free(all.one[i].ratio);
    }
    free(all.one);
}
