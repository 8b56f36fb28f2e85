/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.h - bandwidth and message rate of many pairs: mbw_mr, mbibw_mr.
 *
 * With -V their table has a line for each size and a column for each of eight
 * windows, 1, 2, 4, ... 128; each (size, window) is a row, measured by itself.
 * "-" stands for what was not measured.  Behind a block stand its message rates.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include "family.h"
#include "report/report.h"

extern const struct report report_message_rate, report_rate_both_ways;

extern const struct family pairs_family;

#endif
