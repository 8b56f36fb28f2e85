/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * result_file.h - a result of one launch, as --json wrote it.
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

#include "text.h"

struct result_file {
    char *path;
    json_t *root;
    const char *benchmark;
    json_t *method, *environment, *rows; /* within root */
    dev_t device;
    ino_t inode; /* of the file, where it was one */
};

enum { RESULT_FILE_BYTES_MAX = 256 << 20 };

/* False: why[] says in one sentence what is wrong; nothing is to be released. */
bool result_file_read(struct result_file *f, const char *path, char why[WHY]);

/* The same of text that was read already; name stands for it in sentences. */
bool result_file_of(struct result_file *f, const char *name, const char *text,
                    size_t n, char why[WHY]);

/* All of a file, to be freed; NULL: why[] says why not. */
char *result_file_text(const char *path, size_t *n, char why[WHY]);

void result_file_release(struct result_file *f);

/* A row that can be compared: it has a figure, and its data were not wrong. */
bool result_row_counts(const json_t *row);

/* Seconds that the row stands for: the median over laps; without laps the value
   itself.  Greater is slower, of bandwidths too. */
double result_row_time(const json_t *row);

/* The figure that the median over laps makes, in the unit of the table: the value of
   the row is made of the mean over ranks. */
double result_row_figure(const json_t *row);

/* What tells the row from others of the benchmark, as "65536 MPI_CHAR". */
void result_row_key(const json_t *row, char *key, size_t room);

#endif
