/* SPDX-License-Identifier: BSD-3-Clause */
/* settings_rows.h - the options of the core: a new one is a row here and a field in
   settings.h. */
#ifndef SETTINGS_ROWS_H
#define SETTINGS_ROWS_H

#include "option.h"

extern const struct option_row settings_rows[];

struct bench;
struct settings;

/* What a row says in that program, where it depends on what the program is. */
void settings_fit(struct option_row *row, const struct bench *b,
                  const struct settings *s);

extern const char
    *const settings_groups[]; /* by enum option_group, then NULL */

#endif
