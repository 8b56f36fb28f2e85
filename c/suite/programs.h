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

/* "pt2pt", of n characters. */
const char *programs_folder(const struct program *p, int *n);

/* OMB's group: "standard", "persistent", ...; "" if OMB has no such program. */
const char *programs_group(const struct program *p);

/* Does the word mean the program, by its own name (exactly) or as one of several? */
bool programs_match(const struct program *p, const char *word, bool *exactly);

/* " (did you mean latency?)" of a word that is no program; "": nothing is near.  Until the
   next call. */
const char *programs_question(const char *word);

/* A line for each: name, folder, group, what it measures. */
void programs_list(FILE *to);

#endif
