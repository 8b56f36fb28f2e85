/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma_window.h - the window of a one-sided run, created in one of four ways.
 */
#ifndef RMA_WINDOW_H
#define RMA_WINDOW_H

#include "rma_state.h"

/* Create a window of so many bytes on every rank, collectively over r->comm.  If MPI allocates the
   memory, its owner touches it first.  Otherwise rma->memory is used. */
void rma_begin(struct rma *rma, const struct bench_run *r, size_t bytes);
void rma_end(struct rma *rma);

/* Make writes of the CPU visible in the window, and the reverse. */
void rma_make_visible(const struct bench_run *r);

/* Does the CPU see a window's memory (MPI_WIN_UNIFIED)?  Collective; the same on all ranks. */
bool rma_is_unified(MPI_Comm comm);

/* Bytes left in /dev/shm, if MPI has the memory there that ranks of a node share; else NAN. */
double rma_room(void);

#endif
