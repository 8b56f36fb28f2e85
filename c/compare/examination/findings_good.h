/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings_good.h - what an examination found to be good: a sentence for each thing that
 *                   was looked at and of which nothing is odd, not even by chance.
 */
#ifndef FINDINGS_GOOD_H
#define FINDINGS_GOOD_H

#include "findings.h"

/* The sentences, n of them, to be freed. */
char (*findings_good(const struct findings *f, size_t *n))[FINDING_TEXT];

#endif
