/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fields.h - an object of the JSON document while it is written.
 *
 * Without --json the object is NULL and all of this does nothing: callers need not ask.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include <stdbool.h>
#include <stdio.h>

struct field;
struct fields {
    struct field *inside; /* of an object or a list; NULL: nothing is written */
};

/* Set a field of that name; to a list, append a value: name is NULL.  A number that is not
   finite and a text that is NULL become null; us: a time in seconds is written in microseconds.
   A text may be any bytes: U+FFFD stands for one that belongs to no character of UTF-8. */
void fields_real(struct fields to, const char *name, double value);
void fields_us(struct fields to, const char *name, double seconds);
void fields_int(struct fields to, const char *name, long long value);
void fields_text(struct fields to, const char *name, const char *value);
void fields_flag(struct fields to, const char *name, bool value);

/* The same with an object or a list, empty so far and owned by *to. */
struct fields fields_object(struct fields to, const char *name);
struct fields fields_list(struct fields to, const char *name);

/* Such an object, or a number; of what is not known, null: what is then set is set nowhere. */
struct fields fields_known(struct fields to, const char *name, bool known);
void fields_known_int(struct fields to, const char *name, bool known, long long value);

/* A value that FIELDS_LINE has written. */
void fields_written(struct fields to, const char *name, const char *value);

/* The object that is there under that name already. */
struct fields fields_get(struct fields from, const char *name);

/* A new document: an empty object, which fields_release releases.  fields_write:
   12 digits, in one line; or what is inside of it, indented, a field a line. */
enum fields_form { FIELDS_LINE, FIELDS_INSIDE };
struct fields fields_document(void);
void fields_write(struct fields document, FILE *to, enum fields_form form);
void fields_release(struct fields document);

/* A number, of which 9 digits, or a word as it stands in a row of CSV: no commas and quotes are in
   it.  Nothing: null, or there is no such field. */
void fields_write_csv(struct fields of, const char *name, FILE *to);

#endif
