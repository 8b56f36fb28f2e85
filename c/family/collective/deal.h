/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deal.h - what --counts says, told to all ranks: each of them makes the portions of
 *          what it sends, and the receivers hear of them before the first row.
 */
#ifndef DEAL_H
#define DEAL_H

#include "collective.h"

/* PMPI_Alltoall, or its form on a topology. */
typedef int deal_tell(const void *send, int sends, MPI_Datatype sent,
                      void *recv, int receives, MPI_Datatype received,
                      MPI_Comm comm);

/* Give the blocks of run their portions; all stay equal without --counts.  Collective;
   EXIT_OK, or the code to leave with, said why, alike on all ranks. */
enum exit_code deal_begin(const struct context *c, deal_tell *tell);
void deal_end(const struct context *c);

/* Bytes of the busiest rank in the row that run describes, and how many times as many
   as the mean.  Of pairs: bytes that it sends to others, or that it receives from them,
   whichever is more; of others: the largest block.  Collective. */
void deal_weigh(const struct context *c, struct busiest *busiest);

#endif
