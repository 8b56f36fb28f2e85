/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_notes.h - what is to be said of a comparison besides its verdicts: what was to
 *                      be compared and could not be, runs that lack rows or have wrong data,
 *                      fields that were allowed to differ and do, runs whose ranks shared
 *                      CPUs, doubtful rows, variants that were left out.
 */
#ifndef COMPARISON_NOTES_H
#define COMPARISON_NOTES_H

#include "comparison.h"

/* Fill c->note, after the classes were made. */
void comparison_notes_make(struct comparison *c);

/* There is no row in common: why[] says so, and the first gap.  Returns false. */
bool comparison_notes_refuse(const struct comparison *c, char why[WHY]);

#endif
