/* SPDX-License-Identifier: BSD-3-Clause */
#include "fields.h"

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The number of bytes, 1 to 4, of the character with which text begins; 0: text begins with
   a byte of none.  U+FFFE and U+FFFF, which XML does not permit, are none.  At the end of
   text: 1. */
static size_t character(const char *text)
{
    static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char first = (unsigned char)text[0];
    const size_t n = first < 0x80   ? 1
                     : first < 0xC0 ? 0
                     : first < 0xE0 ? 2
                     : first < 0xF0 ? 3
                     : first < 0xF8 ? 4
                                    : 0;
    unsigned code = n < 2 ? first : first & (0x7Fu >> n);

    for (size_t i = 1; i < n; i++) {
        if (!continues(text[i]))
            return 0;
        code = code << 6 | ((unsigned char)text[i] & 0x3F);
    }
    return code < least[n] || (code >= 0xD800 && code < 0xE000) ||
                   code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF
               ? 0
               : n;
}

/* What stands for a byte that belongs to no character: U+FFFD. */
#define UTF8_UNKNOWN "\xEF\xBF\xBD"

/* A copy of text with U+FFFD for each byte that belongs to no character; to be freed.
   NULL: there is no memory.  Arguments, paths, host names, variables and what launchers say
   may be Latin-1, or cut within a character, and a document with one such byte cannot be
   read. */
static char *utf8_repaired(const char *text)
{
    char *const copy = malloc(strlen(text) * strlen(UTF8_UNKNOWN) + 1);
    char *to = copy;

    while (copy != NULL && *text != '\0') {
        const size_t n = character(text);

        to = n > 0 ? mempcpy(to, text, n) : stpcpy(to, UTF8_UNKNOWN);
        text += n > 0 ? n : 1;
    }
    if (copy != NULL)
        *to = '\0';
    return copy;
}

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
