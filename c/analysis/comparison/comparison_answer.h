/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_answer.h - a comparison on one screen: its classes, and one sentence.
 */
#ifndef COMPARISON_ANSWER_H
#define COMPARISON_ANSWER_H

#include "comparison.h"

/* One sentence for the whole, to be freed: where the second variant is faster, slower or the
   same, by how much, what is undecided, and what it would take.  Another one says so if
   the runs were not made in turn. */
char *comparison_answer(const struct comparison *c);

enum { CLASS_NOTE = 240 };

/* What else is to be said of a class, after its verdict: "about 8 more runs", "2 of its rows:
   disturbed"; "" if nothing. */
const char *comparison_class_note(const struct comparison *c,
                                  const struct comparison_class *of,
                                  char text[CLASS_NOTE]);

/* Are the rows of several places, so that tables must name them? */
bool comparison_has_places(const struct comparison *c);

/* The table of classes and the sentence: as plain text, whose lines that are no class begin
   with "# ", or as Markdown. */
void comparison_answer_text(FILE *to, const struct comparison *c);
void comparison_answer_markdown(FILE *to, const struct comparison *c);

#endif
