/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pace.h - how long a row may take, before anything is measured.
 */
#ifndef PACE_H
#define PACE_H

#include "bench.h"

/* Seconds: its budget and warm-up at their most; where the command line fixes the laps,
   so many of so many blocks each, at 2 us a message and 10 GB/s.  A computation to overlap
   makes it twice that. */
double pace_seconds(const struct bench *b, const struct settings *s,
                    size_t bytes, double blocks);

#endif
