/* SPDX-License-Identifier: BSD-3-Clause */
#include "measured_as.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Is there none like it before? */
static bool is_first(const struct subject *s, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (comparison_is_like(&s->document[k], &s->document[i]))
            return false;
    return true;
}

json_t *measured_as_of(const struct subject *s)
{
    json_t *array = json_array();

    for (size_t i = 0; i < s->n; i++)
        if (is_first(s, i) &&
            json_array_append_new(array,
                                  comparison_deciding(&s->document[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static const char *read_one(struct document *d, json_t *object,
                            const char *name)
{
    const char *benchmark =
        json_string_value(json_object_get(object, "benchmark"));
    json_t *method = json_object_get(object, "method");
    json_t *environment = json_object_get(object, "environment");

    if (benchmark == NULL || !json_is_object(method) ||
        !json_is_object(environment))
        return "measured_as lacks benchmark, method or environment";
    *d = (struct document){ .path = strdup(name),
                            .root = json_incref(object),
                            .benchmark = benchmark,
                            .method = method,
                            .environment = environment };
    if (d->path != NULL)
        return NULL;
    document_release(d);
    return strerror(ENOMEM);
}

bool measured_as_read(struct subject *s, json_t *array, const char *name,
                      const char **wrong)
{
    json_t *object;
    size_t i;

    *wrong =
        array == NULL || json_is_array(array) ? NULL : "measured_as is no list";
    if (*wrong != NULL || json_array_size(array) == 0)
        return *wrong == NULL;
    s->document = calloc(json_array_size(array), sizeof *s->document);
    if (s->document == NULL)
        *wrong = strerror(ENOMEM);
    json_array_foreach(array, i, object)
    {
        if (*wrong == NULL)
            *wrong = read_one(&s->document[s->n], object, name);
        if (*wrong == NULL)
            s->n++;
    }
    return *wrong == NULL;
}
