/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omb.h - the suite as omb_pt2pt, omb_coll and omb_one_sided of the OSU Micro-Benchmarks
 *         8.0b, which are its names in their layout (--enable-osu-layout).
 *
 * They have the programs of OMB in some folders of mpi/, their domain.  Options come
 * first, then "--", then words; without "--" all of the domain.
 */
#ifndef SUITE_OMB_H
#define SUITE_OMB_H

#include "programs.h"

/* Started by such a name: the folders of its domain, and *argc and *argv are as for the
   suite from then on.  Else NULL. */
const char *omb_translate(int *argc, char ***argv);

/* Is the program in the domain?  NULL: all are. */
bool omb_has(const char *domain, const struct program *p);

/* What follows "neither a program nor a group": in a domain its folders, else the program
   that the word is near to, or "".  Until the next call. */
const char *omb_question(const char *domain, const char *word);

/* The file that starts the program alone, near the suite's own; to be freed. */
char *omb_file(const char *domain, const char *suite, const struct program *p);

#endif
