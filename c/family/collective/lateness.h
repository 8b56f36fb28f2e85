/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lateness.h - ranks that come late to a blocking operation (--arrival), each by a time of its own
 *              that is the same in every iteration of a row: on top of --start=clock, a rank begins
 *              so much after the others' moment.
 *
 * (Faraj, Patarasuk, Yuan, A Study of Process Arrival Patterns for MPI Collective Operations,
 * International Journal of Parallel Programming 36, 2008; Waited is their average elapsed time.)
 *
 *   random:TIME[:SEED]  from 0 to TIME, drawn for each row and rank
 *   one:RANK:TIME       that rank alone
 *   up:FACTORx          rank r of P by r/(P-1) times FACTOR times what the operation takes if
 *                       nobody is late, which is measured in each row first
 *   file:FILE           the numbers of FILE, in us, one for each rank
 *
 * Ranks are those of the job, also with --split.
 */
#ifndef LATENESS_H
#define LATENESS_H

#include <stddef.h>

#include "family.h"
#include "options/option.h"
#include "record/fields.h"
#include "report/result.h"

enum arrival_kind { ARRIVAL_TOGETHER, ARRIVAL_RANDOM, ARRIVAL_ONE, ARRIVAL_UP, ARRIVAL_FILE };

struct arrival {
    enum arrival_kind kind;
    double time_s;    /* TIME */
    double factor;    /* FACTOR */
    long rank, seed;  /* RANK, SEED */
    const char *text; /* all of it; after its kind: FILE */
    const char *path;
};

extern const struct choice lateness_words[];

/* The text of the option into a struct arrival; NULL, or what is wrong with it. */
const char *lateness_parse(void *arrival, const char *text);

/* What a row with late ranks is made of; on all ranks but for latest_s. */
struct lateness {
    double of_file_s; /* this rank's number in FILE */
    double own_s;     /* what the operation takes if nobody is late; 0: not known */
    double skew_s;    /* from the first arrival to the last */
};

/* How late that rank of so many is in a row of those bytes; not of a FILE. */
double lateness_s(const struct arrival *arrival, double own_s, size_t bytes, int rank, int ranks);

/*
 * The part of the skew D that costs nothing.  Where an operation begins to work when the last rank
 * has arrived, it ends D + T0 after the first arrival, T0 being what it takes if nobody is late.
 * It ends D + latest after it, so that of D there was saved
 *
 *     (D + T0 - (D + latest)) / D = (T0 - latest) / D
 *
 * 1: all work but that which needs D was done before the last rank came; at most T0 / D.  0: late
 * ranks cost what they are late; below: they cost more.  NAN without skew, or if T0 is not known.
 */
double lateness_absorbed(double own_s, double latest_s, double skew_s);

/* Read FILE, if there is one: late->of_file_s.  Collective; EXIT_OK, or the code to leave with,
   said why, alike on all ranks. */
enum exit_code lateness_begin(struct lateness *late, const struct arrival *arrival,
                              const struct context *c);

/* Measure the row without late ranks, and then with them. */
void lateness_measure(struct lateness *late, const struct arrival *arrival, struct measure *m,
                      struct result *result);

/* "arrival" of a row in JSON. */
void lateness_record(const struct lateness *late, struct fields to);

#endif
