/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo_options.h - options of halo, and what does not go together; hooks of struct
 *                  family (family.h), without MPI.
 */
#ifndef HALO_OPTIONS_H
#define HALO_OPTIONS_H

#include "halo.h"

extern const struct option_row halo_options[];
extern const struct halo_settings halo_defaults;

/* Is there a block of whole cells with a face of so many bytes, and is it as long as
   its halo is wide? */
bool halo_has_block(const struct settings *s, size_t bytes);

void halo_refuse(const struct context *c, struct refusal *r);

#endif
