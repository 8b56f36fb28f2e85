/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.h - what programs of one job write must not be written by two of them.
 */
#ifndef FILES_H
#define FILES_H

#include "part.h"

enum { FILES_WHY = 5000 };

/* Does an option write files whose names do not tell programs apart?  Then why[] says it. */
bool files_of_one(const struct part *part, int n, char why[FILES_WHY]);

/* Make the folders of the result files.  Would two programs write one file, by whatever names?
   Then why[] says it.  On one rank. */
bool files_twice(const struct part *part, int n, char why[FILES_WHY]);

#endif
