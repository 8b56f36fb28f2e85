/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_collective.h - what collective operations move.
 */
#ifndef FLOW_COLLECTIVE_H
#define FLOW_COLLECTIVE_H

#include <stdbool.h>

#include "data/flow.h"
#include "report/report.h"

/*
 * Algbw and busbw, the bandwidths that nccl-tests prints of a
 * collective operation (its doc/PERFORMANCE.md), in MB/s.
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

extern const struct flow
    flow_barrier,        /* nothing: no rank goes on before all are there */
    flow_reduce_all,     /* every rank gets the sum */
    flow_reduce,         /* the root gets it */
    flow_reduce_scatter, /* every rank gets its part of it */
    flow_reduce_scatter_block,    /* the same, of equal parts */
    flow_scan,                    /* the sum over all ranks up to one's own */
    flow_exscan,                  /* the sum over all ranks before one's own */
    flow_broadcast,               /* the root's block to all */
    flow_gather_all,              /* every rank's block to all */
    flow_gather_all_v,            /* the same, packed */
    flow_gather, flow_gather_v,   /* every rank's block to the root */
    flow_scatter, flow_scatter_v, /* the root's blocks to one rank each */
    flow_exchange_all,            /* a block from every rank to every rank */
    flow_exchange_all_v, flow_exchange_all_w; /* the same, packed */

#endif
