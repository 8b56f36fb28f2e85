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

#include "watch.h"

extern const struct watcher record_watcher;

#endif
