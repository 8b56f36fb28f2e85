/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dry_run.h - --dry-run: the rows a run would have and the memory they need,
 *             for any number of ranks, without MPI.
 */
#ifndef DRY_RUN_H
#define DRY_RUN_H

#include "base/messages.h"
#include "bench.h"

/* Print the plan for --ranks, or for as many as the launcher started, and add its rows
   to *sum, which may be NULL. */
enum exit_code dry_run(const struct bench *b, struct settings *s, int *sum);

#endif
