/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes.h - processes forked by a rank after MPI_Init, which only exist:
 *               the state of a library in a process that has forked.
 *
 * They are forked when the buffers are there, call neither MPI nor anything else,
 * live until the run ends, and die with their parent, however it ends.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include "family.h"
#include "report/report.h"

/* Half a round trip, after lines that count the processes. */
extern const struct report report_forked;

extern const struct family processes_family;

#endif
