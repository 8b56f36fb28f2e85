/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * capacity.h - what this node can move at most.
 */
#ifndef CAPACITY_H
#define CAPACITY_H

/* Bytes per second that this core copies within its cache: the best of some
   copies of 32 KiB; takes a fraction of a millisecond. */
double capacity_copy(void);

/* Bytes per second of all network links of this node that are up, one
   direction, as the kernel states them; 0: one of them does not say, or there
   are none.  Virtual devices have no rate and do not count. */
double capacity_link(void);

#endif
