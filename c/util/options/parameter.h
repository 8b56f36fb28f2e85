/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parameter.h - a number that is swept besides the size: the depth of a queue, the
 *            ranks around a hot spot.  Each of its values, a level, makes a
 *            block of rows.
 */
#ifndef PARAMETER_H
#define PARAMETER_H

#include "settings.h"

/* What a level can be at most, and does. */
enum levels_kind {
    LEVELS_OF_WINDOW, /* messages: as many as the window has */
    LEVELS_OF_RANKS,  /* ranks that one rank talks to: as many as there are; as
                         many and that one take part, the others wait */
    LEVELS_OF_BUFFERS,
    LEVELS_OF_PERCENT,
    LEVELS_OF_TIME, /* percent of a lap that are computed */
};

struct levels {
    const char *name;   /* above a block, as "Queue depth"; NULL: none */
    const char *key;    /* in JSON and CSV, as "queue_depth" */
    const char *option; /* that names them, as "queue-depth" */
    enum levels_kind kind;
    bool left; /* and what is left of the processor */
    long least;
    long value[LEVELS_MAX]; /* unless they are named, rising; those that are
                               too large give way to what is most; ends with 0
                               that is not the first, or is full */
};

#define LEVELS_DOUBLING 1, 2, 4, 8, 16, 32, 64, 128, 256, 512

/* Of buffer_reuse_*: numbers of buffers, or shares. */
#define LEVELS_OF_FIFO                                                         \
    {                                                                          \
        .name = "Buffers", .key = "buffers", .option = "reuse",                \
        .kind = LEVELS_OF_BUFFERS, .least = 1, .value = {                      \
            LEVELS_DOUBLING                                                    \
        }                                                                      \
    }
#define LEVELS_OF_REUSE                                                        \
    {                                                                          \
        .name = "Reuse in percent", .key = "reuse_percent", .option = "reuse", \
        .kind = LEVELS_OF_PERCENT, .least = 0, .value = {                      \
            0,                                                                 \
            25,                                                                \
            50,                                                                \
            75,                                                                \
            90,                                                                \
            100                                                                \
        }                                                                      \
    }

/* 1, 2, 4, ... and all others. */
#define LEVELS_OTHERS                                                          \
    {                                                                          \
        .name = "Other ranks", .key = "others", .option = "others",            \
        .kind = LEVELS_OF_RANKS, .least = 1, .value = {                        \
            LEVELS_DOUBLING,                                                   \
            1 << 10,                                                           \
            1 << 11,                                                           \
            1 << 12,                                                           \
            1 << 14,                                                           \
            1 << 16,                                                           \
            1 << 30                                                            \
        }                                                                      \
    }

/*
 * The levels of a run on so many ranks into level[]: those named in s or, if
 * none was, the program's own; of a program without levels one, 0.  Returns
 * their number, or -1: one that was named cannot be, and why says so.
 */
int levels_choose(const struct levels *l, const struct settings *s, int ranks,
                  long level[LEVELS_MAX], char *why, size_t room);

#endif
