/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.h - the tables of bandwidth and message rate of many pairs: mbw_mr, mbibw_mr.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include "report/report.h"

extern const struct report report_message_rate, report_rate_both_ways;

#endif
