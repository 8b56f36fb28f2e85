/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arrays.h - counts, displacements and types that v- and w-collectives give to MPI, and those of a
 *            vector that is dealt out in parts of different lengths.
 *
 * As in OMB every rank has the same count and type, unless the blocks have portions; they lie side
 * by side.
 */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "data/flow.h"

/* The arrays of flows whose blocks MPI is given one by one. */
extern const struct flow_arrays vector_arrays;

/* Counts and displacements of all parts, for which l has room. */
void arrays_split(struct layout *l, int count, int parts, bool rest);

#endif
