/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective.h - the table of collective operations, and their options:
 *                --op, --split, --procs, --arrival, and --counts of the v- and w-collectives.
 */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "arrays.h"
#include "counts.h"
#include "data/flow.h"
#include "family.h"
#include "lateness.h"
#include "loop.h"
#include "options/settings.h"
#include "record/fields.h"
#include "reduction.h"
#include "report/report.h"

/* --- What collective operations move ------------------------------------------------ */

/*
 * Algbw and busbw, the bandwidths that nccl-tests prints of a collective operation (its
 * doc/PERFORMANCE.md), in MB/s.
 *
 *   algbw = S / t          S in bytes, t the mean time of the operation
 *   busbw = algbw * f      f is 1, or k (n-1)/n of n ranks
 *
 * busbw is what each rank's link carries in the algorithms that move the least data over it, such
 * as rings: it can be held against the link's bandwidth.  Where trees or the network itself reduce,
 * links carry other amounts.
 *
 * S is the size of the row or, where every rank has a block for each rank or gets one from each, n
 * times that.  nccl-tests has no scan: each rank must receive a vector and pass one on, as in a
 * reduction, so f is 1.
 */

/* Of an operation: its flow's .of_family. */
struct bus {
    int rounds;  /* k; 0: f is 1 */
    bool blocks; /* S counts a block for each rank */
};

enum { BUS_ALGBW, BUS_BUSBW };

/* Bytes per second, as --columns asks: that column, of n ranks with so many bytes
   each that took so long.  The only place of the formula. */
double bus_bandwidth(const struct bus *bus, int column, int n, double bytes, double seconds);

/* For reports: the columns, their values where the operation took mean_s, and
   the lines for --help. */
extern const struct extra_column bus_columns[];
struct cell bus_cell(const struct bench *b, const struct result *r, double mean_s, int column);
void bus_help(const struct bench *b, char *text, size_t room);

extern const struct flow flow_barrier,        /* nothing: no rank goes on before all are there */
    flow_reduce_all,                          /* every rank gets the sum */
    flow_reduce,                              /* the root gets it */
    flow_reduce_scatter,                      /* every rank gets its part of it */
    flow_reduce_scatter_block,                /* the same, of equal parts */
    flow_scan,                                /* the sum over all ranks up to one's own */
    flow_exscan,                              /* the sum over all ranks before one's own */
    flow_broadcast,                           /* the root's block to all */
    flow_gather_all,                          /* every rank's block to all */
    flow_gather_all_v,                        /* the same, packed */
    flow_gather, flow_gather_v,               /* every rank's block to the root */
    flow_scatter, flow_scatter_v,             /* the root's blocks to one rank each */
    flow_exchange_all,                        /* a block from every rank to every rank */
    flow_exchange_all_v, flow_exchange_all_w; /* the same, packed */

/*
 * A reduction within a rank: its send buffer has what rank 0 of two would contribute, its receive
 * buffer what rank 1 would, and afterwards their result.
 */

extern const struct flow flow_reduce_local;
extern const struct report report_reduce_local; /* us and MB/s */
extern const struct family reduce_local_family; /* no ranks to choose */

/*
 * --split: the ranks in groups of equal size, each with a communicator of
 *           its own, that run the operation at the same time.
 *
 *   block    ranks 0 to P/N - 1 are the first group, the next P/N the second, ...
 *   cyclic   rank r is in group r modulo N
 *   node     block, after the ranks were sorted by node: in the order of the lowest
 *            ranks of the nodes, and by rank within a node
 *
 * All ranks begin an iteration together, so that groups that share a link meet on it.  The headline
 * is the mean over all ranks, and so over groups; a group's time is the mean over its ranks.
 */

enum split_how { SPLIT_BLOCK, SPLIT_CYCLIC, SPLIT_NODE };

/* What --split asks for; groups 0: not given. */
struct split_spec {
    int groups;
    enum split_how how;
};

extern const struct choice split_words[];

/* For the row of the option, of a struct split_spec: reads N[:HOW]; writes it. */
const char *split_parse(void *spec, const char *text);
void split_record_spec(struct fields to, const char *name, const void *spec);

/* The state of a run; groups 0: none were asked for. */
struct split {
    int groups, mine; /* mine: number of this rank's group */
    MPI_Comm comm;    /* of the group, once begun */
    MPI_Comm leaders; /* of the lowest rank of each; MPI_COMM_NULL: this is none */
    /* On rank 0, of each group; else NULL. */
    double *mean_s; /* of the last row */
    int *first;     /* the lowest rank */
    double worst_s; /* of the slowest group; on rank 0 */
};

extern const struct report report_collective, /* mean over ranks; -f: min, max, iterations */
    report_barrier;                           /* the same without sizes and types */

/* What all such reports have. */
#define REPORT_COLLECTIVE                                                                          \
    .unit = "us", .sample = "one call, on every rank, after all ranks were synchronized",          \
    .printed = "us, mean over iterations, then over ranks", .headline = collective_headline,       \
    .columns = collective_columns, .preamble = collective_preamble
void collective_preamble(FILE *to, const struct bench_run *r, const struct settings *s);

/* With --arrival: the columns in place of collective_headline; else NULL. */
const struct report_column *collective_columns(const struct bench *b, const struct settings *s);

extern const struct family collective_family;

/* --- For families whose settings begin with these ---------------------------- */

struct collective_settings {
    enum reduction op;       /* --op */
    struct split_spec split; /* --split */
    struct counts counts;    /* --counts */
    struct arrival arrival;  /* --arrival; of blocking operations */
};

/* The state of a run; states of other families begin with it. */
struct collective {
    struct split split;
    struct busiest busiest; /* of the last measured row */
    struct lateness lateness;
};

FAMILY_OF(bench_run, struct collective, collective_of)

FAMILY_OF(settings, const struct collective_settings, collective_settings)

#define REDUCTION_OPTION                                                                           \
    {                                                                                              \
        0, "op", "OP", .group = OPTIONS_COLLECTIVE, .takers = TAKES_SUMS,                          \
                       .programs = "reductions", .common = true,                                   \
                       .help = "operation of the reduction", .fallback = "sum",                    \
                       .kind = OPTION_CHOICE, .offset = offsetof(struct collective_settings, op),  \
                       .choices = reduction_words, .json = "op"                                    \
    }
#define SPLIT_OPTION                                                                               \
    {                                                                                              \
        0, "split", "N[:HOW]", .group = OPTIONS_COLLECTIVE,                                        \
                               .help = "N groups of ranks run the operation at the same "          \
                                       "time, each with its communicator",                         \
                               .fallback = "one group; HOW: block", .kind = OPTION_SPECIAL,        \
                               .offset = offsetof(struct collective_settings, split),              \
                               .choices = split_words, .parse = split_parse, .json = "split",      \
                               .record = split_record_spec                                         \
    }

#define COUNTS_OPTION                                                                              \
    {                                                                                              \
        0, "counts", "HOW", .group = OPTIONS_COLLECTIVE, .takers = TAKES_COUNTS,                   \
                            .programs = "v- and w-collectives",                                    \
                            .help = "block lengths; their mean is the size of the row, so "        \
                                    "the total does not change",                                   \
                            .fallback = "equal", .kind = OPTION_SPECIAL,                           \
                            .offset = offsetof(struct collective_settings, counts),                \
                            .choices = counts_words, .parse = counts_parse, .json = "counts",      \
                            .given = "equal"                                                       \
    }
#define COLLECTIVE_OPTIONS REDUCTION_OPTION, SPLIT_OPTION, COUNTS_OPTION

/* Hooks of struct family. */
void collective_refuse(const struct context *c, struct refusal *r);
const char *collective_lacks_row(const struct context *c, const struct row *row);
void collective_describe(const struct context *c);
enum exit_code collective_begin(const struct context *c);
void collective_measure(struct measure *m, struct result *result);
void collective_record(const struct context *c, const struct recorded *what, struct fields *to);
void collective_end(const struct context *c);
void collective_plan(const struct bench *b, const struct settings *s, struct plan *plan);

/* After a row was measured: what its groups took, and which rank has most data. */
void collective_gather(struct measure *m);

/* Those that families of collective operations have in common. */
#define COLLECTIVE_HOOKS                                                                           \
    .lacks_row = collective_lacks_row, .begin = collective_begin, .end = collective_end

/* Columns that options ask for, to end a report's: the mean of the slowest group
   (--split); bytes of the busiest rank, and how many times the mean they are (--counts). */
bool collective_is_split(const struct bench *b, const struct settings *s);
bool collective_is_unequal(const struct bench *b, const struct settings *s);
struct cell collective_max_bytes(const struct result *r);
#define COLLECTIVE_COLUMNS                                                                         \
    { { "worst_group_us", "Worst Group(us)", 0 },                                                  \
      COLUMN_US(struct collective, split.worst_s),                                                 \
      .shown = collective_is_split },                                                              \
        { { "max_bytes", "Max Bytes", 0 }, collective_max_bytes, .shown = collective_is_unequal }, \
    {                                                                                              \
        { "imbalance", "Imbalance", 0 }, COLUMN_OF(struct collective, busiest.imbalance),          \
            .shown = collective_is_unequal                                                         \
    }

/* The columns of report_collective, for reports of other families. */
extern const struct report_column collective_headline[];

/* Ranks that take part in one operation. */
int collective_ranks(const struct result *r);

/* A report's preamble: the operation, if it is not a sum. */
void collective_operation_line(FILE *to, const struct bench_run *r, const struct settings *s);

#endif
