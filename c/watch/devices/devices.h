/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * devices.h - the network devices of this node that are up, and how many bytes each
 *             has sent, as the kernel counts them below /sys/class.
 *
 * A device is a port of an InfiniBand adapter (also of its relatives: RoCE, EFA) or of
 * Slingshot, or an interface.  A port counts in words of 4 bytes (port_xmit_data: "octets,
 * divided by 4", Documentation/ABI/stable/sysfs-class-infiniband of Linux), or in bytes in its
 * hw_counters or its telemetry; it counts what passes by the kernel.  An interface counts in
 * bytes.
 *
 * Each byte is counted once.  Interfaces that are made of others (bonds, bridges, VLANs)
 * are left out, as the others count.  What an IP interface on such a port has sent is not
 * the port's.  Memory that processes share (also xpmem and CMA) has no counter.
 */
#ifndef DEVICES_H
#define DEVICES_H

#include "record/fields.h"
#include "watch.h"

extern const struct watcher devices_watcher;

/* Count what devices send in each row, once the ranks are placed.  Collective. */
void carriers_begin(const struct context *c);

/* "links": the devices of this node, but the one that loops. */
void links_record(struct fields to);

/* "devices": what each sent in the row that was measured last, the most first; null: too little,
   or not counted.  On rank 0. */
void carriers_record(struct fields to);

#endif
