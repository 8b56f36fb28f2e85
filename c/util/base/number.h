/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * number.h - the one way to read a number that a user wrote: on the command line, in a file or
 *            in a variable of the environment.  No number wraps: what is too large for its type
 *            is the largest that there is.
 */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>

/* The whole number with which text begins, in decimal digits, maybe after a minus.  *end is what
   follows it; text itself: there is none.  errno is ERANGE if it was too large, or else 0. */
long number_whole(const char *text, const char **end);

/* Is all of text a whole number from least to most?  *value stays if not. */
bool number_is(const char *text, long least, long most, long *value);

/* Is text two whole numbers with that character between them?  Blanks may stand beside a comma. */
bool number_pair(const char *text, char between, long pair[2]);

/* The whole number with which the text of a variable begins; otherwise: no text, no number, or
   not from least to most. */
int number_of_variable(const char *text, int least, int most, int otherwise);

/* The finite number with which text begins.  *end is what follows it; text itself: there is
   none. */
double number_real(const char *text, const char **end);

#endif
