/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subject.h - what is compared: an MPI, a setting, yesterday's installation.
 *
 * It has a file of each launch of each benchmark.
 */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "result_file.h"

enum { SUBJECT_NAME = 64, SUBJECTS = 16 /* at most */ };

struct subject {
    char name[SUBJECT_NAME];
    struct result_file *file;
    size_t n, room;
    size_t met; /* files: one that is met again is there once */
};

/* Add a file, or all files of a folder and its folders that end in .json.  A folder of
   scripts/compare is refused where it has several subjects, and its second look is left
   out.  False: why[] says what is wrong with the first that is none. */
bool subject_add(struct subject *s, const char *path, char why[WHY]);
void subject_release(struct subject *s);

/* Launches of two MPIs are two subjects.  False: why[] names two files. */
bool subject_is_of_one_mpi(const struct subject *s, char why[WHY]);

#endif
