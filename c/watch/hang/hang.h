/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hang.h - watches whether the job moves, and what a process says that a signal ends.
 */
#ifndef HANG_H
#define HANG_H

#include "watch.h"

extern const struct watcher hang_watcher;

#endif
