/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings_good.h"

#include <stdlib.h>
#include <string.h>

enum { SENTENCES = 8 };

/* The next sentence, empty. */
static char *next(char (*good)[FINDING_TEXT], size_t *n)
{
    good[*n][0] = '\0';
    return good[(*n)++];
}

/* Findings of that kind and benchmark; NULL: of any benchmark. */
static size_t count(const struct findings *f, enum finding_kind kind,
                    const char *benchmark)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++)
        n += f->odd[i].kind == kind &&
             (benchmark == NULL || strcmp(f->odd[i].benchmark, benchmark) == 0);
    return n;
}

static size_t runs_of(const struct findings *f, const char *benchmark)
{
    size_t runs = 0;

    for (size_t i = 0; i < f->of->n; i++)
        runs += strcmp(f->of->file[i].benchmark, benchmark) == 0;
    return runs;
}

/* Hosts that run the same in the same time, in which series. */
static void alike(const struct findings *f, char (*good)[FINDING_TEXT],
                  size_t *n)
{
    char list[FINDING_TEXT] = "";
    size_t hosts = 0;

    for (size_t i = 0; i < f->values.n; i++) {
        const struct host_series *s = &f->values.series[i];
        const int needs = host_series_needs(&f->values, s);
        bool same =
            s->margin > 0 && needs > 0 && host_series_has(s) >= (size_t)needs;

        for (size_t k = 0; k < s->hosts; k++)
            same = same && s->host[k].is == HOST_ALIKE;
        if (!same)
            continue;
        text_add(list, sizeof list, "%s%s", list[0] != '\0' ? "; " : "",
                 s->label);
        hosts = s->hosts;
    }
    if (list[0] != '\0')
        text_add(next(good, n), FINDING_TEXT,
                 "No difference between %zu hosts was found in: %s.", hosts,
                 list);
}

static void pairs(const struct findings *f, const char *benchmark,
                  char (*good)[FINDING_TEXT], size_t *n)
{
    const size_t runs = runs_of(f, benchmark);

    if (runs > 0 && count(f, FINDING_NETWORK, benchmark) == 0)
        text_add(next(good, n), FINDING_TEXT,
                 "%s: no host or pair of hosts is named by a quarter of its "
                 "runs (%zu).",
                 benchmark, runs);
}

char (*findings_good(const struct findings *f, size_t *n))[FINDING_TEXT]
{
    char(*good)[FINDING_TEXT] = given_memory(malloc(SENTENCES * sizeof *good));

    *n = 0;
    alike(f, good, n);
    pairs(f, "pair_matrix", good, n);
    pairs(f, "pair_bw", good, n);
    if (runs_of(f, "noise") > 0 && count(f, FINDING_NOISE, NULL) == 0)
        text_add(
            next(good, n), FINDING_TEXT,
            "noise: no host loses time in a fixed period in a quarter of its "
            "runs (%zu).",
            runs_of(f, "noise"));
    if (runs_of(f, "where") > 0 && count(f, FINDING_FACT, "where") == 0)
        text_add(next(good, n), FINDING_TEXT,
                 "The placement check (where) finds nothing that hinders MPI.");
    if (f->hosts > 1 && runs_of(f, "latency") > 0 &&
        count(f, FINDING_FACT, "") == 0)
        text_add(next(good, n), FINDING_TEXT,
                 "Hosts have the same MPI, kernel, processor and caches.");
    if (f->verified > 0)
        text_add(
            next(good, n), FINDING_TEXT,
            "All data of %zu rows were verified: each byte arrived as it was sent.",
            f->verified);
    return good;
}
