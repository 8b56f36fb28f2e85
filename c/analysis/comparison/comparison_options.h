/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_options.h - the options that say which variants are compared, and
 *                        how.
 */
#ifndef COMPARISON_OPTIONS_H
#define COMPARISON_OPTIONS_H

#include <argp.h>

#include "comparison.h"

enum { COMPARISON_WORDS = 1024 };

/* The input of comparison_argp.  The caller sets least, and the margin and
   the size classes in how. */
struct comparison_words {
    struct comparison_options how;
    const char *word[COMPARISON_WORDS]; /* words that name variants */
    int n, least; /* number of words, and the least number */
};

/* A child parser: --margin, --classes, --allow, --look, and the words that name variants. */
extern const struct argp comparison_argp;

/* Their lines of the help. */
#define COMPARISON_HELP                                                            \
    "  -m, --margin=PERCENT      differences below it count as \"same\" [3]\n"     \
    "      --classes=SIZES       where size classes end; rows: a class for each\n" \
    "                            row [256,8K,128K]\n"                              \
    "      --allow=FIELD         JSON field that may differ, such as\n"            \
    "                            method.start; repeatable\n"                       \
    "      --look=N              interim analysis number N; its significance\n"    \
    "                            level is 5%/2^N, so all together have 5%\n"
#define TOOL_HELP                                                              \
    "  -h, --help                print this help\n"                            \
    "  -v, --version             print the version\n"

struct variants {
    struct variant variant[VARIANTS];
    int n;
};

/* Read all variants, which are to be released.  Words of one name make one variant, and a variant is of one MPI, its runs
   of one thing.  False: why[] says what is wrong. */
bool variants_read(struct variants *s, const struct comparison_words *words,
                   char why[WHY]);
void variants_release(struct variants *s);

#endif
