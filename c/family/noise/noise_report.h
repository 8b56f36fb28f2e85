/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise_report.h - what rank 0 prints of the noise of all ranks, and records in JSON.
 */
#ifndef NOISE_REPORT_H
#define NOISE_REPORT_H

#include <stdio.h>

#include "noise.h"

/* A row for each rank; then lines of what is clear. */
void noise_print_ranks(FILE *to, const struct context *c,
                       const struct noise *noise);

/* The line after the row of the allreduce: whom it waits for, if that is clear. */
void noise_print_blame(FILE *to, const struct context *c,
                       const struct noise *noise);

/* The field "noise" of the row. */
void noise_record(const struct context *c, const struct noise *noise,
                  struct fields to);

#endif
