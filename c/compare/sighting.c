/* SPDX-License-Identifier: BSD-3-Clause */
#include "sighting.h"

#include <stdlib.h>
#include <string.h>

static int by_row(const void *a, const void *b)
{
    const struct sighting *x = a, *y = b;
    int order = strcmp(x->document->benchmark, y->document->benchmark);

    if (order == 0)
        order = strcmp(x->place, y->place);
    if (order == 0 && x->bytes != y->bytes)
        order = x->bytes > y->bytes ? 1 : -1;
    if (order == 0)
        order = strcmp(x->key, y->key);
    if (order == 0)
        order = x->subject - y->subject;
    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

/* Where their number may differ, rows of all ranks are one row; those of some of them still
   have their number. */
static void forget_ranks(struct sighting *s)
{
    const json_t *all = json_object_get(s->document->environment, "ranks");
    char *ranks = strstr(s->key, "ranks=");

    if (ranks != NULL && json_equal(json_object_get(s->row, "ranks"), all))
        snprintf(ranks, sizeof s->key - (size_t)(ranks - s->key), "ranks=all");
}

static size_t look(struct sighting *to, size_t n, const struct document *d,
                   int subject, const struct allowance *may)
{
    const bool free_ranks = comparison_may(may, "environment.ranks");
    const json_t *row;
    size_t i;

    json_array_foreach(d->rows, i, row)
    {
        if (!document_row_counts(row))
            continue;
        to[n] = (struct sighting){ .document = d,
                                   .row = row,
                                   .subject = subject,
                                   .bytes = document_row_bytes(row),
                                   .order = n };
        comparison_place(d, may, to[n].place);
        document_row_key(row, to[n].key, sizeof to[n].key);
        if (free_ranks)
            forget_ranks(&to[n]);
        n++;
    }
    return n;
}

struct sighting *sightings_of(const struct subject *const *subject, int n,
                              const struct allowance *may, size_t *count)
{
    struct sighting *seen;
    size_t most = 1;

    *count = 0;
    for (int k = 0; k < n; k++)
        for (size_t i = 0; i < subject[k]->n; i++)
            most += json_array_size(subject[k]->document[i].rows);
    seen = malloc(most * sizeof *seen);
    if (seen == NULL)
        return NULL;
    for (int k = 0; k < n; k++)
        for (size_t i = 0; i < subject[k]->n; i++)
            *count = look(seen, *count, &subject[k]->document[i], k, may);
    qsort(seen, *count, sizeof *seen, by_row);
    return seen;
}

struct sighting *sightings_of_all(const struct subject *subject, int n,
                                  const struct allowance *may, size_t *count)
{
    const struct subject *each[COMPARISON_SUBJECTS];

    for (int k = 0; k < n; k++)
        each[k] = &subject[k];
    return sightings_of(each, n, may, count);
}

size_t sightings_end(const struct sighting *seen, size_t i, size_t count)
{
    const struct sighting *first = &seen[i];

    do
        i++;
    while (i < count &&
           strcmp(seen[i].document->benchmark, first->document->benchmark) ==
               0 &&
           strcmp(seen[i].place, first->place) == 0 &&
           strcmp(seen[i].key, first->key) == 0);
    return i;
}
