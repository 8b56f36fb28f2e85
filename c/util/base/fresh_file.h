/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fresh_file.h - a file of results, which is there whole or not at all: what an
 *                interrupted or failed run leaves is the file of before.
 *
 * What is written gathers in a new file of the same folder, .alidade-NAME, which takes the
 * name at the end.  What a process leaves that is killed before that, the next one of
 * the same name replaces.  Symbolic links are followed.  The mode and the owner of the
 * file of before remain.
 * Where the name must stay with the file that has it, since the file has other names or
 * the folder takes no new file, the contents are copied into it at the end.  A device,
 * a pipe, and the file that standard output goes to, are written at once.
 */
#ifndef FRESH_FILE_H
#define FRESH_FILE_H

#include <stdbool.h>
#include <stdio.h>

enum { FRESH_PATH = 4096 };

/* Is what is left of a process that is killed there as PATH.part? */
enum fresh_kind { FRESH_WHOLE, FRESH_PART };

struct fresh_file {
    FILE *to;              /* NULL: no file is wanted */
    char path[FRESH_PATH]; /* of what gets the contents; "": a stream */
    char fresh[FRESH_PATH +
               sizeof "/.alidade-"]; /* the new file; "": it has no name */
    bool copies;
    enum fresh_kind kind;
    int error; /* errno of what failed first, or 0 */
};

/* Is path something that is written at once? */
bool fresh_file_is_stream(const char *path);

/* The first of n names, NULL for none, at which no file could be begun now; n: all can be.
   Nothing is left or changed.  errno says why not; 0: it means the same file as a name
   before it. */
int fresh_files_wrong(const char *const *path, int n);

/* Begin the file at path, NULL for none.  False: errno says why it cannot be. */
bool fresh_file_begin(struct fresh_file *f, const char *path,
                      enum fresh_kind kind);

/* Have the system take what was written so far. */
void fresh_file_flush(struct fresh_file *f);

/* Put what was written in its place if it is good, else leave what was there.  PATH.part
   remains if it is not put there.  False: it was not put there, and errno says why if
   it was good, or that it could not be begun. */
bool fresh_file_end(struct fresh_file *f, bool good);

/* In a signal handler of a process that dies: let PATH.part have the name, if it may. */
void fresh_file_rescue(const struct fresh_file *f);

/* Forget what was written. */
void fresh_file_drop(struct fresh_file *f);

#endif
