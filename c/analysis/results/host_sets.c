/* SPDX-License-Identifier: BSD-3-Clause */
#include "host_sets.h"

#include <stdint.h>
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

/* A file of the variant, to be sorted by the set that it belongs to. */
struct member {
    char *hosts;
    const char *folder;
    size_t file;
};

static int by_set(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    const uintptr_t of_x = (uintptr_t)x->folder, of_y = (uintptr_t)y->folder;
    const int order = strcmp(x->hosts, y->hosts);

    if (order != 0)
        return order;
    if (of_x != of_y)
        return of_x < of_y ? -1 : 1;
    return x->file < y->file ? -1 : x->file > y->file;
}

static struct member *members_of(const struct variant *s)
{
    struct member *member = given_memory(calloc(s->n + 1, sizeof *member));

    for (size_t i = 0; i < s->n; i++)
        member[i] =
            (struct member){ hosts_of(&s->file[i]), s->file[i].folder, i };
    qsort(member, s->n, sizeof *member, by_set);
    return member;
}

/* Number the sets in the order of their first files, and count their files: into number
   the set of each file. */
static void number_sets(struct host_sets *h, const struct member *member,
                        size_t n, size_t *number)
{
    size_t *first = given_memory(calloc(n + 1, sizeof *first));

    for (size_t i = 0; i < n; i++)
        first[member[i].file] =
            i > 0 && member[i].folder == member[i - 1].folder &&
                    strcmp(member[i].hosts, member[i - 1].hosts) == 0
                ? first[member[i - 1].file]
                : member[i].file;
    for (size_t i = 0; i < n; i++) {
        number[i] = first[i] == i ? h->n++ : number[first[i]];
        h->set[number[i]].of.room++;
    }
    free(first);
}

static void begin_set(struct host_set *set, const struct member *of)
{
    set->hosts = of->hosts;
    set->folder = of->folder;
    set->of.file = given_memory(calloc(set->of.room, sizeof *set->of.file));
    set->nhosts = 1;
    for (const char *c = of->hosts; *c != '\0'; c++)
        set->nhosts += *c == ',';
}

/* Sets of the same hosts follow each other among the members. */
static void begin_sets(struct host_sets *h, struct member *member, size_t n,
                       const size_t *number)
{
    struct host_set *before = NULL;

    for (size_t i = 0; i < n; i++) {
        struct host_set *set = &h->set[number[member[i].file]];

        if (set == before) {
            free(member[i].hosts);
            continue;
        }
        begin_set(set, &member[i]);
        set->alike = number[member[i].file];
        if (before != NULL && strcmp(before->hosts, set->hosts) == 0) {
            set->alike = before->alike;
            before->alike = number[member[i].file];
        }
        before = set;
    }
}

static void number_sizes(struct host_sets *h)
{
    size_t *number;
    int most = 0;

    for (size_t i = 0; i < h->n; i++)
        most = h->set[i].nhosts > most ? h->set[i].nhosts : most;
    number = given_memory(calloc((size_t)most + 1, sizeof *number));
    for (size_t i = 0; i < h->n; i++) {
        size_t *own = &number[h->set[i].nhosts];

        if (*own == 0)
            *own = ++h->sizes;
        h->set[i].size = *own - 1;
    }
    free(number);
}

void host_sets_make(struct host_sets *h, const struct variant *s)
{
    struct member *member = members_of(s);
    size_t *number = given_memory(calloc(s->n + 1, sizeof *number));

    *h = (struct host_sets){ .set = given_memory(
                                 calloc(s->n + 1, sizeof *h->set)) };
    number_sets(h, member, s->n, number);
    begin_sets(h, member, s->n, number);
    for (size_t i = 0; i < s->n; i++) {
        struct variant *of = &h->set[number[i]].of;

        of->file[of->n++] = s->file[i];
    }
    number_sizes(h);
    free(member);
    free(number);
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
