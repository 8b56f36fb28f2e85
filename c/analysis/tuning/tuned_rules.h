/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned_rules.h - what the libraries read: settings of one algorithm, Open MPI's dynamic
 *                 rules, variables of MPICH.
 */
#ifndef TUNED_RULES_H
#define TUNED_RULES_H

#include <stdio.h>

#include "tuning.h"

enum { TUNE_CONTROL = 256 };

/* The variables that ask for an algorithm of an operation at all sizes, as
   "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial".  Open MPI's algorithms begin with their number:
   "3-recursive_doubling". */
void tuned_control(char control[TUNE_CONTROL], enum tune_library library,
                   const char *operation, const char *algorithm);

/* Can the choice for this operation be written? */
bool tuned_is_known(enum tune_library library, const char *operation);

/* The variables that ask for the choice that was written to a file. */
void tuned_settings(FILE *to, enum tune_library library,
                    const struct tune_place *of, const char *path);

/*
 * Write the choice of n places, those of one operation in sequence, numbers of ranks
 * ascending.
 *
 * Open MPI: a file of dynamic rules.  A size of ours is that of a block; the rules of
 * allgather, alltoall, gather and scatter have all blocks, as a test of what is taken has
 * shown for Open MPI 4.1.4.  Sizes and numbers of ranks that were not measured
 * keep the default, which is algorithm 0; between two sizes that were, the rule of the smaller
 * holds.  MPICH: commands of a shell that set variables.
 */
void tuned_write(FILE *to, enum tune_library library,
                 const struct tune_place *place, size_t n);

#endif
