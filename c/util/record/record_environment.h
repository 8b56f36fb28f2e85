/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_environment.h - the head of the JSON document: method and environment,
 *                        as new objects of jansson.
 */
#ifndef RECORD_ENVIRONMENT_H
#define RECORD_ENVIRONMENT_H

#include "family.h"

void *record_method(const struct context *c);
void *record_environment(const struct context *c);

/* The global clock as it is now; null: there is none. */
void *record_synchronisation(const struct context *c);

#endif
