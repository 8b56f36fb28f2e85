/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows_list.h - which rows a run has, for which of them memory suffices, and in
 *               which order: the same list for the run and for --dry-run.
 */
#ifndef ROWS_LIST_H
#define ROWS_LIST_H

#include "setup.h"

/* The values of the parameter, into rows->value. */
void rows_parameter(struct rows *rows, const struct context *c);

/* The largest size of -m whose buffers fit everywhere, after setup_widest; larger
   ones are named on rank 0 (W11).  Collective; EXIT_OK, or the code to leave with
   where no size fits, said why. */
enum exit_code rows_fit(const struct setup *p, const struct context *c,
                        size_t *largest);

/* Add the rows: of each operation, at each value of the parameter, of each type,
   those sizes of -m that are at most fitting.  Collective, where MPI runs: what an
   operation needs may lack. */
void rows_list(struct rows *rows, const struct context *c, size_t fitting);

/* Say on rank 0 which rows there cannot be; EXIT_OK, or the code to leave with
   as there are none. */
enum exit_code rows_say(const struct rows *rows, const struct context *c);

/* The seed of --order=random: the one that was named, or any; 0: no random
   order.  Collective. */
unsigned long rows_seed(const struct context *c);

/* Put the rows of each block into the order of --order, on all ranks alike. */
void rows_order(struct rows *rows, const struct context *c);

#endif
