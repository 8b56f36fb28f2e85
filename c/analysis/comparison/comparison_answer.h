/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_answer.h - a comparison on one screen: its classes, and one sentence.
 */
#ifndef COMPARISON_ANSWER_H
#define COMPARISON_ANSWER_H

#include "comparison.h"

/* One sentence for the whole, to be freed: where the second variant is faster, slower or the
   same, by how much, and what is undecided. */
char *comparison_answer(const struct comparison *c);

/* What to do about it, to be freed: how many more runs would decide what is undecided, and
   that runs were not made in turn; "" if nothing. */
char *comparison_advice(const struct comparison *c);

enum { CLASS_NOTE = 240 };

/* What else is to be said of a class, after its verdict: "about 8 more runs", "1 of its rows:
   ratio 10.7", "2 of its rows: disturbed"; "" if nothing. */
const char *comparison_class_note(const struct comparison *c,
                                  const struct comparison_class *of,
                                  char text[CLASS_NOTE]);

#endif
