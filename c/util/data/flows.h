/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.h - what programs of pairs move. */
#ifndef FLOWS_H
#define FLOWS_H

#include "flow.h"

extern const struct flow flow_none, /* no data */
    flow_ping_pong,                 /* one block to the peer and one back */
    flow_stream,    /* a window from the sender to the receiver */
    flow_both_ways; /* a window in either direction */

#endif
