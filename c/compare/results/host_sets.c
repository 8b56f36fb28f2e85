/* SPDX-License-Identifier: BSD-3-Clause */
#include "host_sets.h"

#include <stdlib.h>
#include <string.h>

#include "text/text.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each host once, to be freed. */
static char *hosts_of(const struct result_file *f)
{
    const json_t *ranks = json_object_get(f->environment, "rank");
    const size_t n = json_array_size(ranks);
    const char **name = given_memory(malloc((n + 1) * sizeof *name));
    size_t room = 1, names = 0;
    char *text;

    for (size_t i = 0; i < n; i++) {
        name[names] = text_in(json_array_get(ranks, i), "host");
        names += name[names] != NULL;
    }
    qsort(name, names, sizeof *name, by_name);
    for (size_t i = 0; i < names; i++)
        room += strlen(name[i]) + 1;
    text = given_memory(calloc(room, 1));
    for (size_t i = 0; i < names; i++)
        if (i == 0 || strcmp(name[i], name[i - 1]) != 0)
            text_add(text, room, "%s%s", i > 0 ? "," : "", name[i]);
    free(name);
    return text;
}

/* The set of these hosts, which become the set's if it is a new one. */
static struct host_set *find(struct host_sets *h, const struct subject *s,
                             char *hosts, const char *folder)
{
    struct host_set *set;

    for (size_t i = 0; i < h->n; i++)
        if (h->set[i].folder == folder && strcmp(h->set[i].hosts, hosts) == 0) {
            free(hosts);
            return &h->set[i];
        }
    set = &h->set[h->n++];
    *set =
        (struct host_set){ .hosts = hosts, .folder = folder, .of.room = s->n };
    set->of.file = given_memory(calloc(s->n, sizeof *set->of.file));
    set->nhosts = 1;
    for (const char *c = hosts; *c != '\0'; c++)
        set->nhosts += *c == ',';
    return set;
}

void host_sets_make(struct host_sets *h, const struct subject *s)
{
    h->n = 0;
    h->set = given_memory(calloc(s->n + 1, sizeof *h->set));
    for (size_t i = 0; i < s->n; i++) {
        struct host_set *set =
            find(h, s, hosts_of(&s->file[i]), s->file[i].folder);

        set->of.file[set->of.n++] = s->file[i];
    }
}

void host_sets_release(struct host_sets *h)
{
    for (size_t i = 0; i < h->n; i++) {
        free(h->set[i].hosts);
        free(h->set[i].of.file);
    }
    free(h->set);
    *h = (struct host_sets){ .n = 0 };
}

const char *host_set_words(const struct host_set *set, char text[120])
{
    const size_t first = strcspn(set->hosts, ",");
    const int more = set->nhosts - 1;

    text[0] = '\0';
    text_add(text, 120, "%.*s",
             first > 0 ? utf8_within(set->hosts, first < 40 ? first : 40) : 14,
             first > 0 ? set->hosts : "unknown hosts");
    if (more > 0)
        text_add(text, 120, " and %d more", more);
    if (set->folder != NULL)
        text_add(text, 120, " in %.*s", utf8_within(set->folder, 50),
                 set->folder);
    return text;
}
