/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gate.h - what no gate may let pass, besides slower rows.
 */
#ifndef GATE_H
#define GATE_H

#include "comparison.h"

/* A sentence into to, begin before each, for rows that the first subject has and the other
   lacks, and for launches of either with wrong data; how many there are. */
size_t gate_faults(FILE *to, const struct comparison *c, const char *begin);

#endif
