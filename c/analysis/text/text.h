/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - sentences of refusal, text that is cut to fit, what tools have in common
 *          about their files and their end, and memory.
 */
#ifndef TEXT_H
#define TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/utf8.h"

enum { WHY = 800 };

/* Write a sentence into why[], as printf does.  Returns false, for the caller
   to return. */
bool refuse(char why[WHY], const char *form, ...)
    __attribute__((format(printf, 2, 3)));

/* Append to the text in to[], which has so much room; text that is too long is
   cut, but within no character. */
void text_add(char *to, size_t room, const char *form, ...)
    __attribute__((format(printf, 3, 4)));

/* Append at most so many bytes of a word (NULL: nothing), after the separator
   unless it is the first. */
void text_add_word(char *to, size_t room, const char *separator,
                   const char *word, size_t most);

/* The text, which may be any bytes, for a document of JSON; null of NULL. */
json_t *json_text(const char *text);

/* Print a document, which is released.  False: it could not be written. */
bool json_print(FILE *to, json_t *document);

/* What "5" or "5%" is of one; NAN: it is no percentage from 0 up to 1000. */
double percentage(const char *text);

/* Can n files, of which NULL is none, be written?  False: why[] says which cannot. */
bool can_be_written(const char *const *path, int n, char why[WHY]);

/* Write a file by a function that is given what, and returns false if it could not; of NULL
   nothing is written.  False: why[] says what is wrong, and an earlier file is kept. */
bool write_file(const char *path, bool (*write)(FILE *to, const void *what),
                const void *what, char why[WHY]);

/* The exit code for main to return: code, or 1 after a sentence if standard output did
   not take all that was printed. */
int leave(int code);

/* Print a sentence and exit with code 1. */
_Noreturn void memory_is_short(void);

/* Return memory from malloc, strdup or jansson; call memory_is_short if it is
   NULL. */
void *given_memory(void *memory);

/* Print the text and leave with success: its help or its version. */
_Noreturn void print_and_exit(const char *text);

#endif
