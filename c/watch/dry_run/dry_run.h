/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dry_run.h - --dry-run: the rows a run would have and the memory they need,
 *             for any number of ranks, without MPI.
 */
#ifndef DRY_RUN_H
#define DRY_RUN_H

#include "base/messages.h"
#include "bench.h"

extern const struct option_part dry_run_options;

/* What was asked for. */
struct dry_run_asked {
    bool wanted;
    int ranks; /* 0: as many as the launcher started */
};

/* In the row of an option that it leaves without effect. */
bool dry_run_is_wanted(const struct settings *s);
#define MOOT_IN_PLAN .moot = dry_run_is_wanted, .moot_because = "--dry-run measures nothing"

/* Print the plan for --ranks, or for as many as the launcher started, and add its rows
   to *sum, which may be NULL. */
enum exit_code dry_run(const struct bench *b, struct settings *s, int *sum);

#endif
