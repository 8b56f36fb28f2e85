/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - what is printed for -h and --help, from the rows of options. */
#ifndef HELP_H
#define HELP_H

#include "option.h"

/* -h: at most 35 lines; --help: all rows, in the order of their groups and the table, and
   the words that they take. */
void option_print_usage(const struct option_set *set, FILE *to);
void option_print_help(const struct option_set *set, FILE *to);

#endif
