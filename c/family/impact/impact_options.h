/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * impact_options.h - who is a victim of what: options of impact, and what does not go
 *                    together; hooks of struct family (family.h), without MPI.
 */
#ifndef IMPACT_OPTIONS_H
#define IMPACT_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "family.h"
#include "options/settings.h"
#include "report/report.h"
#include "report/rows.h"

/*
 * The table of impact, its last lines, and its fields in JSON.
 *
 * Times are medians over blocks of what a block says, in us: half a round trip, a message
 * of a window, or the whole iteration of the slowest victim.  An impact is the median over
 * pairs of blocks, with its interval (impact.h).
 */

extern const struct report report_impact;

/* Hooks of struct family. */
enum exit_code impact_print(FILE *to, const struct context *c,
                            const struct rows *rows);
void impact_record(const struct context *c, const struct recorded *what,
                   struct fields *to);

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

extern const struct option_row impact_options[];
extern const struct impact_settings impact_defaults;

void impact_refuse(const struct context *c, struct refusal *r);
const char *impact_lacks_row(const struct context *c, const struct row *row);

/* --- Sides --------------------------------------------------------------------- */

/*
 * Which ranks are victims, and which congest their network.
 *
 * Ranks come in units, which are never divided: nodes, groups of consecutive ranks,
 * or single ranks.  The units are put into a random order (Fisher and Yates, with
 * base/shuffle.h), and the first of them congest.  All ranks compute the same, and
 * nothing is communicated.
 */

enum { SIDES_LEAST = 2 /* ranks of a side: one alone has no partner */ };

/*
 * Deal the ranks: congests[i] becomes true if rank i congests.  unit[i] is the lowest
 * rank in the unit of rank i.  share, from 0 to 1, is that of the units that congest,
 * rounded to the nearest number, but so that either side has SIDES_LEAST ranks.  The seed
 * is not 0.  order has room for 2 * ranks entries, and holds nothing of use afterwards.
 * Returns the number of ranks that congest; 0: there is no such division.
 */
int sides_deal(const int *unit, int ranks, double share, unsigned long seed,
               int *order, bool *congests);

#endif
