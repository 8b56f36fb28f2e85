/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named_by_runs.h - hosts and pairs that runs themselves name: outliers of pair_matrix and
 *                   pair_bw, periods of noise, values that cannot be right.
 *
 * A run of pair_matrix or pair_bw compares all pairs of one path with each other, as
 * c/family/matrix/stragglers.h has it.  A period of noise counts from PERIOD_SHARE of the
 * time of a rank.  If more than half of three hosts or more have one, it is a finding of
 * all hosts.  What fewer than a quarter of the runs name is left out.
 */
#ifndef NAMED_BY_RUNS_H
#define NAMED_BY_RUNS_H

#include "findings.h"

/* The host of a rank of the job; NULL: unknown. */
const char *named_host(const struct result_file *file, long long rank);

/* Append what the runs of s name to list, of which there are n. */
void named_by_runs(const struct subject *s, struct finding **list, size_t *n);

#endif
