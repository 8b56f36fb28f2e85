/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_local.h - a reduction within a rank: its send buffer has what rank 0 of
 *                  two would contribute, its receive buffer what rank 1 would, and
 *                  afterwards their result.
 */
#ifndef REDUCE_LOCAL_H
#define REDUCE_LOCAL_H

#include "data/flow.h"
#include "family.h"
#include "report/report.h"

extern const struct flow flow_reduce_local;
extern const struct report report_reduce_local; /* us and MB/s */
extern const struct family reduce_local_family; /* no ranks to choose */

#endif
