/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queues_options.h - which queues match_queue has, and how long they are.
 */
#ifndef QUEUES_OPTIONS_H
#define QUEUES_OPTIONS_H

#include "family.h"
#include "options/parameter.h"

/* Numbers of the operations of the program; the third one is not named by itself. */
enum queues_kind {
    QUEUES_POSTED,
    QUEUES_UNEXPECTED,
    QUEUES_IN_ORDER,
    QUEUES_REVERSE,
    QUEUES_KINDS
};

/* Their words: names of the operations, of the options, and in JSON. */
extern const char *const queues_words[QUEUES_KINDS];

enum { QUEUES_MOST = 30000 }; /* entries of a queue */

/* What the timed receive leaves open. */
enum queues_wildcard {
    WILDCARD_NONE,
    WILDCARD_SOURCE,
    WILDCARD_TAG,
    WILDCARD_BOTH
};

struct queues_settings {
    /* Entries, of each queue that was named. */
    struct {
        long value[PARAMETER_MAX];
        int n; /* 0: it was not named */
    } list[QUEUES_KINDS];
    struct parameter all; /* with the values of all queues that were named */
    int wildcard;
};

static inline const struct queues_settings *
queues_settings(const struct settings *s)
{
    return s->family;
}

/* Entries of a row, for the descriptor.  --posted, --unexpected and --reverse name its
   values, and which queues have rows. */
#define QUEUES_ENTRIES                                                         \
    {                                                                          \
        .name = "Entries", .key = "entries", .kind = PARAMETER_NUMBER,         \
        .most = QUEUES_MOST, .value = {                                        \
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
extern const struct option_row queues_options[];
extern const struct queues_settings queues_defaults;
void queues_plan(const struct bench *b, const struct settings *s,
                 struct plan *plan);
void queues_refuse(const struct context *c, struct refusal *r);
bool queues_has_row(const struct context *c, const struct row *row);

#endif
