/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * capacity.h - what this node can move at most, and what it grants this process: by
 *              its own control group and every one above it (version 2), since
 *              each may limit.
 */
#ifndef CAPACITY_H
#define CAPACITY_H

#include <stddef.h>

/* Bytes per second that this core copies within its cache: the best of some
   copies of 32 KiB; takes a fraction of a millisecond. */
double capacity_copy(void);

/* Bytes this node can still give away: what the kernel calls available, or what
   the control groups leave if that is less. */
size_t capacity_memory(void);

/* Bytes left in /dev/shm, where MPI has memory that ranks of a node share, and *size of
   it: 64 MiB in a container, unless it was told otherwise.  NAN: there is none. */
double capacity_shared(double *size);

/* CPUs' worth of time granted by the tightest cpu.max; 0: no limit. */
double capacity_cpus(void);

/* Seconds that quotas have held the processes of the group back: its own, and
   those of the groups above it.  Of two readings the difference counts, which a
   maximum over the groups would hide. */
double capacity_throttled(void);

#endif
