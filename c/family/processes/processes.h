/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes.h - processes that a rank forks after MPI_Init and that do nothing:
 *               they show what a library does in a process that has forked.
 *
 * They are forked when the buffers are allocated.  They call neither MPI nor
 * anything else, live until the run ends, and die with their parent in any
 * case.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include "family.h"
#include "report/report.h"

/* Half a round trip, after lines that count the processes. */
extern const struct report report_forked;

extern const struct family processes_family;

#endif
