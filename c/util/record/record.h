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

#include "output.h"

extern const struct sink record_sink;

/* What is known without MPI: on the process that the launcher calls rank 0. */
void record_prepare(struct output *o, const struct context *c);

/* Write the exit code of a run that is refused before output_begin; nothing later. */
void record_refuse(struct output *o, enum exit_code code);

/* After MPI_Finalize: FILE gets its name and its exit code, which is code or, if that cannot be
   written, E21's; said. */
enum exit_code record_close(struct output *o, enum exit_code code);

/* On a rank that writes nothing. */
void record_forget(struct output *o);

/* Is there JSON in this build, if the settings name a file?  EXIT_OK, or the code to leave
   with, said why. */
enum exit_code record_open(struct output *o);

/* What holds for all rows; the context is complete. */
void record_head(struct output *o);

/* The rows that --total left no time for. */
void record_left_out(struct output *o, const struct rows *rows);

#endif
