/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison.h - launches of two subjects, row by row.
 *
 * A subject is what is compared: an MPI, a setting, yesterday's installation.  It has a
 * document of each launch of each benchmark.
 */
#ifndef COMPARISON_H
#define COMPARISON_H

#include <stdio.h>

#include "document.h"
#include "judgement.h"

enum {
    COMPARISON_NAME = 64,
    COMPARISON_PLACE = 80,
    COMPARISON_KEY = 160,
    COMPARISON_SUBJECTS = 16, /* at most */
};

struct subject {
    char name[COMPARISON_NAME];
    struct document *document;
    size_t n, room;
    size_t met; /* files: one that is met again is one document */
};

/* Add a file, or all files of a folder and its folders that end in .json.  A folder of
   scripts/compare is refused where it has several subjects, and its second look is left
   out.  False: why[] says what is wrong with the first that is none. */
bool subject_add(struct subject *s, const char *path, char *why, size_t room);
void subject_release(struct subject *s);

/* Launches of two MPIs are two subjects.  False: why[] names two documents. */
bool subject_is_of_one_mpi(const struct subject *s, char *why, size_t room);

/* What launches made again say of a row that was slower. */
enum comparison_again {
    COMPARISON_ONCE,      /* there were none, or it was not slower */
    COMPARISON_AGAIN,     /* it was slower again */
    COMPARISON_NOT_AGAIN, /* it was not: now it is undecided */
    COMPARISON_NOT_SEEN, /* nothing, or too little to call it slower: it stays slower */
};

struct comparison_row {
    char benchmark[COMPARISON_NAME], place[COMPARISON_PLACE];
    char key[COMPARISON_KEY];
    double bytes;       /* -1: none */
    char unit[8];       /* of figure */
    double figure[2];   /* median over launches, of the median over laps */
    size_t launches[2]; /* that have the row */
    struct judgement is;
    enum comparison_again again;
    double ratio_again; /* where it was seen again */
};

/* A row that one of two subjects has and the other not. */
struct comparison_lone {
    int of; /* which has it: 0 or 1 */
    char benchmark[COMPARISON_NAME], place[COMPARISON_PLACE];
    char key[COMPARISON_KEY];
};

struct comparison {
    const struct subject *subject[2];
    double margin, level; /* of wrong verdicts, 0.05 for 5 % */
    struct comparison_row *row;
    size_t rows;
    struct comparison_lone *lone;
    size_t lones;
};

/* Fields that may differ. */
struct allowance {
    const char *const *field;
    size_t n;
};

bool comparison_may(const struct allowance *may, const char *field);

struct comparison_options {
    double margin; /* differences that nobody cares about: 0.03 is 3 % */
    int look;      /* of judgement_level */
    struct allowance may;
    const struct subject
        *again; /* launches made again, of subjects of these names */
    int agains; /* so many; 0: there was no second look */
};

/* Of b against a; with launches made again second_look decides too.  False: why[] says why
   they cannot be compared. */
bool comparison_make(struct comparison *c, const struct subject *a,
                     const struct subject *b,
                     const struct comparison_options *options, char *why,
                     size_t room);
void comparison_release(struct comparison *c);

/* The row of that benchmark in that place, with that key; NULL: there is none. */
const struct comparison_row *comparison_row_of(const struct comparison *c,
                                               const char *benchmark,
                                               const char *place,
                                               const char *key);

/* Rows of each verdict. */
struct comparison_sum {
    size_t of[JUDGED_SLOWER + 1];
    int further; /* launches that would probably decide half of the undecided; -1: more
                    than JUDGED_FURTHER_MAX */
    size_t
        callable; /* rows that have launches enough to be called faster or slower */
    size_t launches; /* of the row that has most, on its poorer side */
    int needed; /* with fewer launches a side nothing is faster or slower */
};
struct comparison_sum comparison_sum_of(const struct comparison *c);

/* "faster", "slower", "same"; "slower once, not again" after a second look; of an undecided row "by itself slower" or "by itself
   faster", where its own interval lies beyond the margin but all rows together do not
   allow to say so, or else "open". */
const char *comparison_outcome(const struct comparison_row *row, double margin);

/* Does the quotient of the figures, of times, lie outside the interval?  The ratio is of
   pairs of launches: so it is where those of one side differ among themselves, as in two
   groups, whose median is of either. */
bool comparison_columns_disagree(const struct comparison_row *row);

/* Where the rows of the benchmark and place end that begin with row first. */
size_t comparison_table_end(const struct comparison *c, size_t first);

/* Rows first to end of one table, neighbours alike together: "1 to 64 by itself slower,
   128 faster". */
void comparison_print_outcomes(FILE *to, const struct comparison *c,
                               size_t first, size_t end);

/* Where the ranks and their buffers were, as "2 ranks, same-numa, H-H", but what may differ:
   launches of a benchmark in several places may stand in one folder, and are never
   mixed. */
void comparison_place(const struct document *d, const struct allowance *may,
                      char place[COMPARISON_PLACE]);

/* Are all launches of one thing?  False: why[] names two, and the field of their method
   or environment that differs and decides what is measured. */
bool comparison_allowed(const struct subject *a, const struct subject *b,
                        const struct allowance *may, char *why, size_t room);

/* The same of launches of b and those of a of the same benchmark in the same place, and of
   no others; of a subject and itself: do its launches belong together? */
bool comparison_alike(const struct subject *a, const struct subject *b,
                      const struct allowance *may, char *why, size_t room);

/* What decides that of a document: benchmark, and fields of method and environment.  NULL:
   memory is short. */
json_t *comparison_deciding(const struct document *d);

/* Of the same benchmark, in the same place? */
bool comparison_is_like(const struct document *a, const struct document *b);

/* What else differs of the first documents: a line "mpi: A / B" for each field of the
   environment; begin stands before each. */
void comparison_environment(FILE *to, const struct subject *a,
                            const struct subject *b, const char *begin);

#endif
