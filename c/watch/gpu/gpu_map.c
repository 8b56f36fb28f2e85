/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu_map.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

static const struct choice words[] = {
    { "auto", GPU_MAP_AUTO, "by local rank, or the only visible GPU" },
    { "strict", GPU_MAP_STRICT, "by local rank, never another" },
    { "modulo", GPU_MAP_MODULO, "by local rank modulo the GPUs (shared)" },
    { "none", GPU_MAP_NONE, "what the environment chose" },
    { "0,1,...", GPU_MAP_LIST, "these devices for local ranks 0, 1, ..." },
    { 0 },
};

const char *gpu_map_parse(void *field, const char *text)
{
    struct gpu_map *const map = field;
    const struct choice *word = choice_of(words, text, strlen(text));

    *map = (struct gpu_map){ .policy = GPU_MAP_LIST };
    if (word != NULL) {
        map->policy = (enum gpu_policy)word->value;
        return NULL;
    }
    for (;;) {
        const char *end;
        const long device = number_whole(text, &end);

        if (end == text || device < 0 || device > 1023 ||
            (*end != ',' && *end != '\0'))
            return choice_none;
        if (map->n == GPU_LIST_MAX)
            return "names more than 64 devices";
        map->device[map->n++] = (int)device;
        if (*end == '\0')
            return NULL;
        text = end + 1;
    }
}

static const struct option_row rows[] = {
    { 0, "gpu-map", "HOW", .group = OPTIONS_MEMORY,
      .help = "the GPU of each rank", .fallback = "auto",
      .kind = OPTION_SPECIAL, .choices = words, .parse = gpu_map_parse },
    { 0 },
};

const struct option_part gpu_options = { .rows = rows,
                                         .size = sizeof(struct gpu_map) };

const struct gpu_map *gpu_map_asked(const struct settings *s)
{
    return settings_asked(s, &gpu_options);
}

static int of_list(const struct gpu_map *map, int local_rank, int visible,
                   char *why, size_t room)
{
    const int device = local_rank < map->n ? map->device[local_rank] : -1;

    if (device < 0)
        snprintf(why, room, "local rank %d, but --gpu-map names %d device%s",
                 local_rank, map->n, map->n == 1 ? "" : "s");
    else if (device >= visible)
        snprintf(why, room,
                 "--gpu-map names device %d, but only %d are visible", device,
                 visible);
    else
        return device;
    return GPU_REFUSED;
}

int gpu_map_device(const struct gpu_map *map, int local_rank, int visible,
                   char *why, size_t room)
{
    const bool alone = map->policy == GPU_MAP_AUTO && visible == 1;

    if (map->policy == GPU_MAP_NONE)
        return GPU_ANY;
    if (alone)
        return 0;
    if (local_rank < 0) {
        snprintf(
            why, room,
            "the launcher does not set a local rank, so none of %d GPUs can "
            "be chosen; --gpu-map=none leaves the choice to the environment",
            visible);
        return GPU_REFUSED;
    }
    if (map->policy == GPU_MAP_LIST)
        return of_list(map, local_rank, visible, why, room);
    if (map->policy == GPU_MAP_MODULO)
        return local_rank % visible;
    if (local_rank >= visible) {
        snprintf(why, room,
                 "local rank %d, but %d visible GPU%s: start fewer ranks per "
                 "node, or let them share with --gpu-map=modulo",
                 local_rank, visible, visible == 1 ? "" : "s");
        return GPU_REFUSED;
    }
    return local_rank;
}
