/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matching_options.h - which queues match_queue has, and how long they are.
 */
#ifndef MATCHING_OPTIONS_H
#define MATCHING_OPTIONS_H

#include "options/parameter.h"

/* Numbers of the operations of the program; the third one is not named by itself. */
enum matching_queue {
    MATCHING_POSTED,
    MATCHING_UNEXPECTED,
    MATCHING_IN_ORDER,
    MATCHING_REVERSE,
    MATCHING_QUEUES
};

/* Their words: names of the operations, of the options, and in JSON. */
extern const char *const matching_words[MATCHING_QUEUES];

enum { MATCHING_MOST = 30000 }; /* entries of a queue */

/* What the timed receive leaves open. */
enum matching_wildcard {
    WILDCARD_NONE,
    WILDCARD_SOURCE,
    WILDCARD_TAG,
    WILDCARD_BOTH
};

struct matching_settings {
    /* Entries, of each queue that was named. */
    struct {
        long value[PARAMETER_MAX];
        int n; /* 0: it was not named */
    } list[MATCHING_QUEUES];
    struct parameter all; /* with the values of all queues that were named */
    int wildcard;
};

static inline const struct matching_settings *
matching_settings(const struct settings *s)
{
    return s->family;
}

/* Entries of a row, for the descriptor.  --posted, --unexpected and --reverse name its
   values, and which queues have rows. */
#define MATCHING_ENTRIES                                                       \
    {                                                                          \
        .name = "Entries", .key = "entries", .kind = PARAMETER_NUMBER,         \
        .most = MATCHING_MOST, .value = {                                      \
            0,                                                                 \
            16,                                                                \
            256,                                                               \
            1024                                                               \
        }                                                                      \
    }

struct bench;
struct context;
struct row;

/* Hooks of struct family. */
extern const struct option_row matching_options[];
extern const struct matching_settings matching_defaults;
const struct parameter *matching_parameter(const struct bench *b,
                                           const struct settings *s);
const char *matching_conflict(const struct bench *b, const struct settings *s);
bool matching_has_row(const struct context *c, const struct row *row);

#endif
