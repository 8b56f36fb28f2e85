/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parameter.h - a number that is swept besides the size: the depth of a queue,
 *               the ranks around a hot spot.  Each of its values makes a block
 *               of rows.
 */
#ifndef PARAMETER_H
#define PARAMETER_H

#include "settings.h"

/* What the number counts; this sets its upper limit. */
enum parameter_kind {
    PARAMETER_NUMBER,    /* anything: at most .most */
    PARAMETER_IN_FLIGHT, /* messages: as many as the window has */
    PARAMETER_PARTNERS,  /* ranks that rank 0 talks to: as many as there are; as
                            many and rank 0 take part, the others wait */
    PARAMETER_RANKS,     /* ranks that take part: 2, 4, ... and all; a row each,
                            not a block */
    PARAMETER_SUBSETS,   /* the same, a block each: as many as there are */
};

/* "all" on the command line: the values below. */
enum { PARAMETER_OWN = -1 };

struct parameter {
    const char *name; /* above a block, as "Queue depth"; NULL: no parameter */
    const char *key;  /* in JSON and CSV, as "queue_depth" */
    const char *option; /* its long name, as "queue-depth" */
    int letter;         /* its short one; 0: none */
    const char *argument, *help, *fallback; /* as in option_row */
    enum parameter_kind kind;
    int group; /* of the option in help; 0: OPTIONS_FLIGHT */
    long least, most;
    /* Default values, ascending, terminated by 0 (which may be the first
       value).  Values above the limit are replaced by the limit. */
    long value[PARAMETER_MAX];
};

#define PARAMETER_DOUBLING 1, 2, 4, 8, 16, 32, 64, 128, 256, 512

/* Ranks that a hot spot talks to: 1, 2, 4, ... and all others. */
#define PARAMETER_OTHERS                                                       \
    {                                                                          \
        .name = "Peers", .key = "peers", .option = "peers",                    \
        .argument = "N[,N...]",                                                \
        .help = "peers of rank 0; for each number a section of the table",     \
        .fallback = "1,2,4,... and all", .kind = PARAMETER_PARTNERS,           \
        .least = 1, .value = {                                                 \
            PARAMETER_DOUBLING,                                                \
            1 << 10,                                                           \
            1 << 11,                                                           \
            1 << 12,                                                           \
            1 << 14,                                                           \
            1 << 16,                                                           \
            1 << 30                                                            \
        }                                                                      \
    }

/*
 * The values of a run on so many ranks into value[]: those named in s or, if
 * none was, the program's own; of a program without a parameter one, 0.  Returns
 * their number, or -1: one that was named cannot be, and why says so.
 */
int parameter_values(const struct parameter *p, const struct settings *s,
                     int ranks, long value[PARAMETER_MAX], char *why,
                     size_t room);

#endif
