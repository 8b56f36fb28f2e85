/* SPDX-License-Identifier: BSD-3-Clause */
#include "host_sets.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The hosts of a run, each once: "n1,n2", and their number; to be freed. */
static char *hosts_of(const struct result_file *f, int *hosts)
{
    const json_t *ranks = json_object_get(f->environment, "rank");
    const size_t n = json_array_size(ranks);
    const char **name = given_memory(malloc((n + 1) * sizeof *name));
    size_t names = 0, size;
    char *text = NULL;
    FILE *to = given_memory(open_memstream(&text, &size));

    for (size_t i = 0; i < n; i++) {
        name[names] = text_in(json_array_get(ranks, i), "host");
        names += name[names] != NULL;
    }
    qsort(name, names, sizeof *name, by_name);
    *hosts = 0;
    for (size_t i = 0; i < names; i++)
        if (i == 0 || strcmp(name[i], name[i - 1]) != 0)
            fprintf(to, "%s%s", (*hosts)++ > 0 ? "," : "", name[i]);
    fclose(to);
    free(name);
    return given_memory(text);
}

/* A file of the variant, to be sorted by its hosts. */
struct member {
    char *name;
    int hosts;
    size_t file;
};

static int by_hosts(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x->file > y->file) - (x->file < y->file);
}

static struct variant begin_set(const struct member *first, size_t room)
{
    const size_t end = strcspn(first->name, ",");
    struct variant set = { .room = room };

    text_add(set.name, sizeof set.name, "%.*s",
             first->hosts > 0 ? utf8_within(first->name, end < 40 ? end : 40)
                              : 14,
             first->hosts > 0 ? first->name : "unknown hosts");
    if (first->hosts > 1)
        text_add(set.name, sizeof set.name, " and %d more", first->hosts - 1);
    set.file = given_memory(calloc(room, sizeof *set.file));
    return set;
}

void host_sets_make(struct host_sets *h, const struct variant *s)
{
    struct member *member = given_memory(calloc(s->n + 1, sizeof *member));

    *h = (struct host_sets){
        .set = given_memory(calloc(s->n + 1, sizeof *h->set)),
        .hosts = given_memory(calloc(s->n + 1, sizeof *h->hosts))
    };
    for (size_t i = 0; i < s->n; i++) {
        member[i].file = i;
        member[i].name = hosts_of(&s->file[i], &member[i].hosts);
    }
    qsort(member, s->n, sizeof *member, by_hosts);
    for (size_t i = 0, end; i < s->n; i = end) {
        for (end = i + 1; end < s->n; end++)
            if (strcmp(member[end].name, member[i].name) != 0)
                break;
        h->set[h->n] = begin_set(&member[i], end - i);
        h->hosts[h->n] = member[i].hosts;
        for (size_t k = i; k < end; k++)
            h->set[h->n].file[h->set[h->n].n++] = s->file[member[k].file];
        h->n++;
    }
    for (size_t i = 0; i < s->n; i++)
        free(member[i].name);
    free(member);
}

void host_sets_release(struct host_sets *h)
{
    for (int i = 0; i < h->n; i++)
        free(h->set[i].file);
    free(h->set);
    free(h->hosts);
    *h = (struct host_sets){ .n = 0 };
}
