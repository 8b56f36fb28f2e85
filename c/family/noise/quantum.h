/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quantum.h - a fixed quantum of work: a chain of integer operations in registers, in
 *             which each waits for the one before.
 *
 * It touches no memory and calls nothing, so only what takes the CPU away, or slows its
 * clock, makes it longer.
 */
#ifndef NOISE_QUANTUM_H
#define NOISE_QUANTUM_H

#include <mpi.h>

void quantum_run(long steps);

/*
 * Steps that last so many seconds on the fastest rank, at least 1; the same on every rank.
 * All ranks compute for some ms at a time, as they will later.  Collective over comm.
 */
long quantum_calibrate(MPI_Comm comm, double seconds);

#endif
