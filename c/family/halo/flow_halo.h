/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_halo.h - what must be in every cell of a block and its halo (data/flow.h).
 *
 * Every cell of the whole grid has a number of its own.  Before an exchange the own
 * cells of a rank hold their numbers, and its halo holds poison.  After it every cell
 * of the halo must hold the number that follows from its place in the whole grid.  The
 * own cells, the parts of the halo that are not exchanged and the memory after the
 * array must be unchanged.
 *
 * In a mismatch, block is the number of the side in the 9 or 27 blocks around the
 * own one (lattice_number), and element is the cell's index in the array.
 */
#ifndef FLOW_HALO_H
#define FLOW_HALO_H

#include "data/flow.h"

extern const struct flow flow_halo;

#endif
