/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_neighbors.h - the tables of neighborhood collectives; OMB's lines
 *                      about the topology come before them.
 */
#ifndef REPORT_NEIGHBORS_H
#define REPORT_NEIGHBORS_H

#include "report/report.h"

extern const struct report report_neighbors, /* like report_collective */
    report_neighbors_persistent,             /* like report_persistent */
    report_neighbors_overlap;                /* like report_overlap */

#endif
