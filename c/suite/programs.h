/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * programs.h - every program of the suite, in the order of mpi/Makefile.inc, and the
 *              words that choose some of them.
 *
 * Words: the name of a program, with "osu_" or without; a folder of mpi/; "all"; and
 * "s:GROUP", what the OSU Micro-Benchmarks 8.0b have in a group of that name.
 */
#ifndef SUITE_PROGRAMS_H
#define SUITE_PROGRAMS_H

#include "bench.h"

struct program {
    const char *path; /* "mpi/pt2pt/latency" */
    int (*main)(int argc, char **argv);
    const struct bench *bench; /* what its main handed over */
};

/* The table that the build makes; ends with a NULL path. */
extern struct program programs[];

/* Let each main hand its description over; first of all. */
void programs_load(void);

/* Does the word mean the program, by its own name (exactly) or as one of several? */
bool programs_match(const struct program *p, const char *word, bool *exactly);

/* " (did you mean latency?)" of a word that is no program; "": nothing is near.  Until the
   next call. */
const char *programs_question(const char *word);

/* A line for each: name, folder, group, what it measures. */
void programs_list(FILE *to);

/*
 * The suite as omb_pt2pt, omb_coll and omb_one_sided of the OSU Micro-Benchmarks
 * 8.0b, which are its names in their layout (--enable-osu-layout).
 *
 * They have the programs of OMB in some folders of mpi/, their domain.  Options come
 * first, then "--", then words; without "--" all of the domain.
 */

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
