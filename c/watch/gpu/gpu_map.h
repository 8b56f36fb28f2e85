/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu_map.h - which GPU of its node a rank uses: --gpu-map.
 *
 * Plain C, so that every mapping can be tested without a GPU.
 */
#ifndef GPU_MAP_H
#define GPU_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "options/settings.h"

enum gpu_policy {
    GPU_MAP_AUTO,
    GPU_MAP_STRICT,
    GPU_MAP_MODULO,
    GPU_MAP_LIST,
    GPU_MAP_NONE
};

enum { GPU_LIST_MAX = 64, GPU_ANY = -1, GPU_REFUSED = -2 };

struct gpu_map {
    enum gpu_policy policy;
    int device[GPU_LIST_MAX]; /* of LIST, n of them */
    int n;
};

extern const struct option_part gpu_options;

/* What was asked for. */
const struct gpu_map *gpu_map_asked(const struct settings *s);

/* NULL, or what is wrong with the text. */
const char *gpu_map_parse(void *map, const char *text);

/*
 * The device of a local rank (negative: the launcher does not tell) of which the
 * process sees so many; GPU_ANY: leave it as it is; GPU_REFUSED: there is none, and
 * *why says so in one sentence.
 */
int gpu_map_device(const struct gpu_map *map, int local_rank, int visible,
                   char *why, size_t room);

#endif
