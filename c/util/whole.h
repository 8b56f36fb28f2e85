/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole.h - programs that run once: applications (application.h).
 */
#ifndef WHOLE_H
#define WHOLE_H

#include "sweep.h"

/* See that memory suffices, run it, have the outcome verified, print and record.
   Collective; every rank gets the code to leave with. */
enum exit_code whole_run(struct sweep *s);

#endif
