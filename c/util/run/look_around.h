/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * look_around.h - where the ranks are, by which clock they measure, and what
 *                 surrounds them: what a result depends on.
 */
#ifndef LOOK_AROUND_H
#define LOOK_AROUND_H

#include "machine/carriers.h"
#include "machine/devices.h"
#include "machine/environment.h"
#include "machine/placement.h"
#include "report/plausible.h"
#include "setup.h"
#include "timing/clock_sync.h"

struct surroundings {
    struct placement placement; /* node MPI_COMM_NULL: not known yet */
    struct environment environment;
    struct gpu_rank *gpus;
    struct clock_facts clock;
    struct clock_sync sync;
    bool synchronised;
    struct plausible_limits limits;
    struct carriers carriers;
    bool counting; /* carriers is in use */
    char device
        [DEVICE_NAMES]; /* that carries bytes between nodes; "": unknown */
    char identity[384]; /* what is measured, as the first line says it */
};

/*
 * Place the ranks, choose and synchronise clocks, collect the environment, and
 * let *c lead to all of it; warn of what can be known beforehand.  p: partners
 * are known.  Collective; EXIT_OK, or the code to leave with, said why, alike on
 * all ranks.
 */
enum exit_code look_around(struct surroundings *s, struct context *c,
                           struct setup *p);

/* Is it what --expect asks for?  Collective, as above. */
enum exit_code look_around_expect(const struct context *c);

/* Of surroundings that are not known, nothing. */
void look_around_end(struct surroundings *s);

#endif
