/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hang.h - watches whether the job moves, and what a process says that a signal ends.
 */
#ifndef HANG_H
#define HANG_H

#include "options/settings.h"
#include "watch.h"

extern const struct watcher hang_watcher;
extern const struct option_part hang_options;

/* Seconds without progress after which the job is aborted; 0: never. */
double hang_timeout(const struct settings *s);

#endif
