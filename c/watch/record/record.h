/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - --json: one self-contained document (doc/result.schema.json); --csv: what a row is,
 *            then the columns of the table, in a file that grows; and -clog.
 *
 * While the run lasts FILE.part is the document with the rows so far, one a line, and the
 * exit code of a process that dies.  Such a process gives it the name FILE.  Otherwise it gets
 * the name after MPI_Finalize; of a run that fails, before that.
 */
#ifndef RECORD_H
#define RECORD_H

#include "fields.h"
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

/*
 * -clog: every wrong element, on the rank that received it.
 *
 * DIR/log-RANK.log, written only by ranks that find something wrong: for each
 * iteration a line "Size: N, Iteration:0, Datatype: NAME" (0: the first verified one),
 * then Position, Expected and Actual of each difference.  Positions count bytes
 * (elements in reductions) through all blocks; the guard follows the last block.
 * The folder must not exist before the run, and every node has it.
 */
extern const struct watcher validation_log_watcher;

#endif
