/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - sentences of refusal, text that is cut to fit, and memory.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { WHY = 800 };

/* Write a sentence into why[], as printf does.  Returns false, for the caller
   to return. */
bool refuse(char why[WHY], const char *form, ...)
    __attribute__((format(printf, 2, 3)));

/* Append to the text in to[], which has so much room; text that is too long is
   cut. */
void text_add(char *to, size_t room, const char *form, ...)
    __attribute__((format(printf, 3, 4)));

/* Append at most so many bytes of a word (NULL: nothing), after the separator
   unless it is the first. */
void text_add_word(char *to, size_t room, const char *separator,
                   const char *word, size_t most);

/* The number of bytes of text, at most so many, that make whole characters of
   UTF-8; for "%.*s". */
int utf8_within(const char *text, size_t most);

/* What "5" or "5%" is of one; NAN: it is no percentage from 0 up to 1000. */
double percentage(const char *text);

/* Print a sentence and exit with code 1. */
_Noreturn void memory_is_short(void);

/* Return memory from malloc, strdup or jansson; call memory_is_short if it is
   NULL. */
void *given_memory(void *memory);

/* For the argp options of a tool, which is parsed with ARGP_NO_HELP: -h and -v, as
   the benchmarks have them. */
#define TOOL_OPTIONS                                                           \
    { "help", 'h', NULL, 0, NULL, 0 },                                         \
        { "usage", 'h', NULL, OPTION_ALIAS, NULL, 0 },                         \
    {                                                                          \
        "version", 'v', NULL, 0, NULL, 0                                       \
    }

/* Print the text and leave with success: its help or its version. */
_Noreturn void print_and_exit(const char *text);

#endif
