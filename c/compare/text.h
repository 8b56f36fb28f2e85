/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - sentences that say why not, text that is cut to its room, and memory.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { WHY = 800 };

/* A sentence into why[], as printf makes it.  Always false, to be returned. */
bool refuse(char why[WHY], const char *form, ...)
    __attribute__((format(printf, 2, 3)));

/* Go on with the text in to[], which has so much room; what is too long is cut. */
void text_add(char *to, size_t room, const char *form, ...)
    __attribute__((format(printf, 3, 4)));

/* The same of at most so many bytes of a word, NULL for none; the separator stands before it
   unless it is the first. */
void text_add_word(char *to, size_t room, const char *separator,
                   const char *word, size_t most);

/* How many bytes of text make whole characters of UTF-8, at most so many: for "%.*s". */
int utf8_within(const char *text, size_t most);

/* End the program with 1 and a sentence. */
_Noreturn void memory_is_short(void);

/* The memory that malloc, strdup or jansson gave; NULL: memory_is_short. */
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
