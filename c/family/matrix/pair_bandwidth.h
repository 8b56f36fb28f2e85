/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair_bandwidth.h - windows between all pairs: --every, --ways, --alone, --rounds, -W.
 *
 * The value of a pair is the payload of a window in one direction by its time, which
 * the rank that sends first measures.  With --ways=both both ranks send a window at the
 * same time, and both measure; the value is still of one direction, so that a link that
 * carries both at full rate shows the same value as with --ways=one.
 *
 * In an iteration each rank adds up the times of its pairs.  The mean of that is the mean
 * time of a pair, times the mean number of partners: with --rounds and an odd number of
 * ranks some ranks have one partner fewer.
 */
#ifndef PAIR_BANDWIDTH_H
#define PAIR_BANDWIDTH_H

#include "matrix.h"

extern const struct family bandwidth_family;

/* A window to each other rank. */
extern const struct flow flow_windows_of_pairs;

extern const struct report report_pair_bandwidth;

#endif
