/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * acceptance.h - are the limits reached, on all hosts that were measured?
 */
#ifndef ACCEPTANCE_H
#define ACCEPTANCE_H

#include "row_limits.h"

/* Print a table: each row of the limits, which were read from file, with what was
   measured and whether that passes.  Runs are grouped by hosts and folder, and the
   worst group counts.  Lines after the table name hosts that lack runs, and rows that were
   measured without having a limit.
   Returns how many rows fail or are missing, plus how many groups lack runs. */
size_t acceptance_print(const struct limits *limits, const char *file,
                        const struct variant *of);

#endif
