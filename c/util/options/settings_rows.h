/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings_rows.h - the options of the core: a row each.  A new option is a row
 *                   here and a field in settings.h.
 */
#ifndef SETTINGS_ROWS_H
#define SETTINGS_ROWS_H

#include "option.h"

extern const struct option_row settings_rows[];

/* Headings in help, by enum option_group; ends with NULL. */
extern const char *const settings_groups[];

#endif
