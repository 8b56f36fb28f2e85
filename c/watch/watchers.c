/* SPDX-License-Identifier: BSD-3-Clause */
/* What the core finds in this program.  All watchers, in the order in which each moment calls
   them: how messages look, what is asked for the whole job before what rank 0 writes, and counts
   before the record that has them. */
#include <stddef.h>

#include "config.h"

#include "counters/counters.h"
#include "devices/devices.h"
#include "drawings/graph.h"
#include "dry_run/dry_run.h"
#include "expect/expect.h"
#include "gpu/gpu.h"
#include "hang/hang.h"
#include "record/record.h"
#include "screen/screen.h"
#include "watch.h"

const struct watcher *const watchers[] = {
    &screen_watcher,         &expect_watcher,
    &hang_watcher,           &gpu_watcher,
    &counters_watcher,       &devices_watcher,
    &record_watcher,         &graph_watcher,
    &validation_log_watcher, NULL,
};

/* What they are asked for, in the order of --help. */
const struct option_part *const watch_options[] = {
    &screen_options, &gpu_options,    &record_options,  &graph_options, &counters_options,
    &hang_options,   &expect_options, &dry_run_options, NULL,
};

/* The runtime libraries of GPUs. */
const struct gpu_runtime *const gpu_runtimes[] = {
#ifdef HAVE_CUDA
    &gpu_cuda,
#endif
#ifdef HAVE_HIP
    &gpu_hip,
#endif
    NULL,
};
