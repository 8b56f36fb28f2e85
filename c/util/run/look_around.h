/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * look_around.h - where the ranks are, by which clock they measure, and what
 *                 surrounds them: what a result depends on.
 */
#ifndef LOOK_AROUND_H
#define LOOK_AROUND_H

#include "job.h"

/*
 * Place the ranks, choose and synchronise clocks, collect the environment, and
 * let job->context lead to all of it; warn of what can be known beforehand.  Partners
 * are known.  Collective; EXIT_OK, or the code to leave with, said why, alike on
 * all ranks.
 */
enum exit_code look_around(struct job *job);

/* Of what is not known, nothing. */
void look_around_end(struct job *job);

#endif
