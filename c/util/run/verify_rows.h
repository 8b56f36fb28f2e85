/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify_rows.h - each row untimed and verified, just before it is measured.
 */
#ifndef VERIFY_ROWS_H
#define VERIFY_ROWS_H

#include "job.h"

/*
 * Untimed iterations of the row that is set up, with known contents: one, or as many as
 * --verify and -c ask for.  The first opens connections, so that no first use colours the
 * row; each shows whether every rank receives what was sent to it.  result->verified is
 * complete then, and what is wrong is said (E14).  Collective.
 */
void verify_row(struct job *job, struct result *result);

/* Does a row with wrong data end the run before it is measured?  Not if its figure is to
   stand next to the verdict, or the user wants to know how often data is wrong. */
bool verify_ends(const struct context *c, const struct result *result);

#endif
