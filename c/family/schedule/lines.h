/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines.h - lines about rows, kept until the table is complete.
 */
#ifndef LINES_H
#define LINES_H

#include <stdio.h>

#include "report/result.h"

struct context;

/* Zeroed: there are none. */
struct lines {
    FILE *to;
    char *text;
    size_t size;
};

/* Begin a line: what it is about, and the row that it belongs to.  Returns where the rest of
   it is written; no memory ends the job. */
FILE *lines_about(struct lines *lines, const struct context *c,
                  const char *about, const struct result *result);

/* An empty line, and all of them; once. */
void lines_print(struct lines *lines, FILE *to);

void lines_end(struct lines *lines);

#endif
