/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo_messages.h - the messages of a rank, and what MPI needs to move them:
 *                   datatypes, a graph, a window.
 *
 * A rank lists what it sends and what it receives in the same order of sides.  So the
 * k-th message to a rank is the k-th that the rank receives from here.
 */
#ifndef HALO_MESSAGES_H
#define HALO_MESSAGES_H

#include "data/flow.h"
#include "halo.h"

/* Who sends to whom, once the grid knows its ranks. */
void halo_messages_begin(struct halo *h);

/* Which cells, once h->shape is that of a row: boxes, packed messages, datatypes.  What
   an earlier row had is released. */
void halo_messages_row(struct halo *h);
void halo_types_end(struct halo *h);

/* h->graph: the neighbors as a distributed graph.  Collective. */
void halo_graph_begin(struct halo *h, MPI_Comm comm);

/* h->win over that many bytes of the array, and the groups of its epochs.  Collective;
   end is allowed without begin. */
void halo_window_begin(struct halo *h, MPI_Comm comm, size_t bytes);
void halo_window_end(struct halo *h);

#endif
