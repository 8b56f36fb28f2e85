/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target.h - what a passive target does while it is operated on (--target).
 *
 *   in-mpi     it waits in MPI, in the next collective call, and so can make progress;
 *   asleep     it sleeps for so many us, and then calls MPI once (MPI_Test);
 *   computing  it computes for so many us, and then calls MPI once.
 * Other than in-mpi, a row is measured in two passes, the first one with the target in
 * MPI; the table has both.  An operation that needs the target's CPU waits for its next
 * call of MPI.  The target goes on until its origin sends it an empty message, after
 * the last operation of a batch or, where pairs start together, after each operation.
 */
#ifndef TARGET_H
#define TARGET_H

#include "family.h"
#include "loop.h"
#include "report/report.h"

enum rma_target { TARGET_IN_MPI, TARGET_ASLEEP, TARGET_COMPUTING };

/* The word of --target, and what is wrong with it; NULL: nothing. */
const char *target_parse(const char *text, int *target, long *us);

/* On the target: do that until the origin is done.  On the origin: it is. */
void target_away(struct bench_run *r);
void target_call(struct bench_run *r);

/* Hook of struct family: both passes. */
void target_measure(struct measure *m, struct result *result);

/* Two columns for reports: the value with the target in MPI, and that of the row relative
   to it. */
struct cell target_in_mpi(const struct result *r);
struct cell target_ratio(const struct result *r);

#endif
