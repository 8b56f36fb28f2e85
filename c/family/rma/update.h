/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * update.h - verification of operations that update a window: fill and check of
 *            their flows.
 *
 * Before the lap the window holds one known number in every element, and the
 * origin sends another.  After the lap the window must hold their sum or, after a
 * swap, what was sent.  The origin must have received what the window held.
 */
#ifndef UPDATE_H
#define UPDATE_H

struct mismatch;
struct verify;

void update_fill(const struct verify *v);

/* Blocks in the order of the mismatch: what was received, then the window. */
void update_check(const struct verify *v, struct mismatch *first);

#endif
