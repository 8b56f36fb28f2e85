/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparable.h"

#include <stdlib.h>
#include <string.h>

#include "differences.h"

enum { VALUE = 100 }; /* bytes of a value in a sentence */

/* How long was measured, and what is not chosen. */
static const char *const free_method[] = { "title",  "precision",   "budget_s",
                                           "seed",   "pready_seed", "over",
                                           "sample", "printed",     "ignored" };
/* What of the environment decides what is measured. */
static const char *const bound_environment[] = { "ranks",          "nodes",
                                                 "ranks_per_node", "path",
                                                 "bound",          "memory",
                                                 "oversubscribed" };

enum {
    BOUND = sizeof bound_environment / sizeof *bound_environment,
    FREE = sizeof free_method / sizeof *free_method
};

static bool is_among(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

/* The name in "method.name" or "environment.name"; NULL: it is neither. */
static const char *name_in(const char *part, const char *field)
{
    const size_t n = strlen(part);

    return strncmp(field, part, n) == 0 && field[n] == '.' ? field + n + 1
                                                           : NULL;
}

bool may_differ_add(struct may_differ *may, const char *field, char why[WHY])
{
    const char *name = name_in("environment", field);

    if (may->n == MAY_DIFFER)
        return refuse(why, "--allow: at most %d", MAY_DIFFER);
    if (name != NULL ? !is_among(name, bound_environment, BOUND)
                     : name_in("method", field) == NULL)
        return refuse(why,
                      "--allow '%.60s' is no field that decides whether "
                      "results can be compared: give method.NAME or "
                      "environment.NAME as the message of the refusal does",
                      field);
    may->field[may->n++] = field;
    return true;
}

const json_t *comparable_field(const struct result_file *f, const char *field)
{
    const char *of_method = name_in("method", field);

    return of_method != NULL
               ? json_object_get(f->method, of_method)
               : json_object_get(f->environment, name_in("environment", field));
}

static bool is_met(const char *field, const struct variant *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (comparable_field(&s->file[i], field) != NULL)
            return true;
    return false;
}

bool may_differ_is_met(const struct may_differ *may, const struct variant *s,
                       int variants, char why[WHY])
{
    for (size_t i = 0; i < may->n; i++) {
        bool met = false;

        for (int k = 0; k < variants; k++)
            met = met || is_met(may->field[i], &s[k]);
        if (!met)
            return refuse(why, "--allow '%.60s': no result has that field",
                          may->field[i]);
    }
    return true;
}

bool field_may_differ(const struct may_differ *may, const char *field)
{
    return is_among(field, may->field, may->n);
}

/* What a user writes into the limits of accept for a field that may differ. */
static bool is_any(const json_t *value)
{
    const char *text = json_string_value(value);

    return text != NULL && strcmp(text, "any") == 0;
}

/* "method.start is own / library" into words[], and how to permit it, unless that
   may be. */
static bool differs(const char *part, const char *name, const json_t *a,
                    const json_t *b, const struct may_differ *may,
                    char words[WHY])
{
    const bool can = may->how != NULL;
    char full[100], *text[2];

    snprintf(full, sizeof full, "%s.%.60s", part, name);
    if ((a == NULL ? b == NULL : json_equal(a, b)) || is_any(a) || is_any(b) ||
        field_may_differ(may, full))
        return false;
    text[0] = json_shown(a);
    text[1] = json_shown(b);
    snprintf(words, WHY, "%s is %.*s / %.*s%s%s", full,
             utf8_within(text[0], VALUE), text[0], utf8_within(text[1], VALUE),
             text[1], can ? may->how : "", can ? full : "");
    free(text[0]);
    free(text[1]);
    return true;
}

/* A field may be missing because its option was not given, which is a difference.  In
   an archived file it may also be missing because it came later. */
static bool is_converted(const struct result_file *f)
{
    return json_object_get(f->root, "converted_from") != NULL;
}

/* Does a field of a's method that decides differ in b's? */
static bool method_differs(const struct result_file *a,
                           const struct result_file *b,
                           const struct may_differ *may, char words[WHY])
{
    const bool converted = is_converted(a) || is_converted(b);
    const json_t *value;
    const char *name;

    json_object_foreach(a->method, name, value)
    {
        const json_t *other = json_object_get(b->method, name);

        if (!is_among(name, free_method, FREE) &&
            (other != NULL || !converted) &&
            differs("method", name, value, other, may, words))
            return true;
    }
    /* What b alone has. */
    json_object_foreach(b->method, name, value)
    {
        if (!is_among(name, free_method, FREE) && !converted &&
            json_object_get(a->method, name) == NULL &&
            differs("method", name, NULL, value, may, words))
            return true;
    }
    return false;
}

/* False: why[] says what forbids to compare them. */
static bool are_alike(const struct result_file *a, const struct result_file *b,
                      const struct may_differ *may, char why[WHY])
{
    char words[WHY];
    bool alike = !method_differs(a, b, may, words);

    for (size_t i = 0; i < BOUND && alike; i++) {
        const json_t *of_a =
            json_object_get(a->environment, bound_environment[i]);
        const json_t *of_b =
            json_object_get(b->environment, bound_environment[i]);

        alike = of_a == NULL || of_b == NULL ||
                !differs("environment", bound_environment[i], of_a, of_b, may,
                         words);
    }
    return alike ||
           refuse(why, "%s and %s were measured under different conditions: %s",
                  a->path, b->path, words);
}

static const char *word_of(const struct result_file *f, const char *name,
                           const char *otherwise)
{
    const char *word = text_in(f->environment, name);

    return word != NULL ? word : otherwise;
}

void comparable_place(const struct result_file *f, const struct may_differ *may,
                      char place[PLACE])
{
    const json_t *e = f->environment;
    const int ranks = (int)whole_in(e, "ranks");
    const int nodes = (int)whole_in(e, "nodes");

    place[0] = '\0';
    if (!field_may_differ(may, "environment.ranks"))
        text_add(place, PLACE, "%d ranks", ranks);
    if (nodes > 1 && !field_may_differ(may, "environment.nodes"))
        text_add(place, PLACE, " on %d nodes", nodes);
    if (!field_may_differ(may, "environment.path"))
        text_add_word(place, PLACE, ", ", word_of(f, "path", "somewhere"), 16);
    if (!field_may_differ(may, "environment.memory"))
        text_add_word(place, PLACE, ", ", word_of(f, "memory", "H-H"), 12);
}

/* Is it another run of the same benchmark, in the same place? */
static bool is_like(const struct result_file *a, const struct result_file *b,
                    const struct may_differ *may)
{
    char place[2][PLACE];

    comparable_place(a, may, place[0]);
    comparable_place(b, may, place[1]);
    return strcmp(a->benchmark, b->benchmark) == 0 &&
           strcmp(place[0], place[1]) == 0;
}

/* The file of the variant that is compared with f: the first that is like it, or
   else of the same benchmark elsewhere; NULL: it has none. */
static const struct result_file *counterpart(const struct variant *s,
                                             const struct result_file *f,
                                             const struct may_differ *may)
{
    const struct result_file *elsewhere = NULL;

    for (size_t i = 0; i < s->n; i++) {
        const struct result_file *other = &s->file[i];

        if (is_like(other, f, may))
            return other;
        if (elsewhere == NULL && strcmp(other->benchmark, f->benchmark) == 0)
            elsewhere = other;
    }
    return elsewhere;
}

bool comparable_runs(const struct variant *a, const struct variant *b,
                     const struct may_differ *may, char why[WHY])
{
    for (size_t i = 0; i < b->n; i++) {
        const struct result_file *f = &b->file[i];
        const struct result_file *first = counterpart(a, f, may);

        if (first != NULL && first != f && is_like(first, f, may) &&
            !are_alike(first, f, may, why))
            return false;
    }
    return true;
}

/* Where the second has a benchmark in other places alone, that is an obstacle. */
bool comparable_variants(const struct variant *a, const struct variant *b,
                         const struct may_differ *may, char why[WHY])
{
    for (size_t i = 0; i < b->n; i++) {
        const struct result_file *f = &b->file[i];
        const struct result_file *first = counterpart(a, f, may);

        if (first != NULL && !is_like(first, f, may) &&
            !is_like(counterpart(b, first, may), first, may) &&
            !are_alike(first, f, may, why))
            return false;
    }
    return comparable_runs(a, b, may, why);
}

/* Benchmark, and what decides of method and environment. */
static json_t *deciding(const struct result_file *f)
{
    json_t *method = json_object(), *environment = json_object(), *value;
    const char *name;

    json_object_foreach(f->method, name, value)
    {
        if (!is_among(name, free_method, FREE))
            json_object_set(method, name, value);
    }
    for (size_t i = 0; i < BOUND; i++) {
        value = json_object_get(f->environment, bound_environment[i]);
        if (value != NULL)
            json_object_set(environment, bound_environment[i], value);
    }
    return json_pack("{s:s, s:o, s:o, s:O*}", "benchmark", f->benchmark,
                     "method", method, "environment", environment,
                     "converted_from",
                     json_object_get(f->root, "converted_from"));
}

json_t *conditions_of(const struct variant *s)
{
    const struct may_differ none = { .n = 0 };
    json_t *array = json_array();

    for (size_t i = 0; i < s->n; i++) {
        size_t k = 0;

        while (!is_like(&s->file[k], &s->file[i], &none))
            k++;
        if (k == i && json_array_append_new(array, deciding(&s->file[i])) != 0)
            memory_is_short();
    }
    return array;
}

bool conditions_read(struct variant *s, json_t *array, const char *name,
                     char why[WHY])
{
    json_t *object;
    size_t i;

    if (array == NULL)
        return true;
    if (!json_is_array(array))
        return refuse(why, "%s: measured_as is not a list", name);
    s->file = given_memory(calloc(json_array_size(array) + 1, sizeof *s->file));
    json_array_foreach(array, i, object)
    {
        const struct result_file f = {
            .benchmark = text_in(object, "benchmark"),
            .method = json_object_get(object, "method"),
            .environment = json_object_get(object, "environment")
        };

        if (f.benchmark == NULL || !json_is_object(f.method) ||
            !json_is_object(f.environment))
            return refuse(
                why, "%s: measured_as lacks benchmark, method or environment",
                name);
        s->file[s->n] = f;
        s->file[s->n].path = given_memory(strdup(name));
        s->file[s->n++].root = json_incref(object);
    }
    return true;
}
