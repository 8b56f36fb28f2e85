/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_impact.h - what victims and congestors send, and what must arrive.
 *
 * Either side is filled and verified as what it does (data/flow.h): pairs, a ring, a sum
 * over the victims, an incast, an outcast, an all-to-all.  In a mismatch, block is the
 * number of the message in what this rank receives.
 */
#ifndef FLOW_IMPACT_H
#define FLOW_IMPACT_H

#include "data/flow.h"

extern const struct flow flow_impact;

#endif
