/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subject.h - what is compared (a variant): an MPI, a setting, yesterday's
 *             installation.
 *
 * It has a file for each run of each benchmark.
 */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "result_file.h"

enum { SUBJECT_NAME = 64, SUBJECTS = 16 /* most subjects */ };

struct subject {
    char name[SUBJECT_NAME];
    struct result_file *file;
    size_t n, room;
    size_t met; /* number of files; a repeated one counts once */
};

/* Add a file, or all files in a folder and its folders with names that end in
   .json.  Of a file of scripts/repeat the runs in it are added; those that are
   there as files of their own are the same runs.  What begins with a dot is left out.
   A folder of scripts/compare with several subjects is refused.  path must live as long as
   the subject.  false: why[] says what is wrong with the first file that is no result. */
bool subject_add(struct subject *s, const char *path, char why[WHY]);
void subject_release(struct subject *s);

/* Runs whose ranks shared CPUs (W08): their times show the scheduler, not MPI. */
size_t subject_crowded(const struct subject *s);

/* Are all runs of one MPI?  Runs of two MPIs are two subjects.  false: why[]
   names two files. */
bool subject_is_of_one_mpi(const struct subject *s, char why[WHY]);

#endif
