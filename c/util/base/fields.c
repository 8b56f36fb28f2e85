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

#    define INTEGER(value)       json_integer((json_int_t)(value))
#    define REAL(value)          real(value)
#    define TEXT(value)          text(value)
#    define FLAG(value)          json_boolean(value)
#    define NOTHING()            json_null()
#    define OBJECT(to, name)     set_container(to, name, json_object())
#    define LIST(to, name)       set_container(to, name, json_array())
#    define SET(to, name, value) set(to, name, value)
#else
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
