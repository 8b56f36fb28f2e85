/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * warnings.h - what can be known before anything is measured, and lets figures say little: ranks
 *              or threads that share cores, ranks that move, other processes on their CPUs,
 *              percentiles of too few samples.
 */
#ifndef WARNINGS_H
#define WARNINGS_H

#include "watch.h"

extern const struct watcher warnings_watcher;

#endif
