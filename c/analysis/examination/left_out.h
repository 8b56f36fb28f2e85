/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * left_out.h - the parts of an examination that have no results, and what that says.
 */
#ifndef LEFT_OUT_H
#define LEFT_OUT_H

#include "findings.h"

/* Read the file of parts (findings_make; NULL: none) into f.  False: why[] says what is wrong. */
bool left_out_read(struct findings *f, const char *path, char why[WHY]);

/* Add a finding for each part with wrong data, and for each host on which parts failed; other
   failures make one, as they often have one cause. */
void left_out_judge(struct findings *f);

#endif
