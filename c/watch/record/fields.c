/* SPDX-License-Identifier: BSD-3-Clause */
#include "fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value, with what follows it in its object or list. */
struct field {
    char *name; /* as JSON has it, with its quotes; NULL: in a list */
    char *text; /* a number, a text or a word, as JSON has it; NULL: an object or a list */
    bool is_list;
    struct field *first, *last, *next;
};

/* The number of bytes, 1 to 4, of the character with which text begins; 0: text begins with a
   byte of none.  U+FFFE and U+FFFF, which XML does not permit, are none.  At the end of text: 1. */
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
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | ((unsigned char)text[i] & 0x3F);
    }
    return code < least[n] || (code >= 0xD800 && code < 0xE000) || code == 0xFFFE ||
                   code == 0xFFFF || code > 0x10FFFF
               ? 0
               : n;
}

/* What stands for a byte that belongs to no character: U+FFFD. */
#define UTF8_UNKNOWN "\xEF\xBF\xBD"

/* A copy of text as JSON has it, with its quotes and with U+FFFD for each byte that belongs
   to no character; to be freed.  NULL: text is NULL, or there is no memory.  Arguments, paths, host
   names, variables and what launchers say may be Latin-1, or cut within a character, and a
   document with one such byte cannot be read. */
static char *quoted(const char *text)
{
    static const char special[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    enum { LONGEST = sizeof "\\u0000" - 1, QUOTES = 3 };
    char *const copy = text != NULL ? malloc(strlen(text) * LONGEST + QUOTES) : NULL;
    char *to = copy;

    if (copy == NULL)
        return NULL;
    *to++ = '"';
    while (*text != '\0') {
        const size_t n = character(text);
        const char *const found = strchr(special, *text);

        if (found != NULL)
            to += sprintf(to, "\\%c", letter[found - special]);
        else if ((unsigned char)*text < ' ')
            to += sprintf(to, "\\u%04X", (unsigned)*text);
        else
            to = n > 0 ? mempcpy(to, text, n) : stpcpy(to, UTF8_UNKNOWN);
        text += n > 0 ? n : 1;
    }
    strcpy(to, "\"");
    return copy;
}

/* value with 12 digits, a text that no locale changes: always with a point or an exponent. */
static char *real(double value)
{
    enum { DIGITS = 12, LONGEST = DIGITS + sizeof "-0.0001e-308" };
    char *const text = malloc(LONGEST), *point, *exponent;

    if (text == NULL)
        return NULL;
    snprintf(text, LONGEST - 2, "%.*g", DIGITS, value);
    point = text + strspn(text, "-0123456789");
    exponent = strchr(text, 'e');
    if (*point == '\0')
        strcpy(point, ".0");
    else if (*point != 'e')
        *point = '.';
    if (exponent != NULL) { /* e-07 is e-7, and e+20 is e20 */
        char *const sign = exponent + 1, *const digits = sign + 1;

        memmove(sign + (*sign == '-'), digits + strspn(digits, "0"),
                strlen(digits + strspn(digits, "0")) + 1);
    }
    return text;
}

static void release(struct field *f)
{
    while (f != NULL) {
        struct field *const next = f->next;

        release(f->first);
        free(f->name);
        free(f->text);
        free(f);
        f = next;
    }
}

static struct field *find(const struct field *in, const char *name)
{
    struct field *f = in->first;

    while (f != NULL && (f->name == NULL || strcmp(f->name, name) != 0))
        f = f->next;
    return f;
}

/* A field of that name, empty: what it was is released; or a new one at the end.  name and
   text belong to it.  NULL: there is no memory, or nothing to put it into. */
static struct field *put(struct fields to, char *name, char *text)
{
    struct field *f = to.inside != NULL && name != NULL ? find(to.inside, name) : NULL;

    if (f != NULL) {
        release(f->first);
        free(f->text);
        free(name);
        *f = (struct field){ .name = f->name, .text = text, .next = f->next };
        return f;
    }
    f = to.inside != NULL ? malloc(sizeof *f) : NULL;
    if (f == NULL) {
        free(name);
        free(text);
        return NULL;
    }
    *f = (struct field){ .name = name, .text = text };
    if (to.inside->last != NULL)
        to.inside->last->next = f;
    else
        to.inside->first = f;
    return to.inside->last = f;
}

/* text: as JSON has it; NULL: null. */
static void set(struct fields to, const char *name, char *text)
{
    put(to, quoted(name), text != NULL ? text : strdup("null"));
}

static struct fields set_container(struct fields to, const char *name, bool is_list)
{
    struct field *const f = put(to, quoted(name), NULL);

    if (f != NULL)
        f->is_list = is_list;
    return (struct fields){ f };
}

struct fields fields_get(struct fields from, const char *name)
{
    char *const key = quoted(name);
    struct field *const f = from.inside != NULL && key != NULL ? find(from.inside, key) : NULL;

    free(key);
    return (struct fields){ f };
}

struct fields fields_document(void)
{
    return (struct fields){ calloc(1, sizeof(struct field)) };
}

/* What is inside of f, each on a line of its own, depth blanks from the left; depth -1: all in
   one line. */
static void write_inside(const struct field *f, FILE *to, int depth)
{
    for (const struct field *in = f->first; in != NULL; in = in->next) {
        if (depth >= 0)
            fprintf(to, "\n%*s", depth, "");
        if (in->name != NULL)
            fprintf(to, depth >= 0 ? "%s: " : "%s:", in->name);
        if (in->text != NULL)
            fputs(in->text, to);
        else {
            fputc(in->is_list ? '[' : '{', to);
            write_inside(in, to, depth >= 0 ? depth + 1 : depth);
            fputc(in->is_list ? ']' : '}', to);
        }
        if (in->next != NULL)
            fputc(',', to);
        else if (depth >= 0)
            fprintf(to, "\n%*s", depth - 1, "");
    }
}

void fields_write(struct fields document, FILE *to, enum fields_form form)
{
    if (document.inside == NULL)
        return;
    if (form == FIELDS_LINE)
        fputc('{', to);
    write_inside(document.inside, to, form == FIELDS_INSIDE ? 1 : -1);
    if (form == FIELDS_LINE)
        fputc('}', to);
}

void fields_write_csv(struct fields of, const char *name, FILE *to)
{
    const struct field *const f = fields_get(of, name).inside;

    if (f == NULL || strcmp(f->text, "null") == 0)
        return;
    if (f->text[0] == '"')
        fprintf(to, "%.*s", (int)strlen(f->text) - 2, f->text + 1);
    else if (strpbrk(f->text, ".e") != NULL)
        fprintf(to, "%.9g", strtod(f->text, NULL));
    else
        fputs(f->text, to);
}

void fields_release(struct fields document)
{
    release(document.inside);
}

void fields_real(struct fields to, const char *name, double value)
{
    set(to, name, isfinite(value) ? real(value) : NULL);
}

void fields_us(struct fields to, const char *name, double seconds)
{
    fields_real(to, name, 1e6 * seconds);
}

void fields_int(struct fields to, const char *name, long long value)
{
    fields_known_int(to, name, true, value);
}

void fields_text(struct fields to, const char *name, const char *value)
{
    set(to, name, quoted(value));
}

void fields_written(struct fields to, const char *name, const char *value)
{
    set(to, name, strdup(value));
}

void fields_flag(struct fields to, const char *name, bool value)
{
    set(to, name, strdup(value ? "true" : "false"));
}

struct fields fields_object(struct fields to, const char *name)
{
    return set_container(to, name, false);
}

struct fields fields_known(struct fields to, const char *name, bool known)
{
    if (known)
        return fields_object(to, name);
    fields_text(to, name, NULL);
    return (struct fields){ NULL };
}

void fields_known_int(struct fields to, const char *name, bool known, long long value)
{
    char *text = NULL;

    if (known && asprintf(&text, "%lld", value) < 0)
        text = NULL;
    set(to, name, text);
}

struct fields fields_list(struct fields to, const char *name)
{
    return set_container(to, name, true);
}
