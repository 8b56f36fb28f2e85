/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment_diff.h - what differs between two subjects and need only be said.
 */
#ifndef ENVIRONMENT_DIFF_H
#define ENVIRONMENT_DIFF_H

#include <stdio.h>

#include "subject.h"

/* Of the first files: a line "mpi: A / B" for each field of the environment; begin stands
   before each. */
void environment_diff(FILE *to, const struct subject *a,
                      const struct subject *b, const char *begin);

#endif
