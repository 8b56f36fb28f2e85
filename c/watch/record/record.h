/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - --json: one self-contained document (doc/result.schema.json).
 *
 * While the run lasts FILE.part is the document with the rows so far, one a line, and the
 * exit code of a process that dies.  Such a process gives it the name FILE.  Otherwise it gets
 * the name after MPI_Finalize; of a run that fails, before that.
 */
#ifndef RECORD_H
#define RECORD_H

#include "options/settings.h"
#include "watch.h"

extern const struct watcher record_watcher;
extern const struct option_part record_options;

/* What was asked for: files, or NULL. */
struct record_asked {
    const char *json, *csv;
    bool raw;
};
const struct record_asked *record_asked(const struct settings *s);

/* Is one of these files, or that of -P, standard output in place of the table? */
bool record_takes_output(const struct settings *s);

#endif
