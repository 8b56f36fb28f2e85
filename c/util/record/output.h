/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - where results go: the table, the files, the pictures.
 *
 * All of it happens on rank 0; other ranks may call these functions, which then
 * do nothing but what is said to be collective.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "family.h"
#include "record.h"
#include "report/doubt.h"
#include "report/graph.h"
#include "report/report.h"
#include "report/rows.h"

struct output {
    struct report_table table;
    struct record record;
    struct graph graph;
    int printed; /* lines with a figure, so far */
    struct doubts doubts;
};

/* Open every file that the settings name.  Collective; EXIT_OK, or the code to
   leave with, said why. */
enum exit_code output_open(struct output *o, const struct context *c);

/* What holds for all rows goes into the files; c is complete. */
void output_begin(struct output *o, const struct context *c);

/* The first line and the title; then the heading of a block. */
void output_title(const struct context *c);
void output_heading(struct output *o, const struct context *c,
                    const struct row *row);

/* A measured row; *result gets its suspicions. */
void output_row(struct output *o, const struct context *c, struct row *row,
                struct result *result);

/* The block of rows number first to last - 1 is over; OMB's words if the last one's
   data is wrong. */
void output_block(struct output *o, const struct context *c,
                  const struct rows *rows, int first, int last);

/* A run without rows: one result, which has no table. */
void output_record(struct output *o, const struct context *c,
                   const struct result *result);

/* Lines after the last row.  Returns code or, where that is EXIT_OK, the code to leave with
   if they say a failure or no row was printed; said why.  Collective. */
enum exit_code output_after(struct output *o, const struct context *c,
                            const struct rows *rows, enum exit_code code);

/* Write the exit record and close all files; complete: every row was measured.
   Returns code or, where that is EXIT_OK and something could not be written,
   E21's; said.  Collective. */
enum exit_code output_close(struct output *o, const struct context *c,
                            enum exit_code code, bool complete);

/* What was printed has to arrive as well; else E21 in place of EXIT_OK. */
enum exit_code output_flush(const char *program, enum exit_code code);

#endif
