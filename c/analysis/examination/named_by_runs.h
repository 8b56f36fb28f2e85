/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named_by_runs.h - hosts and pairs that runs themselves name: outliers of pair_matrix and
 *                   pair_bw, values that cannot be right.
 *
 * A run of pair_matrix or pair_bw compares all pairs of one path with each other, as
 * c/family/matrix/stragglers.h has it.  What is named is a finding if runs_agree; a run
 * whose ranks shared CPUs names nothing.
 */
#ifndef NAMED_BY_RUNS_H
#define NAMED_BY_RUNS_H

#include "findings.h"

/* The host of a rank of the job; NULL: unknown. */
const char *named_host(const struct result_file *file, long long rank);

/* Append what the runs of s name to list, of which there are n. */
void named_by_runs(const struct variant *s, struct finding **list, size_t *n);

#endif
