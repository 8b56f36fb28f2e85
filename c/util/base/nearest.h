/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nearest.h - "did you mean": the word of a list that a mistyped one was meant to be.
 */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

struct nearest {
    const char *text; /* what was typed, and its length */
    size_t length;
    const char *word; /* the nearest yet; NULL: none is near */
    size_t slips;
    char question[80];
};

/* A word is near if it takes at most one slip for three letters: one that is missing, added,
   wrong, or swapped with the next.  Of equally near ones the first counts. */
void nearest_offer(struct nearest *near, const char *word);

/* " (did you mean WORD?)", with a prefix to the word as "--"; "" if no word is near.  It
   lives as long as near. */
const char *nearest_question(struct nearest *near, const char *prefix);

#endif
