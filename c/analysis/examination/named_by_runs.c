/* SPDX-License-Identifier: BSD-3-Clause */
#include "named_by_runs.h"

#include <math.h>
#include <string.h>

const char *named_host(const struct result_file *file, long long rank)
{
    const json_t *ranks = json_object_get(file->environment, "rank");

    return rank < 0 ? NULL
                    : text_in(json_array_get(ranks, (size_t)rank), "host");
}

/* A host and a partner, or "": a pair is the same in both directions. */
static bool is_of(const struct finding *one, enum finding_kind kind,
                  const char *benchmark, const char *host, const char *partner)
{
    return one->kind == kind && strcmp(one->benchmark, benchmark) == 0 &&
           ((strcmp(one->host, host) == 0 &&
             strcmp(one->partner, partner) == 0) ||
            (partner[0] != '\0' && strcmp(one->host, partner) == 0 &&
             strcmp(one->partner, host) == 0));
}

/* A run names it, once whatever the number of its rows, and counts in runs; of then is
   the number of the run, from 1 on.  Returns it for the words of its last run; NULL: the run
   has named it already. */
static struct finding *name(struct finding **list, size_t *n, size_t first,
                            enum finding_kind kind, const struct variant *s,
                            size_t run, const char *host, const char *partner)
{
    const char *benchmark = s->file[run].benchmark;
    struct finding *one;
    size_t i = first;

    host = host != NULL ? host : "?";
    partner = partner != NULL ? partner : "";
    while (i < *n && !is_of(&(*list)[i], kind, benchmark, host, partner))
        i++;
    if (i == *n) {
        one = findings_add(list, n);
        one->kind = kind;
        one->benchmark = benchmark;
        text_add(one->host, HOST_NAME, "%s", host);
        text_add(one->partner, HOST_NAME, "%s", partner);
    }
    one = &(*list)[i];
    if (one->of == (int)run + 1)
        return NULL;
    one->of = (int)run + 1;
    one->runs++;
    one->what[0] = '\0';
    return one;
}

/* Its ratio becomes the geometric mean of those of the runs that name it. */
static void say_pair(struct finding *one, const struct result_file *file,
                     const json_t *row, const json_t *slow)
{
    const bool rates = strcmp(file->benchmark, "pair_bw") == 0;
    const double ratio =
        number_in(slow, "ratio") > 0 ? number_in(slow, "ratio") : 1;
    char pairs[80] = "only this pair";

    one->ratio =
        one->runs == 1
            ? ratio
            : exp(log(one->ratio) + (log(ratio) - log(one->ratio)) / one->runs);
    if (one->partner[0] == '\0')
        snprintf(pairs, sizeof pairs, "in %lld of its %lld pairs",
                 whole_in(slow, "above"), whole_in(slow, "of_pairs"));
    text_add(one->what, FINDING_TEXT,
             rates ? "Bandwidth to other hosts is %.2f times the typical one "
                     "(pair_bw, %lld bytes, %s)."
                   : "Messages to other hosts take %.2f times the typical "
                     "time (pair_matrix, %lld bytes, %s).",
             rates ? 1 / one->ratio : one->ratio, whole_in(row, "bytes"),
             pairs);
}

/* What a row of a run names. */
static void name_row(const struct variant *s, size_t run, const json_t *row,
                     size_t first, struct finding **list, size_t *n)
{
    const struct result_file *file = &s->file[run];
    const json_t *suspect = json_object_get(row, "suspect"), *slow;
    struct finding *one;
    size_t i;

    json_array_foreach(json_object_get(json_object_get(row, "pairs"), "slow"),
                       i, slow)
    {
        const json_t *partner = json_object_get(slow, "partner");

        one = name(list, n, first, FINDING_NETWORK, s, run,
                   named_host(file, whole_in(slow, "rank")),
                   json_is_integer(partner)
                       ? named_host(file, json_integer_value(partner))
                       : NULL);
        if (one != NULL)
            say_pair(one, file, row, slow);
    }
    one = json_array_size(suspect) > 0 ? name(list, n, first, FINDING_VALUE, s,
                                              run, named_host(file, 0), NULL)
                                       : NULL;
    if (one != NULL)
        text_add(one->what, FINDING_TEXT,
                 "%s: a value cannot be right (%lld bytes: %s).",
                 file->benchmark, whole_in(row, "bytes"),
                 json_string_value(json_array_get(suspect, 0)));
}

/* Runs of the benchmark in which the host took part. */
static int runs_of(const struct variant *s, const struct finding *one)
{
    int runs = 0;

    for (size_t i = 0; i < s->n; i++) {
        const struct result_file *file = &s->file[i];
        const size_t ranks =
            json_array_size(json_object_get(file->environment, "rank"));
        bool there = strcmp(one->host, "?") == 0;

        for (size_t k = 0; k < ranks && !there; k++) {
            const char *host = named_host(file, (long long)k);

            there = host != NULL && strcmp(host, one->host) == 0;
        }
        runs += there && strcmp(file->benchmark, one->benchmark) == 0;
    }
    return runs;
}

void named_by_runs(const struct variant *s, struct finding **list, size_t *n)
{
    const size_t first = *n;
    size_t kept = first;

    for (size_t i = 0; i < s->n; i++) {
        const json_t *row;
        size_t k;

        if (json_is_true(
                json_object_get(s->file[i].environment, "oversubscribed")))
            continue;
        json_array_foreach(s->file[i].rows, k, row)
            name_row(s, i, row, first, list, n);
    }
    for (size_t i = first; i < *n; i++) {
        struct finding *f = &(*list)[i];

        f->of = runs_of(s, f);
        if (!runs_agree((size_t)f->runs, (size_t)f->of))
            continue;
        text_add(f->evidence, FINDING_TEXT, "Named in %d of %d runs.", f->runs,
                 f->of);
        (*list)[kept++] = *f;
    }
    *n = kept;
}
