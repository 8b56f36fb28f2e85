/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * differences.h - what differs between two variants that are compared all the same.
 */
#ifndef DIFFERENCES_H
#define DIFFERENCES_H

#include "comparable.h"

/* The value as JSON, or "not set" for NULL; to be freed. */
char *json_shown(const json_t *value);

/* Print what else differs between the first files: a line "mpi: A / B" for each
   field of the environment, each after begin. */
void environment_diff(FILE *to, const struct variant *a,
                      const struct variant *b, const char *begin);

/* Print a line if their runs, or those of one, were made by two versions of Alidade. */
void version_diff(FILE *to, const struct variant *a, const struct variant *b);

/* Print the file of MPI if both loaded the same one, as it may not be meant. */
void same_library(FILE *to, const struct variant *a, const struct variant *b,
                  const char *begin);

/* Print a line for each field that may differ and does, between the variants or
   among the runs of one. */
void allowed_diff(FILE *to, const struct variant *a, const struct variant *b,
                  const struct may_differ *may);

#endif
