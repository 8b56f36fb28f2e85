/* SPDX-License-Identifier: BSD-3-Clause */
/* extra_columns.h - the values of the columns of options/columns.h. */
#ifndef EXTRA_COLUMNS_H
#define EXTRA_COLUMNS_H

#include "options/columns.h"
#include "result.h"

struct cell extra_column_value(const struct result *r, int id);

#endif
