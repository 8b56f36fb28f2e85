/* SPDX-License-Identifier: BSD-3-Clause */
#include "fields.h"

#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <math.h>
#include <stddef.h>

#ifdef HAVE_JANSSON
#    include <jansson.h>

static void set(struct fields to, const char *name, json_t *value)
{
    if (to.object == NULL)
        json_decref(value);
    else if (name != NULL)
        json_object_set_new(to.object, name, value);
    else
        json_array_append_new(to.object, value);
}

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text(const char *value)
{
    return value != NULL ? json_string(value) : json_null();
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

bool fields_write(struct fields document, FILE *to, bool indented)
{
    return json_dumpf(document.object, to,
                      (indented ? JSON_INDENT(1) : JSON_COMPACT) |
                          JSON_REAL_PRECISION(12)) == 0;
}

void fields_release(struct fields document)
{
    json_decref(document.object);
}

#    define INTEGER(value)       json_integer((json_int_t)(value))
#    define REAL(value)          real(value)
#    define TEXT(value)          text(value)
#    define FLAG(value)          json_boolean(value)
#    define NOTHING()            json_null()
#    define OBJECT(to, name)     set_container(to, name, json_object())
#    define LIST(to, name)       set_container(to, name, json_array())
#    define SET(to, name, value) set(to, name, value)
#else
struct fields fields_get(struct fields from, const char *name)
{
    (void)name;
    return from;
}

struct fields fields_document(void)
{
    return (struct fields){ NULL };
}

bool fields_write(struct fields document, FILE *to, bool indented)
{
    (void)document;
    (void)to;
    (void)indented;
    return true;
}

void fields_release(struct fields document)
{
    (void)document;
}

#    define INTEGER(value)       ((void)(value))
#    define REAL(value)          ((void)(value))
#    define TEXT(value)          ((void)(value))
#    define FLAG(value)          ((void)(value))
#    define NOTHING()            ((void)0)
#    define OBJECT(to, name)     ((void)(name), to)
#    define LIST(to, name)       ((void)(name), to)
#    define SET(to, name, value) ((void)to, (void)name, value)
#endif

void fields_real(struct fields to, const char *name, double value)
{
    SET(to, name, REAL(value));
}

void fields_us(struct fields to, const char *name, double seconds)
{
    SET(to, name, REAL(1e6 * seconds));
}

void fields_int(struct fields to, const char *name, long long value)
{
    SET(to, name, INTEGER(value));
}

void fields_text(struct fields to, const char *name, const char *value)
{
    SET(to, name, TEXT(value));
}

void fields_flag(struct fields to, const char *name, bool value)
{
    SET(to, name, FLAG(value));
}

void fields_null(struct fields to, const char *name)
{
    SET(to, name, NOTHING());
}

struct fields fields_object(struct fields to, const char *name)
{
    return OBJECT(to, name);
}

struct fields fields_list(struct fields to, const char *name)
{
    return LIST(to, name);
}

void fields_add_real(struct fields list, double value)
{
    fields_real(list, NULL, value);
}

void fields_add_int(struct fields list, long long value)
{
    fields_int(list, NULL, value);
}

void fields_add_text(struct fields list, const char *value)
{
    fields_text(list, NULL, value);
}

struct fields fields_add_object(struct fields list)
{
    return fields_object(list, NULL);
}

struct fields fields_add_list(struct fields list)
{
    return fields_list(list, NULL);
}
