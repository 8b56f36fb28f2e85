/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hotspot.h - messages between rank 0 and each of the others that take part:
 *             hotspot_send, hotspot_recv.
 */
#ifndef HOTSPOT_H
#define HOTSPOT_H

#include "data/flow.h"
#include "report/report.h"

extern const struct flow flow_hot_send, /* a block from rank 0 to every other */
    flow_hot_recv;                      /* a block from every other to rank 0 */

/* Time of a message; and the bandwidth of all together, and of each. */
extern const struct report report_hot_spot;

#endif
