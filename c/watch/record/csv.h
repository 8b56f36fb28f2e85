/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.h - --csv: what a row is, then the columns of the table; it grows in FILE.part. */
#ifndef CSV_H
#define CSV_H

#include "watch.h"

extern const struct watcher csv_watcher;

#endif
