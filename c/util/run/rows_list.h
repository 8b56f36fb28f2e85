/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows_list.h - which rows a run has, for which of them memory suffices, and in
 *               which order: the same list for the run and for --dry-run.
 */
#ifndef ROWS_LIST_H
#define ROWS_LIST_H

#include "setup.h"

/* Add the rows that the command line asks for: of each operation, at each value of the
   parameter, of each type, the sizes of -m.  Those that cannot be are named, with the reason
   (W31); EXIT_OK, or the code to leave with where no row is left, said why. */
enum exit_code rows_list(struct rows *rows, const struct context *c);

/* The same as far as buffers fit everywhere, in the order of --order, on all ranks alike;
   p gets the widest row.  What does not fit is named too (W11), all on rank 0.
   Collective. */
enum exit_code rows_list_fitting(struct rows *rows, struct setup *p,
                                 const struct context *c);

/* The seed of --order=random: the one that was named, or any; 0: no random order.
   Collective. */
unsigned long rows_seed(const struct context *c);

#endif
