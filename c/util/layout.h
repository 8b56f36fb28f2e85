/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - counts and displacements of v-collectives.
 *
 * OMB's layout: every rank the same count, blocks packed side by side.  What
 * is measured is the interface, not an imbalance.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdbool.h>

struct layout {
    int blocks;
    int *counts, *displs; /* blocks entries each, in elements */
};

/* Room for blocks entries; false: out of memory. */
bool layout_begin(struct layout *layout, int blocks);
void layout_end(struct layout *layout);

/* Equal counts.  false: a displacement does not fit into an int. */
bool layout_fill(struct layout *layout, int count);

#endif
