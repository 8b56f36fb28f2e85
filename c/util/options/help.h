/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - help and manual page, made from the rows of options. */
#ifndef HELP_H
#define HELP_H

#include <stdio.h>

#include "option.h"

/* The short help: -h.  It fits into 35 lines of 80 columns. */
void option_print_usage(const struct option_set *set, FILE *to);

/* The long help: --help.  Groups, and rows in their order, with defaults and what
   each choice means. */
void option_print_help(const struct option_set *set, FILE *to);

/* The choices alone, each as it can be typed: --list. */
void option_print_list(const struct option_set *set, FILE *to);

/* The same rows as a man page in roff. */
void option_print_man(const struct option_set *set, const char *version,
                      FILE *to);

#endif
