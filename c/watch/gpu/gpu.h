/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu.h - the GPU of this rank: which one of its node (--gpu-map), whether ranks share it
 *         (this_gpu of data/gpu.h), and the kinds of memory that it gives out.
 */
#ifndef WATCH_GPU_H
#define WATCH_GPU_H

#include <stddef.h>

#include "data/gpu.h"
#include "data/memory.h"
#include "job/world.h"
#include "options/settings.h"
#include "record/fields.h"
#include "watch.h"

extern const struct watcher gpu_watcher;

/* The tables of data/gpu.h by CUDA's runtime library, and by AMD's (hip.sed), where configure
   found them. */
extern const struct gpu_runtime gpu_cuda, gpu_hip;

/* The kinds of memory of such a library, which is asked afterwards what kind the pointer is of. */
extern const struct memory_kind *const gpu_memory[MEMORY_TYPES];

enum gpu_policy { GPU_MAP_AUTO, GPU_MAP_STRICT, GPU_MAP_MODULO, GPU_MAP_LIST, GPU_MAP_NONE };

enum { GPU_LIST_MAX = 64, GPU_ANY = -1, GPU_REFUSED = -2 };

/* What was asked for. */
struct gpu_asked {
    enum gpu_policy policy;
    int device[GPU_LIST_MAX]; /* of LIST, n of them */
    int n;
};

extern const struct option_part gpu_options;

/* NULL, or what is wrong with the text. */
const char *gpu_map_parse(void *map, const char *text);

/*
 * The device of a local rank (negative: the launcher does not tell) of which the
 * process sees so many; GPU_ANY: leave it as it is; GPU_REFUSED: there is none, and
 * *why says so in one sentence.
 */
int gpu_map_device(const struct gpu_asked *map, int local_rank, int visible, char *why,
                   size_t room);

/* "gpu", the facts about those of all ranks, on rank 0; null: none is used.  Collective. */
void gpu_record(const struct world *world, struct fields to);

#endif
