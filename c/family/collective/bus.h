/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus.h - algbw and busbw, the bandwidths that nccl-tests prints of a
 *         collective operation (its doc/PERFORMANCE.md), in MB/s.
 *
 *   algbw = S / t          S in bytes, t the mean time of the operation
 *   busbw = algbw * f      f is 1, or k (n-1)/n of n ranks
 *
 * busbw is what each rank's link carries in the algorithms that move the least
 * data over it, such as rings: it can be held against the link's bandwidth.  Where
 * trees or the network itself reduce, links carry other amounts.
 *
 * S is the size of the row or, where every rank has a block for each rank or gets
 * one from each, n times that.  nccl-tests has no scan: each rank must receive a
 * vector and pass one on, as in a reduction, so f is 1.
 */
#ifndef BUS_H
#define BUS_H

#include <stdbool.h>

#include "report/report.h"

/* Of an operation: its flow's .of_family. */
struct bus {
    int rounds;  /* k; 0: f is 1 */
    bool blocks; /* S counts a block for each rank */
};

enum { BUS_ALGBW, BUS_BUSBW };

/* Bytes per second, as --columns asks: that column, of n ranks with so many bytes
   each that took so long.  The only place of the formula. */
double bus_bandwidth(const struct bus *bus, int column, int n, double bytes,
                     double seconds);

/* For reports: the columns, their values where the operation took mean_s, and
   the lines for --help. */
extern const struct extra_column bus_columns[];
struct cell bus_cell(const struct bench *b, const struct result *r,
                     double mean_s, int column);
void bus_help(const struct bench *b, char *text, size_t room);

#endif
