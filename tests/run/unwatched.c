/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of watchers, of their options and of GPU libraries without any: linked before the library, they stand
 * in for those of c/watch/watchers.c.  latency with it is the core alone.
 */
#include <stddef.h>

#include "data/gpu.h"
#include "options/settings.h"
#include "watch.h"

const struct watcher *const watchers[] = { NULL };
const struct option_part *const watch_options[] = { NULL };
const struct gpu_runtime *const gpu_runtimes[] = { NULL };
