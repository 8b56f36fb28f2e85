/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * application_run.h - programs that run once: applications (application.h).
 */
#ifndef APPLICATION_RUN_H
#define APPLICATION_RUN_H

#include "run/sweep.h"

/* See that memory suffices, run it, have the outcome verified, print and record.
   Collective; every rank gets the code to leave with. */
enum exit_code whole_run(struct sweep *s);

#endif
