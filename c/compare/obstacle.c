/* SPDX-License-Identifier: BSD-3-Clause */
/* What forbids to compare two documents: comparison.h. */
#include "comparison.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

/* How long was measured, and what is not chosen. */
static const char *const free_method[] = { "title",  "precision",   "budget_s",
                                           "seed",   "pready_seed", "over",
                                           "sample", "printed" };
/* What of the environment decides what is measured. */
static const char *const bound_environment[] = { "ranks",          "nodes",
                                                 "ranks_per_node", "path",
                                                 "bound",          "memory",
                                                 "oversubscribed" };

static bool is_among(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

bool comparison_may(const struct allowance *may, const char *field)
{
    return is_among(field, may->field, may->n);
}

/* "method.start own / library", unless that may be. */
static char *differing(const char *part, const char *name, const json_t *a,
                       const json_t *b, const struct allowance *may)
{
    char full[100], *text[2], *words = NULL;
    size_t room;

    snprintf(full, sizeof full, "%s.%.60s", part, name);
    /* Fields that came later are missing in older documents: then they cannot
       be told to differ. */
    if (a == NULL || b == NULL || json_equal(a, b) || comparison_may(may, full))
        return NULL;
    text[0] = json_dumps(a, JSON_COMPACT | JSON_ENCODE_ANY);
    text[1] = json_dumps(b, JSON_COMPACT | JSON_ENCODE_ANY);
    if (text[0] != NULL && text[1] != NULL) {
        room = strlen(full) + 2 * 100 + 10;
        words = malloc(room);
        if (words != NULL)
            snprintf(words, room, "%s is %.*s / %.*s", full,
                     utf8_within(text[0], 100), text[0],
                     utf8_within(text[1], 100), text[1]);
    }
    free(text[0]);
    free(text[1]);
    return words != NULL ? words : strdup(full);
}

/* NULL, or in words to be freed what forbids to compare them. */
static char *obstacle(const struct document *a, const struct document *b,
                      const struct allowance *may)
{
    const size_t unbound = sizeof free_method / sizeof *free_method;
    const json_t *value;
    const char *name;
    char *words = NULL;

    json_object_foreach(a->method, name, value)
    {
        if (is_among(name, free_method, unbound))
            continue;
        words = differing("method", name, value,
                          json_object_get(b->method, name), may);
        if (words != NULL)
            return words;
    }
    for (size_t i = 0; i < sizeof bound_environment / sizeof *bound_environment;
         i++) {
        words = differing("environment", bound_environment[i],
                          json_object_get(a->environment, bound_environment[i]),
                          json_object_get(b->environment, bound_environment[i]),
                          may);
        if (words != NULL)
            return words;
    }
    return NULL;
}

static const char *text_of(const json_t *object, const char *name,
                           const char *otherwise)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text != NULL ? text : otherwise;
}

void comparison_place(const struct document *d, const struct allowance *may,
                      char place[COMPARISON_PLACE])
{
    const json_t *e = d->environment;
    const int ranks = (int)json_integer_value(json_object_get(e, "ranks"));
    const int nodes = (int)json_integer_value(json_object_get(e, "nodes"));
    const char *path = text_of(e, "path", "somewhere");
    const char *memory = text_of(e, "memory", "H-H");
    int at = 0;

    place[0] = '\0';
    if (!comparison_may(may, "environment.ranks"))
        at += snprintf(place, COMPARISON_PLACE, "%d ranks", ranks);
    if (nodes > 1 && !comparison_may(may, "environment.nodes"))
        at += snprintf(place + at, COMPARISON_PLACE - (size_t)at,
                       " on %d nodes", nodes);
    if (!comparison_may(may, "environment.path"))
        at += snprintf(place + at, COMPARISON_PLACE - (size_t)at, "%s%.*s",
                       at > 0 ? ", " : "", utf8_within(path, 16), path);
    if (!comparison_may(may, "environment.memory"))
        snprintf(place + at, COMPARISON_PLACE - (size_t)at, "%s%.*s",
                 at > 0 ? ", " : "", utf8_within(memory, 12), memory);
}

/* Is it another launch of the same benchmark, in the same place? */
static bool is_like(const struct document *a, const struct document *b,
                    const struct allowance *may)
{
    char place[2][COMPARISON_PLACE];

    comparison_place(a, may, place[0]);
    comparison_place(b, may, place[1]);
    return strcmp(a->benchmark, b->benchmark) == 0 &&
           strcmp(place[0], place[1]) == 0;
}

/* The document of the subject that is compared with d: the first that is like it, or
   else of the same benchmark elsewhere; NULL: it has none. */
static const struct document *counterpart(const struct subject *s,
                                          const struct document *d,
                                          const struct allowance *may)
{
    const struct document *elsewhere = NULL;

    for (size_t i = 0; i < s->n; i++) {
        const struct document *other = &s->document[i];

        if (is_like(other, d, may))
            return other;
        if (elsewhere == NULL && strcmp(other->benchmark, d->benchmark) == 0)
            elsewhere = other;
    }
    return elsewhere;
}

/* False: they differ, and why[] says in what. */
static bool are_alike(const struct document *a, const struct document *b,
                      const struct allowance *may, char *why, size_t room)
{
    char *words = obstacle(a, b, may);

    if (words == NULL)
        return true;
    snprintf(why, room, "%s and %s are of different things: %s", a->path,
             b->path, words);
    free(words);
    return false;
}

bool comparison_alike(const struct subject *a, const struct subject *b,
                      const struct allowance *may, char *why, size_t room)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct document *d = &b->document[i];
        const struct document *first = counterpart(a, d, may);

        if (first != NULL && first != d && is_like(first, d, may) &&
            !are_alike(first, d, may, why, room))
            return false;
    }
    return true;
}

/* Every launch against the first of the first subject that is like it; where the
   second has a benchmark in other places alone, that is an obstacle. */
bool comparison_allowed(const struct subject *a, const struct subject *b,
                        const struct allowance *may, char *why, size_t room)
{
    const struct subject *all[] = { a, b };

    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < all[s]->n; i++) {
            const struct document *d = &all[s]->document[i];
            const struct document *first = counterpart(a, d, may);
            const bool covered =
                first == NULL || first == d ||
                (!is_like(first, d, may) &&
                 is_like(counterpart(b, first, may), first, may));

            if (!covered && !are_alike(first, d, may, why, room))
                return false;
        }
    return true;
}

json_t *comparison_deciding(const struct document *d)
{
    const size_t unbound = sizeof free_method / sizeof *free_method;
    json_t *method = json_object(), *environment = json_object(), *value;
    const char *name;

    json_object_foreach(d->method, name, value)
    {
        if (!is_among(name, free_method, unbound))
            json_object_set(method, name, value);
    }
    for (size_t i = 0; i < sizeof bound_environment / sizeof *bound_environment;
         i++) {
        value = json_object_get(d->environment, bound_environment[i]);
        if (value != NULL)
            json_object_set(environment, bound_environment[i], value);
    }
    return json_pack("{s:s, s:o, s:o}", "benchmark", d->benchmark, "method",
                     method, "environment", environment);
}

bool comparison_is_like(const struct document *a, const struct document *b)
{
    const struct allowance none = { NULL, 0 };

    return is_like(a, b, &none);
}
