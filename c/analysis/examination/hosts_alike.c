/* SPDX-License-Identifier: BSD-3-Clause */
#include "hosts_alike.h"

#include <stdlib.h>
#include <string.h>

#include "named_by_runs.h"
#include "results/facts.h"

/* A host, and what its first run of latency says, to be freed. */
struct known {
    const char *host;
    char *value;
};

/* All hosts that had a run of their own; the runs of other programs have other numbers of
   ranks, and other paths. */
static size_t known_of(const struct variant *s, const struct fact *fact,
                       struct known *known)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        const struct result_file *file = &s->file[i];
        const char *host = named_host(file, 0);
        bool there = host == NULL || strcmp(file->benchmark, "latency") != 0 ||
                     whole_in(file->environment, "nodes") != 1;

        for (size_t k = 0; k < n && !there; k++)
            there = strcmp(known[k].host, host) == 0;
        if (!there)
            known[n++] = (struct known){ .host = host,
                                         .value = fact_of_run(file, fact) };
    }
    return n;
}

/* One finding: each value, how many hosts have it, and the first of them. */
static void differ(const struct fact *fact, const struct known *known, size_t n,
                   struct finding **list, size_t *found)
{
    char what[FINDING_TEXT] = "";
    struct finding *f;
    size_t values = 0;

    for (size_t i = 0; i < n; i++) {
        const char *value =
            known[i].value[0] != '\0' ? known[i].value : "unknown";
        size_t same = 0, first = n;

        for (size_t k = 0; k < n; k++)
            if (strcmp(known[k].value, known[i].value) == 0) {
                first = k < first ? k : first;
                same++;
            }
        if (first == i)
            text_add(what, sizeof what, "%s%.*s on %zu host%s (%s%s)",
                     values++ > 0 ? "; " : "", utf8_within(value, 100), value,
                     same, same == 1 ? "" : "s", known[i].host,
                     same == 1 ? "" : ", ...");
    }
    if (values < 2)
        return;
    f = findings_add(list, found);
    f->kind = FINDING_FACT;
    text_add(f->what, FINDING_TEXT, "Hosts differ in %s: %s.", fact->label,
             what);
    text_add(f->evidence, FINDING_TEXT, "It is a fact, not a measurement.");
}

/* What most hosts have is told once, and makes none odd.  A missing hwloc names no host:
   less is known without it, but nothing is wrong. */
static void hinders(const char *key, json_t *of, size_t ran,
                    struct finding **list, size_t *n)
{
    const char *known = text_in(of, "why"), *why = known != NULL ? known : "-";
    json_t *hosts = json_object_get(of, "hosts");
    const size_t bad = json_array_size(hosts);
    const bool most = ran > 1 && 2 * bad > ran;

    for (size_t i = 0; i < (most ? 1 : bad); i++) {
        struct finding *f = findings_add(list, n);

        f->kind = FINDING_FACT;
        f->benchmark = "where";
        f->on_most_hosts = most;
        if (!most)
            text_add(f->host, HOST_NAME, "%s",
                     json_string_value(json_array_get(hosts, i)));
        if (i == 0)
            text_add(f->what, FINDING_TEXT, "where, %s: %.*s", key,
                     utf8_within(why, 300), why);
        else
            text_add(f->what, FINDING_TEXT, "where, %s: as on %s.", key,
                     json_string_value(json_array_get(hosts, 0)));
        text_add(f->evidence, FINDING_TEXT, "It is a fact: a rank tried it.");
    }
}

static void all_that_hinders(const struct result_file *file,
                             struct finding **list, size_t *n)
{
    json_t *row = json_array_get(file->rows, 0);
    const size_t ran = (size_t)whole_in(file->environment, "nodes");
    const char *key;
    json_t *value;

    json_object_foreach(json_object_get(row, "preflight"), key, value)
        hinders(key, value, ran, list, n);
}

void hosts_alike(const struct variant *s, struct finding **list, size_t *n)
{
    struct known *known = given_memory(malloc((s->n + 1) * sizeof *known));
    bool looked = false;

    for (size_t i = 0; i < facts_of_runs; i++) {
        const size_t hosts = (facts[i].kind & FACT_HOSTS) != 0
                                 ? known_of(s, &facts[i], known)
                                 : 0;

        differ(&facts[i], known, hosts, list, n);
        for (size_t k = 0; k < hosts; k++)
            free(known[k].value);
    }
    free(known);
    for (size_t i = 0; i < s->n && !looked; i++) {
        looked = strcmp(s->file[i].benchmark, "where") == 0;
        if (looked)
            all_that_hinders(&s->file[i], list, n);
    }
}
