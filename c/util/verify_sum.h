/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify_sum.h - the part of verify.h that knows sums: what a rank
 *                contributes, and what must come of it.
 */
#ifndef VERIFY_SUM_H
#define VERIFY_SUM_H

#include "verify.h"

enum { VERIFY_CHUNK = 65536 }; /* bytes filled or compared at once */

/* Bytes of a received block: of a vector that is dealt out, a part. */
size_t verify_received_bytes(const struct verify *v);

/* What this rank contributes, at to. */
void verify_fill_terms(const struct verify *v, const struct memory_kind *kind,
                       char *to);

/* Compare the sum at from. */
void verify_check_sum(const struct verify *v, const char *from,
                      struct mismatch *first);

#endif
