/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * carriers.h - who carried the bytes of a row: what the devices of all nodes sent while
 *              it was measured, by name.  And, of messages before the table, which device carries
 *              bytes between nodes.
 *
 * One rank of each node reads the counters before and after a row, outside of what is
 * timed.  What is sent counts, so a byte that goes from node to node counts once, with
 * the headers of its packets.  Warm-up and the harness's own messages count as well, and
 * so does what others send over the same devices.
 */
#ifndef CARRIERS_H
#define CARRIERS_H

#include <mpi.h>

#include "devices.h"
#include "watch.h"

enum { CARRIERS_MAX = 64 }; /* names; devices with others are left out */

struct carriers {
    MPI_Comm leaders; /* a rank of each node */
    struct devices here;
    int number
        [DEVICES_MAX]; /* of each device here among the names; CARRIERS_MAX: left out */
    double before[DEVICES_MAX];
    int n; /* names of all nodes, alike on all leaders */
    char name[CARRIERS_MAX][DEVICE_NAME];
    double bytes[CARRIERS_MAX]; /* rank 0: sent in the row, by all nodes */
    double sum;                 /* of bytes */
};

/* What was sent while the row was measured that was measured last: nothing, if nothing was
   counted.  On rank 0. */
const struct carriers *carriers_of_row(void);

extern const struct watcher carriers_watcher;

#endif
