/* SPDX-License-Identifier: BSD-3-Clause */
/* record_environment.h - what the JSON document says of all rows together. */
#ifndef RECORD_ENVIRONMENT_H
#define RECORD_ENVIRONMENT_H

#include "family.h"
#include "fields.h"

/* How is measured; where: into the object "method", or "environment". */
/* Collect the environment that record_environment writes, and forget it.  The former is
   collective. */
void record_collect(const struct context *c);
void record_release(void);

void record_method(const struct context *c, struct fields to);
void record_environment(const struct context *c, struct fields to);

/* "synchronization": the global clock as it is now; null: there is none. */
void record_synchronisation(const struct context *c, struct fields to);

#endif
