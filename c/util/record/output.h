/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - where results go: the table, the files, the pictures.
 *
 * All of it happens on rank 0; other ranks may call these functions, which then
 * do nothing but what is said to be collective.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "base/fields.h"
#include "base/fresh_file.h"
#include "bench.h"
#include "family.h"
#include "report/doubt.h"
#include "report/graph.h"
#include "report/report.h"
#include "report/rows.h"

struct output {
    const struct context *context;
    struct report_table table;
    bool begun;  /* context and table are complete */
    long rows;   /* that were given to the sinks */
    int printed; /* lines with a figure, so far */
    struct doubts doubts;
    struct fields head, document; /* of --json, before and after the rows */
    struct fresh_file json, csv;  /* the latter from the first row on */
    long head_end, rows_end;      /* of --json: before and after its rows */
    bool complete;                /* every row was measured */
    struct graph graph;
};

/* One of the places that rows go to: the table, CSV, JSON, drawings. */
struct sink {
    const char *name; /* of the option that names its file; NULL: it has none */
    size_t option;    /* where in the settings that file is */
    void (*begin)(struct output *o); /* before the first row; or NULL */
    void (*row)(struct output *o, const struct result *r,
                const struct cell *cells);
    /* After the last, or without any; false: errno says why it was not written. */
    bool (*end)(struct output *o, enum exit_code code, bool complete);
};

/* Can every file that the settings name be written?  None of it is changed before the first
   row, so a run that is refused leaves older ones as they are.  Collective; EXIT_OK, or the code to
   leave with, said why. */
enum exit_code output_open(struct output *o, const struct context *c);

/* What holds for all rows goes into the files; c is complete. */
void output_begin(struct output *o, const struct context *c);

/* The first line and the title; then the heading of a block. */
void output_title(const struct context *c);
void output_heading(struct output *o, const struct context *c,
                    const struct row *row);

/* A measured row; *result gets its suspicions. */
void output_row(struct output *o, const struct context *c,
                struct result *result);

/* The block of rows number first to last - 1 is over; OMB's words for the last one whose
   data is wrong. */
void output_block(struct output *o, const struct context *c,
                  const struct rows *rows, int first, int last);

/* A run without rows: its result, of what one iteration takes over so many ranks; a table of
   that alone, headed as of such a row; and its record. */
struct result output_result(const struct context *c, int ranks, double mean_s,
                            double least_s, double most_s);
void output_alone(struct output *o, const struct context *c,
                  const struct row *row, const struct result *result);
void output_record(struct output *o, const struct context *c,
                   const struct result *result);

/* After the last row: what its family prints, and on standard error one line of what the table
   does not say.  Returns code or, where that is EXIT_OK, the code to leave with if the former
   says a failure or no row was printed; said why.  Rank 0 alone finds it. */
enum exit_code output_after(struct output *o, const struct context *c,
                            const struct rows *rows, enum exit_code code);

/* Write the exit record and close all files; the code is alike on all ranks; complete: every row was measured. Returns code or,
   where that is EXIT_OK and something could not be written, E21's; said.  Collective. */
enum exit_code output_close(struct output *o, const struct context *c,
                            enum exit_code code, bool complete);

/* What was printed has to arrive as well; else E21 in place of EXIT_OK. */
enum exit_code output_flush(const char *program, enum exit_code code);

#endif
