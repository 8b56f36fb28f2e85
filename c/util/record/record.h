/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - --json: one self-contained document (doc/result.schema.json).
 *
 * While the run lasts FILE.part is a journal, one line per finished row, so that a run
 * that is killed loses nothing; at the end FILE appears at once, and the journal goes.
 */
#ifndef RECORD_H
#define RECORD_H

#include "output.h"

extern const struct sink record_sink;

/* Is there JSON in this build, if the settings name a file?  EXIT_OK, or the code to leave
   with, said why. */
enum exit_code record_open(struct output *o);

/* What holds for all rows; the context is complete. */
void record_head(struct output *o);

/* The rows that --total left no time for. */
void record_left_out(struct output *o, const struct rows *rows);

#endif
