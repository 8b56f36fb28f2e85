/* SPDX-License-Identifier: BSD-3-Clause */
/* graph_curves.h - the rows of a run as curves over their size. */
#ifndef GRAPH_CURVES_H
#define GRAPH_CURVES_H

#include "graph.h"

/* Write the points, in the order of curves and sizes, as data blocks $t0, $t1, ... into
   the script.  Returns the words that plot two curves of each, to be freed; NULL: no
   memory. */
char *graph_curves(const struct graph *g);

#endif
