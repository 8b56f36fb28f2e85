/* SPDX-License-Identifier: BSD-3-Clause */
#include "fields.h"

#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "utf8.h"

#ifdef HAVE_JANSSON
#    include <jansson.h>
#else /* every object is NULL, and so is what would be put into one */
typedef void json_t;
typedef long long json_int_t;
#    define json_object()                        NULL
#    define json_array()                         NULL
#    define json_null()                          NULL
#    define json_real(value)                     NULL
#    define json_integer(value)                  ((void)(value), NULL)
#    define json_string(value)                   NULL
#    define json_boolean(value)                  ((void)(value), NULL)
#    define json_decref(value)                   ((void)(value))
#    define json_object_set_new(to, name, value) ((void)0)
#    define json_array_append_new(to, value)     ((void)0)
#    define json_object_get(from, name)          ((void)(from), (void)(name), NULL)
#    define json_dumpf(value, to, flags)                                       \
        ((void)(value), (void)(to), (void)(flags), 0)
#    define JSON_INDENT(n)         (n)
#    define JSON_COMPACT           0
#    define JSON_EMBED             0
#    define JSON_REAL_PRECISION(n) (n)
#endif

/* Names and texts may be any bytes; jansson takes UTF-8 alone. */
static void set(struct fields to, const char *name, json_t *value)
{
    char *const valid = name != NULL ? utf8_repaired(name) : NULL;

    if (to.object == NULL)
        json_decref(value);
    else if (name != NULL)
        json_object_set_new(to.object, valid, value);
    else
        json_array_append_new(to.object, value);
    free(valid);
}

/* The new value stays where it was put: what is returned is borrowed. */
static struct fields set_container(struct fields to, const char *name,
                                   json_t *value)
{
    set(to, name, value);
    return (struct fields){ to.object != NULL ? value : NULL };
}

struct fields fields_get(struct fields from, const char *name)
{
    return (struct fields){ json_object_get(from.object, name) };
}

struct fields fields_document(void)
{
    return (struct fields){ json_object() };
}

void fields_write(struct fields document, FILE *to, enum fields_form form)
{
    (void)json_dumpf(
        document.object, to,
        (form == FIELDS_INSIDE ? JSON_INDENT(1) | JSON_EMBED : JSON_COMPACT) |
            JSON_REAL_PRECISION(12));
}

void fields_release(struct fields document)
{
    json_decref(document.object);
}

void fields_real(struct fields to, const char *name, double value)
{
    set(to, name, isfinite(value) ? json_real(value) : json_null());
}

void fields_us(struct fields to, const char *name, double seconds)
{
    fields_real(to, name, 1e6 * seconds);
}

void fields_int(struct fields to, const char *name, long long value)
{
    set(to, name, json_integer((json_int_t)value));
}

void fields_text(struct fields to, const char *name, const char *value)
{
    char *const valid = value != NULL ? utf8_repaired(value) : NULL;

    set(to, name, value != NULL ? json_string(valid) : json_null());
    free(valid);
}

void fields_flag(struct fields to, const char *name, bool value)
{
    set(to, name, json_boolean(value));
}

void fields_null(struct fields to, const char *name)
{
    set(to, name, json_null());
}

struct fields fields_object(struct fields to, const char *name)
{
    return set_container(to, name, json_object());
}

struct fields fields_known(struct fields to, const char *name, bool known)
{
    if (known)
        return fields_object(to, name);
    fields_null(to, name);
    return (struct fields){ NULL };
}

void fields_known_int(struct fields to, const char *name, bool known,
                      long long value)
{
    set(to, name, known ? json_integer((json_int_t)value) : json_null());
}

struct fields fields_list(struct fields to, const char *name)
{
    return set_container(to, name, json_array());
}
