/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fresh_file.h - a file of results, which is there whole or not at all: what an
 *                interrupted or failed run leaves is the file of before.
 *
 * What is written gathers in PATH.part, which takes the name at the end.  It gets the
 * name sooner where the process dies, if it is whole at that moment.  What is left of a process
 * that is killed, the next one of the same name replaces.  Symbolic links are
 * followed, and the mode of the file of before remains; its other names keep its contents.
 * A device, a pipe, and the file that standard output goes to, have no such name.
 */
#ifndef FRESH_FILE_H
#define FRESH_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/messages.h"

enum { FRESH_PATH = 4096 };

/* What a stream, which has no parts, gets at once and what at the end. */
enum fresh_kind { FRESH_ROWS, FRESH_DOCUMENT };

struct fresh_file {
    FILE *to;                               /* NULL: no file is wanted */
    const char *name;                       /* as it was given */
    char path[FRESH_PATH];                  /* of what gets the contents; "": it has them */
    char part[FRESH_PATH + sizeof ".part"]; /* the new file; "": a stream */
    volatile bool whole;                    /* what it has may be read, and takes the name */
    int error;                              /* errno of what failed first, or 0 */
    struct fresh_file *volatile next;       /* of those that are open */
};

/* The file that an option names: by convention "-" is standard output, and then nothing else is
   written there.  Was it "-"? */
const char *fresh_file_of(const char *text);
bool fresh_file_is_output(const char *path);

/* Is path something that is written at once?  Or is there neither it nor PATH.part, so that
   nothing is lost if it is written? */
bool fresh_file_is_stream(const char *path);
bool fresh_file_is_new(const char *path);

/* The first of n names, NULL for none, at which no file could be begun now; n: all can be.
   Nothing is left or changed.  errno says why not; 0: it means the same file as a name
   before it, or one of them is PATH.part of the other. */
int fresh_files_wrong(const char *const *path, int n);

/* The first of n names, NULL for none, that means the same file so; n: there is none. */
int fresh_files_twice(const char *const *path, int n);

/* Begin the file at path, NULL for none.  False: errno says why it cannot be. */
bool fresh_file_begin(struct fresh_file *f, const char *path, enum fresh_kind kind);

/* What is written from here on does not make a whole until it is flushed: then the system
   takes it.  A signal that ends the process waits so long (fresh_files_defer). */
void fresh_file_grow(struct fresh_file *f);
void fresh_file_flush(struct fresh_file *f);

/* Put what was flushed in its place.  Returns code or, where that fails, or it could not be begun,
   E21's, said why; then PATH.part remains. */
enum exit_code fresh_file_end(struct fresh_file *f, const char *option, enum exit_code code);

/* Forget what was written. */
void fresh_file_drop(struct fresh_file *f);

/* In a signal handler.  Shall the process go on until a file is whole, when the signal comes
   again?  And as it dies: all that are whole get their names. */
bool fresh_files_defer(int signal_number);
void fresh_files_rescue(void);

#endif
