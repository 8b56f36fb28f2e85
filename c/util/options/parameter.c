/* SPDX-License-Identifier: BSD-3-Clause */
#include "parameter.h"

#include <stdio.h>

enum { BUFFERS_MOST = 1 << 24, TIME_MOST = 10000 };

static int own_levels(const struct levels *l, long most, long level[LEVELS_MAX])
{
    int n = 0;

    for (; n < LEVELS_MAX && (n == 0 || l->value[n] > 0); n++) {
        level[n] = l->value[n] < most ? l->value[n] : most;
        if (l->value[n] >= most)
            return n + 1;
    }
    return n;
}

int levels_choose(const struct levels *l, const struct settings *s, int ranks,
                  long level[LEVELS_MAX], char *why, size_t room)
{
    const long most = l->kind == LEVELS_OF_RANKS     ? ranks - 1
                      : l->kind == LEVELS_OF_BUFFERS ? BUFFERS_MOST
                      : l->kind == LEVELS_OF_PERCENT ? 100
                      : l->kind == LEVELS_OF_TIME    ? TIME_MOST
                                                     : settings_window(s);

    level[0] = 0;
    if (l->name == NULL)
        return 1;
    if (s->nlevels == 0)
        return own_levels(l, most, level);
    for (int i = 0; i < s->nlevels; i++) {
        level[i] = s->level[i];
        if (level[i] < l->least || level[i] > most) {
            snprintf(why, room, "--%s %ld does not lie between %ld and %ld",
                     l->option, level[i], l->least, most);
            return -1;
        }
    }
    return s->nlevels;
}
