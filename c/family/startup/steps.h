/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps.h - programs without a loop: what they say of starting MPI.
 */
#ifndef STEPS_H
#define STEPS_H

#include "run/sweep.h"

/* Title, the program's line, with -f the steps behind it, and the record.
   Collective. */
void steps_print(struct sweep *s);

#endif
