/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.h - the words that an option takes. */
#ifndef CHOICE_H
#define CHOICE_H

#include <stddef.h>

/* A word, its value, and what it means, for --help.  Without a meaning it
   is another word for a value: accepted, not shown.  Lists end with a NULL word. */
struct choice {
    const char *word;
    int value;
    const char *meaning;
};

/* The choice whose word, up to its colon, is the first n characters of the text, in any case;
   NULL: none. */
const struct choice *choice_of(const struct choice *choices, const char *text,
                               size_t n);

/* The same of words with an argument, "random:SEED": the choice that is alike up to the
   colon; *argument is what follows the text's colon, NULL: it has none. */
const struct choice *choice_before_colon(const struct choice *choices,
                                         const char *text,
                                         const char **argument);

/* The word of a value, for example "flush"; NULL: it has none. */
const char *choice_word(const struct choice *choices, int value);

enum { CHOICE_WHY = 280 };

/* "is not one of ...": what is wrong with a text of this length, and the word that was
   probably meant. */
const char *choice_refused(const struct choice *choices, const char *text,
                           size_t length, char why[CHOICE_WHY]);

/* Returned by parsers of a text that is none of the choices of their row. */
extern const char choice_none[];

#endif
