/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - help and manual page, made from the rows of options. */
#ifndef HELP_H
#define HELP_H

#include <stdio.h>

#include "option.h"

/* Help as --help shows it, grouped, with defaults. */
void option_print_help(const struct option_set *set, FILE *to);

/* The same rows as a man page in roff. */
void option_print_man(const struct option_set *set, const char *version,
                      FILE *to);

#endif
