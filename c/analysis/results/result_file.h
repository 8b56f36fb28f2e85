/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * result_file.h - the result of one run, as --json wrote it, alone or among the runs
 *                 that scripts/repeat put into one file.
 *
 * Files come from anywhere: cut short, edited by hand, of other programs.  What
 * result_file_read takes has every field that the functions here ask for.
 */
#ifndef RESULT_FILE_H
#define RESULT_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "text/text.h"

struct result_file {
    char *path;
    json_t *root;
    const char *benchmark;
    json_t *method, *environment, *rows; /* within root */
    dev_t device;
    ino_t inode; /* inode of the file, if there is one */
    int run;     /* from scripts/repeat: number of the run; 0: unknown */
    bool inside; /* one of the runs in a file of scripts/repeat */
};

enum { RESULT_FILE_BYTES_MAX = 256 << 20 };

/* The member of that name.  NULL or 0: there is none of this kind, or no object. */
const char *text_in(const json_t *object, const char *name);
double number_in(const json_t *object, const char *name);
long long whole_in(const json_t *object, const char *name);

/* Read a text; name stands for it in sentences.  False: why[] says in one sentence what is
   wrong, and nothing is to be released. */
bool result_file_of(struct result_file *f, const char *name, const char *text,
                    size_t n, char why[WHY]);

/* The JSON in a file, to be released; NULL: why[] says what is wrong. */
json_t *result_json_read(const char *path, char why[WHY]);

/* The same as result_file_of for JSON that was already read, with one more reference to it. */
bool result_file_take(struct result_file *f, const char *name, json_t *root,
                      char why[WHY]);

/* The array of runs in a file of scripts/repeat; NULL: it is another file. */
json_t *result_runs(const json_t *root);

/* Run number i of that array, counted from 0; name stands for the file.  False: why[] says
   what is wrong. */
bool result_file_take_run(struct result_file *f, const char *name, json_t *runs,
                          size_t i, char why[WHY]);

/* The text of a file, to be freed; NULL: why[] says why not. */
char *result_file_text(const char *path, size_t *n, char why[WHY]);

void result_file_release(struct result_file *f);

/* When the run began, in seconds since 1970; NAN: the file does not say. */
double result_started(const struct result_file *f);

/* Why the row cannot be compared, as "suspect"; NULL: it can be.  RESULT_ROW_NONE: it is
   not meant to be, since it measures nothing. */
const char *result_row_fault(const json_t *row);
#define RESULT_ROW_NONE ""

/* Can the row be compared? */
bool result_row_counts(const json_t *row);

/* The row's "median", in the unit of its table: the value that the median over iterations
   gives or, where the value is no mean over iterations, the value itself.  All programs here
   show and judge it. */
double result_row_figure(const json_t *row);

/* The same as a time in seconds, of a bandwidth that of a megabyte: greater is slower. */
double result_row_time(const json_t *row);

/* Write the key that distinguishes the row from others of the benchmark, as
   "65536 MPI_CHAR". */
void result_row_key(const json_t *row, char *key, size_t room);

#endif
