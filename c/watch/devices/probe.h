/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe.h - which network device carries messages from node to node, before anything is
 *           measured: some are sent, and the devices of the sender's node are asked.
 *
 * Four messages of 4 MiB go from rank 0 to the first rank of another node, in host
 * memory.  Only where both nodes have a fast
 * device that a job may miss, or where --expect names a device.
 */
#ifndef PROBE_H
#define PROBE_H

#include <stddef.h>

#include "family.h"

/* The names, as devices.h has them, into device[] on rank 0; "": not known, or nothing was
   sent.  Warns if a faster device is idle.  Collective. */
void probe_devices(const struct context *c, char *device, size_t room);

#endif
