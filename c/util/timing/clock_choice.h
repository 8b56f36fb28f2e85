/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_choice.h - the same clock on every rank.
 */
#ifndef CLOCK_CHOICE_H
#define CLOCK_CHOICE_H

#include <mpi.h>
#include <stdbool.h>

#include "clock.h"

/*
 * Use the wanted clock from now on; CLOCK_AUTO: the TSC where every rank's
 * kernel vouches for it, else CLOCK_MONOTONIC.  The ranks of a node get one
 * rate for their one oscillator, and of MPI_Wtime one beginning: those of its
 * first rank.  Collective over all and
 * over node.  False, on every rank: the TSC was wanted and is not
 * safe everywhere.
 */
bool clock_choose(enum clock_kind wanted, MPI_Comm all, MPI_Comm node);

#endif
