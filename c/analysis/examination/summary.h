/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * summary.h - the findings of an examination in words: for a terminal, as the first screen
 *             of a page, and as JSON.  All three have the same content: what is odd, by
 *             which evidence, what to type next, what the values are, and what was not measured.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "findings.h"
#include "text/document.h"

struct summary {
    const struct findings *of;
    /* The command that examines the hosts in place of {hosts}; NULL: unknown */
    const char *again;
    const char *note; /* a sentence below the answer; NULL: none */
};

enum { SUMMARY_COMMAND = 2000 };

/* The command that examines the hosts of a finding again, with others that nothing is
   known against, and the one that shows more of its host.  Both return text; "": none. */
const char *summary_again(const struct summary *s, const struct finding *one,
                          char text[SUMMARY_COMMAND]);
const char *summary_look(const struct summary *s, const struct finding *one,
                         char text[SUMMARY_COMMAND]);

/* Add the summary. */
void summary_add(struct document *d, const struct summary *s);

/* Add how the decisions are made. */
void summary_rules(struct document *d);

/* Write a struct summary as doc/examine.schema.json has it.  False: it could not be written. */
bool summary_json(FILE *to, const void *summary);

#endif
