/* SPDX-License-Identifier: BSD-3-Clause */
/* All watchers, in the order in which each moment calls them: what is asked for the whole job
   before what rank 0 writes, and counts before the record that has them. */
#include <stddef.h>

#include "counters/counters.h"
#include "devices/carriers.h"
#include "drawings/graph.h"
#include "hang/hang.h"
#include "record/csv.h"
#include "record/record.h"
#include "record/validation_log.h"
#include "watch.h"

const struct watcher *const watchers[] = {
    &hang_watcher,   &counters_watcher, &carriers_watcher,       &csv_watcher,
    &record_watcher, &graph_watcher,    &validation_log_watcher, NULL,
};
