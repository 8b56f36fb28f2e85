/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - the table, and the lines before and after it.
 *
 * All of it happens on rank 0; other ranks may call these functions, which then
 * do nothing but what is said to be collective.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "bench.h"
#include "report.h"
#include "result.h"
#include "watch.h"

/* The first line and the title; then the heading of a block. */
void output_title(const struct context *c);
void output_heading(const struct context *c, const struct row *row);

/* A measured row; *result gets its suspicions. */
void output_row(const struct context *c, struct result *result);

/* The block of rows number first to last - 1 is over; OMB's words for the last one whose
   data is wrong. */
void output_block(const struct context *c, const struct rows *rows, int first, int last);

/* A run without rows: its result, of what one iteration takes over so many ranks; a table of
   that alone, headed as of such a row; and its record. */
struct result output_result(const struct context *c, int ranks, double mean_s, double least_s,
                            double most_s);
void output_alone(const struct context *c, const struct row *row, const struct result *result);
void output_record(const struct context *c, const struct result *result);

/* After the last row: what its family prints, and on standard error one line of what the table
   does not say.  Returns code or, where that is EXIT_OK, the code to leave with if the former
   says a failure or no row was printed; said why.  Rank 0 alone finds it. */
enum exit_code output_after(const struct context *c, const struct rows *rows, enum exit_code code);

/* What was printed has to arrive as well; else E21 in place of EXIT_OK. */
enum exit_code output_flush(enum exit_code code);

#endif
