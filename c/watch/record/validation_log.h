/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validation_log.h - -clog: every wrong element, on the rank that received it.
 *
 * DIR/log-RANK.log, written only by ranks that find something wrong: for each
 * iteration a line "Size: N, Iteration:0, Datatype: NAME" (0: the first verified one),
 * then Position, Expected and Actual of each difference.  Positions count bytes
 * (elements in reductions) through all blocks; the guard follows the last block.
 * The folder must not exist before the run, and every node has it.
 */
#ifndef VALIDATION_LOG_H
#define VALIDATION_LOG_H

#include "watch.h"

extern const struct watcher validation_log_watcher;

#endif
