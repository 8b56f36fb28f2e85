/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fresh_file.h - a file that is there whole or not at all: what an interrupted or
 *                failed run leaves is the file of before.
 */
#ifndef FRESH_FILE_H
#define FRESH_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct fresh_file {
    FILE *to;                         /* NULL: no file is wanted */
    char path[4096], fresh[4096 + 4]; /* fresh "": path itself is written */
};

/* Begin the file at path, NULL for none.  A device or pipe that is there is written as it
   is, not replaced.  False: errno says why it cannot be. */
bool fresh_file_begin(struct fresh_file *f, const char *path);

/* Put what was written in its place if it is good, else leave what was there.  False:
   it was not put there. */
bool fresh_file_end(struct fresh_file *f, bool good);

#endif
