/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partners.h - with whom this rank talks, where ranks talk in pairs or all with one.
 */
#ifndef PARTNERS_H
#define PARTNERS_H

#include "bench.h"

/* What the command line and the number of ranks say of it.  No MPI is called. */
void partners_describe(struct bench_run *r, const struct context *c);

/* What is left to the nodes that the ranks are on.  Collective; EXIT_OK, or the code to
   leave with, said why, alike on all ranks. */
enum exit_code partners_settle(struct bench_run *r, const struct context *c);

#endif
