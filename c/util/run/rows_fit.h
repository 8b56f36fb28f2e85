/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows_fit.h - up to which size the memory of every node and GPU suffices.
 */
#ifndef ROWS_FIT_H
#define ROWS_FIT_H

#include "setup.h"

/* The largest size of -m whose buffers fit everywhere, after setup_widest; larger
   ones are named on rank 0 (W11).  Collective; EXIT_OK, or the code to leave with
   where no size fits, said why. */
enum exit_code rows_fit(const struct setup *p, const struct context *c,
                        size_t *largest);

#endif
