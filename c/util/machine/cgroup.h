/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cgroup.h - what the control groups of this process still allow (version 2):
 *            its own group and every one above it, since each may limit.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <stddef.h>

/* Bytes this node can still give away: what the kernel calls available, or what
   the control groups leave if that is less. */
size_t cgroup_memory_available(void);

/* CPUs' worth of time granted by the tightest cpu.max; 0: no limit. */
double cgroup_cpus(void);

/* Seconds that quotas have held the processes of the group back: its own, and
   those of the groups above it.  Of two readings the difference counts, which a
   maximum over the groups would hide. */
double cgroup_throttled(void);

#endif
