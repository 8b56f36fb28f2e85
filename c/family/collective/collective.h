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
#include <stdint.h>
#include <stdio.h>

#include "base/element.h"
#include "base/messages.h"
#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"
#include "record/fields.h"
#include "report/report.h"
#include "report/result.h"

/* --- --op ---------------------------------------------------------------------------- */

/*
 * The operation of reductions, and numbers whose result by it is known exactly.
 *
 * sum and user combine small whole numbers, times 2^k + 1 so that a narrower type does
 * not hold them, whose sum over all ranks, and every partial sum on the way, is exact in
 * the element type, and is no other sum: not that of another set of ranks, of other
 * elements, or of the element before, with which the next check begins.
 *
 * Of the others few ranks contribute to an element, at most so many that the result is exact in
 * every type, and that it still depends on each of them; the others contribute what changes
 * nothing.  Which ranks these are moves on from element to element.
 *
 *   prod   3 of 2, 3 or 5 (at most 125); of complex numbers, of 2+i, 1+2i, 1-2i
 *   min, max  16 of 100 values: 128 to 227 if unsigned, else -50 to 49, so that
 *          a wrong idea of the sign shows
 *   band, bor  4 of words that change every fourth bit; bxor  16 of any words
 */
enum reduction {
    REDUCTION_SUM,
    REDUCTION_PROD,
    REDUCTION_MIN,
    REDUCTION_MAX,
    REDUCTION_BAND,
    REDUCTION_BOR,
    REDUCTION_BXOR,
    REDUCTION_USER, /* a sum by a function of ours */
};

extern const struct choice reduction_words[];

/* Refuse n types that it cannot combine. */
void reduction_refuse(enum reduction op, const enum element *types, int n, struct refusal *r);

/* Its operation in MPI, once MPI runs; to be given back. */
MPI_Op reduction_begin(enum reduction op);
void reduction_end(enum reduction op, MPI_Op *made);

/* The flow's numbers (data/flow.h), by the operation of the run. */
void reduction_numbers(const struct bench_run *r, enum element type, void *to, size_t first,
                       size_t n, int ranks, int rank, int nranks);

/* The same of an operation. */
void reduction_contents(enum reduction op, enum element type, void *to, size_t first, size_t n,
                        int ranks, int rank, int nranks);

/* --- --counts ------------------------------------------------------------------------ */

/*
 * How long the blocks of v- and w-collectives are, and how all ranks learn of it.
 *
 * A row is what is dealt out at once: the blocks of one rank, one for each rank
 * that it sends to, or the blocks of all ranks, one from each or for each.  Its
 * blocks get weights; n of them together are n messages of the table's size,
 * whatever the weights are.
 *
 *   equal         1, as in OMB
 *   one           the last alone has a weight
 *   zero:PERCENT  so many of them, chosen at random, are empty; the others 1
 *   random:SEED   uniform from 0 on, scaled to the mean
 *   file:FILE     as the lines of FILE say, a line for each rank that sends; the
 *                 matrix as a whole is dealt out, not each line by itself
 *
 * Each rank makes the portions of what it sends, and the receivers hear of them before the
 * first row.
 */
enum counts_kind { COUNTS_EQUAL, COUNTS_ONE, COUNTS_ZERO, COUNTS_RANDOM, COUNTS_FILE };

struct counts {
    enum counts_kind kind;
    double number;    /* PERCENT or SEED */
    const char *path; /* FILE */
};

extern const struct choice counts_words[];

/* The text of the option into a struct counts; NULL, or what is wrong with it. */
const char *counts_parse(void *counts, const char *text);

/* The weights of the n blocks of that row, unless they are in a file.  No MPI is called: a rank
   can ask for the row of another. */
void counts_weights(const struct counts *counts, int row, int n, uint64_t *weight);

/* Portions of n blocks with these weights in a whole of so many blocks, whose weights
   are of in sum, and before the first one before. */
void counts_portions(const uint64_t *weight, int n, uint64_t before, uint64_t of, uint64_t blocks,
                     struct portion *portion);

/*
 * A file of weights, read row by row, so that no more than a row of it is in memory: rows
 * lines of n numbers, or, where rows is 1, n numbers in any lines.
 */
struct counts_file {
    FILE *from;
    int rows, n;
    double *value; /* of a row */
    double sum;    /* of the file */
    bool whole;    /* its numbers are whole: others are taken in parts of their sum */
    char *line;
    size_t room;
    int number;    /* of the line */
    char why[200]; /* "", or what is wrong */
};

/* Read all of it once.  false: why says what is wrong.  The file is closed at the end, in
   any case. */
bool counts_begin(struct counts_file *f, FILE *from, int rows, int n);
void counts_end(struct counts_file *f);

/* The weights of the first row, of the next one, ... */
void counts_next(struct counts_file *f, uint64_t *weight);

/* Rank 0 opens the file that an option names, of so many rows of n numbers, and begins it; on
   all ranks what to leave with, said why. */
enum exit_code counts_open(const char *option, const char *path, const struct context *c, int rows,
                           int n, struct counts_file *file);

/* --- Told to all ranks ----------------------------------------------------------- */

/* The rank with the most bytes in a row; imbalance: how many times the mean. */
struct busiest {
    double bytes, imbalance;
};

/* PMPI_Alltoall, or its form on a topology. */
typedef int counts_tell(const void *send, int sends, MPI_Datatype sent, void *recv, int receives,
                        MPI_Datatype received, MPI_Comm comm);

/* Give the blocks of run their portions; all stay equal without --counts.  Collective;
   EXIT_OK, or the code to leave with, said why, alike on all ranks. */
enum exit_code counts_deal(const struct counts *counts, const struct context *c, counts_tell *tell);

/* Bytes of the busiest rank in the row that run describes, and how many times as many
   as the mean.  Of pairs: bytes that it sends to others, or that it receives from them,
   whichever is more; of others: the largest block.  Collective. */
void counts_weigh(const struct context *c, struct busiest *busiest);

/* --- What collective operations move ------------------------------------------------ */

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
double bus_bandwidth(const struct bus *bus, int column, int n, double bytes, double seconds);

/* For reports: the columns, their values where the operation took mean_s, and
   the lines for --help. */
extern const struct extra_column bus_columns[];
struct cell bus_cell(const struct bench *b, const struct result *r, double mean_s, int column);
void bus_help(const struct bench *b, char *text, size_t room);

/* The arrays of flows whose blocks MPI is given one by one. */
extern const struct flow_arrays vector_arrays;

/* Counts and displacements of all parts, for which l has room. */
void arrays_split(struct layout *l, int count, int parts, bool rest);

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
 * A reduction within a rank: its send buffer has what rank 0 of
 * two would contribute, its receive buffer what rank 1 would, and
 * afterwards their result.
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
 * All ranks begin an iteration together, so that groups that share a link meet on it.
 * The headline is the mean over all ranks, and so over groups; a group's time is the
 * mean over its ranks.
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

/* --- --arrival ----------------------------------------------------------------------- */

/*
 * Ranks that come late to a blocking operation, each by a time of its own that is the same in
 * every iteration of a row: on top of --start=clock, a rank begins so much after the others'
 * moment.  (Faraj, Patarasuk, Yuan, A Study of Process Arrival Patterns for MPI Collective
 * Operations, International Journal of Parallel Programming 36, 2008; Waited is their average
 * elapsed time.)
 *
 *   random:TIME[:SEED]  from 0 to TIME, drawn for each row and rank
 *   one:RANK:TIME       that rank alone
 *   up:FACTORx          rank r of P by r/(P-1) times FACTOR times what the operation takes if
 *                       nobody is late, which is measured in each row first
 *   file:FILE           the numbers of FILE, in us, one for each rank
 *
 * Ranks are those of the job, also with --split.
 */
enum arrival_kind { ARRIVAL_TOGETHER, ARRIVAL_RANDOM, ARRIVAL_ONE, ARRIVAL_UP, ARRIVAL_FILE };

struct arrival {
    enum arrival_kind kind;
    double time_s;    /* TIME */
    double factor;    /* FACTOR */
    long rank, seed;  /* RANK, SEED */
    const char *text; /* all of it; after its kind: FILE */
    const char *path;
};

extern const struct choice lateness_words[];

/* The text of the option into a struct arrival; NULL, or what is wrong with it. */
const char *lateness_parse(void *arrival, const char *text);

/* What a row with late ranks is made of; on all ranks but for latest_s. */
struct lateness {
    double of_file_s; /* this rank's number in FILE */
    double own_s;     /* what the operation takes if nobody is late; 0: not known */
    double skew_s;    /* from the first arrival to the last */
};

/* How late that rank of so many is in a row of those bytes; not of a FILE. */
double lateness_s(const struct arrival *arrival, double own_s, size_t bytes, int rank, int ranks);

/*
 * The part of the skew D that costs nothing.  Where an operation begins to work when the last rank
 * has arrived, it ends D + T0 after the first arrival, T0 being what it takes if nobody is late.
 * It ends D + latest after it, so that of D there was saved
 *
 *     (D + T0 - (D + latest)) / D = (T0 - latest) / D
 *
 * 1: all work but that which needs D was done before the last rank came; at most T0 / D.  0: late
 * ranks cost what they are late; below: they cost more.  NAN without skew, or if T0 is not known.
 */
double lateness_absorbed(double own_s, double latest_s, double skew_s);

/* Read FILE, if there is one: lateness->of_file_s.  Collective; EXIT_OK, or the code to leave
   with, said why, alike on all ranks. */
enum exit_code lateness_begin(const struct context *c);

/* Measure the row without late ranks, and then with them. */
void lateness_measure(struct measure *m, struct result *result);

/* With --arrival: the columns in place of collective_headline; else NULL. */
const struct report_column *lateness_columns(const struct bench *b, const struct settings *s);

/* "arrival" of a row in JSON. */
void lateness_record(const struct context *c, struct fields to);

extern const struct report report_collective, /* mean over ranks; -f: min, max, iterations */
    report_barrier;                           /* the same without sizes and types */

/* What all such reports have. */
#define REPORT_COLLECTIVE                                                                          \
    .unit = "us", .sample = "one call, on every rank, after all ranks were synchronized",          \
    .printed = "us, mean over iterations, then over ranks", .headline = collective_headline,       \
    .columns = lateness_columns, .preamble = collective_preamble
void collective_preamble(FILE *to, const struct bench_run *r, const struct settings *s);

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

/* Are ranks made to come late?  A program without a family, which has reports of this one, has not
   the option. */
static inline bool collective_is_late(const struct settings *s)
{
    return s->family != NULL && collective_settings(s)->arrival.kind != ARRIVAL_TOGETHER;
}

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
#define ARRIVAL_OPTION                                                                             \
    {                                                                                              \
        0, "arrival", "HOW", .group = OPTIONS_COLLECTIVE,                                          \
                             .help = "ranks come late to each iteration; implies --start=clock, "  \
                                     "and prints Latest, Waited and Absorbed",                     \
                             .fallback = "all ranks together", .kind = OPTION_SPECIAL,             \
                             .offset = offsetof(struct collective_settings, arrival),              \
                             .choices = lateness_words, .parse = lateness_parse, .json = "arrival" \
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
