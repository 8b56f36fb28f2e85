/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * impact_options.h - who is a victim of what: options of impact, and what does not go
 *                    together; hooks of struct family (family.h), without MPI.
 */
#ifndef IMPACT_OPTIONS_H
#define IMPACT_OPTIONS_H

#include "family.h"
#include "options/settings.h"
#include "report/rows.h"

/* Numbers of the operations of the program. */
enum victim {
    VICTIM_LATENCY,
    VICTIM_BW,
    VICTIM_ALLREDUCE,
    VICTIM_RING,
};

enum congestor {
    CONGESTOR_INCAST,
    CONGESTOR_OUTCAST,
    CONGESTOR_ALLTOALL,
    CONGESTOR_PUT,
    CONGESTOR_NONE,
};

struct impact_settings {
    double share;     /* of the units that congest */
    int groups;       /* 0: nodes */
    unsigned victims; /* bits 1 << enum victim; 0: all */
    int congestor;    /* enum congestor */
    size_t bytes;     /* of a message of congestors */
    int window;       /* such messages between two ranks in a window */
    int seed;
};

static inline const struct impact_settings *
impact_settings(const struct settings *s)
{
    return s->family;
}

extern const struct choice congestor_words[];
extern const struct option_row impact_options[];
extern const struct impact_settings impact_defaults;

void impact_refuse(const struct context *c, struct refusal *r);
bool impact_has_row(const struct context *c, const struct row *row);

#endif
