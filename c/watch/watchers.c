/* SPDX-License-Identifier: BSD-3-Clause */
/* All watchers, in the order in which each moment calls them. */
#include <stddef.h>

#include "hang/hang.h"
#include "watch.h"

const struct watcher *const watchers[] = { &hang_watcher, NULL };
