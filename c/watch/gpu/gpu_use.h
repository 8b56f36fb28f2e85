/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu_use.h - takes the GPU of this rank, and finds whether ranks share one: this_gpu of
 *             gpu/gpu.h.
 */
#ifndef GPU_USE_H
#define GPU_USE_H

#include "job/world.h"
#include "memory/gpu.h"
#include "watch.h"

extern const struct watcher gpu_watcher;

/* The facts about the GPU of a rank. */
struct gpu_rank {
    struct gpu_facts facts;
    int ranks; /* number of ranks that use this GPU */
    int numa;  /* node of its PCI device; -1: unknown, or the machine has one */
    bool peermem; /* network devices reach GPU memory by a kernel module */
};

/* The facts about all ranks, by rank; on rank 0, to be freed.  NULL on other
   ranks, and if no GPU is used.  Collective. */
struct gpu_rank *gpu_use_collect(const struct world *world);

#endif
