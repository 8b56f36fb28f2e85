/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - results for machines: --json and --csv, on rank 0.
 *
 * JSON is one self-contained document (doc/result.schema.json).  While the
 * run lasts FILE.part is a journal, one line per finished row, so that a run
 * that is killed loses nothing; at the end FILE appears at once, and the journal
 * goes.  CSV grows in FILE.part too.
 *
 * A run that is refused, without a row, leaves an older FILE as it is.
 */
#ifndef RECORD_H
#define RECORD_H

#include "base/fields.h"
#include "base/fresh_file.h"
#include "bench.h"
#include "family.h"
#include "report/report.h"
#include "report/rows.h"

enum {
    RECORD_SCHEMA = 2,
    RECORD_FIXED = 9, /* columns of CSV before those of the table, at most */
};

struct record {
    const struct context *context;
    const struct report_table *table;
    struct column column[RECORD_FIXED + REPORT_COLUMNS]; /* of CSV */
    int columns;                                         /* 0: not begun */
    struct fields root;             /* the document; without --json nothing */
    struct fresh_file journal, csv; /* from the first row on */
    long rows;
};

/* Can what the settings name be written?  EXIT_OK, or the code to leave with, said why.
   record_finish follows in either case.  c and table may still be incomplete. */
enum exit_code record_open(struct record *record, const struct context *c,
                           const struct report_table *table);

/* What holds for all rows. */
void record_begin(struct record *record);

/* One finished row. */
void record_row(struct record *record, const struct result *r,
                const struct cell *cells);

/* The rows that --total left no time for. */
void record_left_out(struct record *record, const struct rows *rows);

/* Write the exit record and the document; complete: every row was measured.
   EXIT_OK, or E21's code if a file could not be written; said. */
enum exit_code record_finish(struct record *record, enum exit_code code,
                             bool complete);

#endif
