/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * variant.h - what is compared: an MPI, a setting, yesterday's
 *             installation.
 *
 * It has a file for each run of each benchmark.
 */
#ifndef VARIANT_H
#define VARIANT_H

#include "result_file.h"

enum { VARIANT_NAME = 64, VARIANTS = 16 /* most variants */ };

/* Sentences on files and folders that are no results. */
struct unread {
    char (*why)[WHY];
    size_t n;
};

struct variant {
    char name[VARIANT_NAME];
    struct result_file *file;
    size_t n, room;
    size_t met; /* number of files; a repeated one counts once */
    /* Where variant_add goes on if something is no result; NULL: it does not. */
    struct unread *unread;
};

/* Add a file, or all files in a folder and its folders with names that end in
   .json.  Of a file of scripts/repeat the runs in it are added; those that are
   there as files of their own are the same runs.  What begins with a dot is left out.
   A folder of scripts/compare with several variants is refused.  false: why[] says what is
   wrong with the first file that is no result. */
bool variant_add(struct variant *s, const char *path, char why[WHY]);
void variant_release(struct variant *s);

/* Runs whose ranks shared CPUs (W08): their times show the scheduler, not MPI. */
size_t variant_crowded(const struct variant *s);

/* Are all runs of one MPI?  Runs of two MPIs are two variants.  false: why[]
   names two files. */
bool variant_is_of_one_mpi(const struct variant *s, char why[WHY]);

/* Number the runs by their names, and sort them: in a folder "latency-10.json" comes before
   "latency-2.json". */
void variant_number_runs(struct variant *s);

#endif
