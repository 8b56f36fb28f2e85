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

#include "family.h"
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

/* --- The rows of --json, and what families add to the document: record_row.c --- */

/* What the family adds to a part of the document. */
void record_of_family(const struct context *c, struct recorded what, struct fields to);

/* What tells a row of so many ranks and messages in flight from the others of its program, also in
   words that stay the same: who compares results joins rows by them.  Ranks that take part are a
   parameter of some programs, and are in the key of all. */
void record_which(const struct context *c, const struct row *of, int ranks, int window,
                  struct fields row);

/* All of a row of the document, with its samples if raw. */
void record_row_fields(const struct context *c, const struct result *r, bool raw,
                       struct fields row);

#endif
