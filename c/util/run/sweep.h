/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep.h - the rows of a run: which there are, whether they work, measuring
 *           and printing them.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "bench.h"
#include "gpu/gpu_use.h"
#include "report/graph.h"
#include "matrix/matrix_report.h"
#include "sampling/measure.h"
#include "machine/placement.h"
#include "report/plausible.h"
#include "prepare.h"
#include "record/record.h"
#include "data/validation_log.h"

enum { SWEEP_SIZES = 66 }; /* 0, 1, 2, 4, ... 2^63, and one to spare */

struct row {
    enum element element;
    size_t bytes;
    int window; /* 0: as all rows */
    long level; /* of bench.levels; 0: none */
    enum verdict verdict;
    int operation;            /* number, of a program that has several */
    int ranks;                /* that take part; 0: all */
    double shown;             /* its figure, once it is measured; on rank 0 */
    double of_full, left;     /* of one with a computation, by its time: the
                                 lap without, and the computation */
    double figure, rate;      /* of -V, as printed, or not finite; on rank 0 */
    double first_s;           /* its very first lap, in the rehearsal */
    double median_s, error_s; /* as measured; on rank 0 */
};

/* Do both stand under one heading? */
static inline bool row_same_block(const struct row *a, const struct row *b)
{
    return a->element == b->element && a->operation == b->operation &&
           a->level == b->level;
}

enum {
    SWEEP_BLOCKS =
        (int)LEVELS_MAX > (int)VARY_WINDOWS ? LEVELS_MAX : VARY_WINDOWS,
    SWEEP_ROWS = ELEMENT_COUNT * (3 * SWEEP_SIZES * SWEEP_BLOCKS + REFINE_MAX)
};

/* Everything a run consists of. */
struct sweep {
    const struct bench *bench;
    const struct settings *settings;
    struct world *world;
    struct gpu_use *gpu;
    struct placement placement;
    struct prepared prepared;
    struct measure measure;
    struct counters counters;
    struct report_table table;
    struct record record;
    struct record_context context;
    struct validation_log log;
    struct graph graph;
    struct matrix_report pairs; /* all of them, and who is slow */
    char identity[256]; /* what is measured, as the first line says it */
    struct row row[SWEEP_ROWS];
    int rows;
    long level[LEVELS_MAX]; /* one, 0, if the program has none */
    int levels;
    int printed;        /* lines with a figure, so far; on rank 0 */
    unsigned long seed; /* of the order, on every rank; 0: none */
    struct plausible_limits limits;
    struct clock_sync sync; /* if measure.sync is set */
    clock_ticks begun;      /* measuring */
    bool complete;          /* no row was left out for want of time */
    bool subset;            /* of the ranks takes part in the row set up */
};

static inline bool sweep_is_sized(const struct sweep *s)
{
    return bench_is_sized(s->bench);
}

/* What stands in the first column; NULL: there is none. */
static inline const char *sweep_first_column(const struct sweep *s)
{
    return s->bench->by_ranks ? "Ranks" : sweep_is_sized(s) ? "Size" : NULL;
}

/* Prepare for a row, and end it.  Collective. */
void sweep_set_up(struct sweep *s, const struct row *row);
void sweep_row_end(struct sweep *s);

/* What the ranks of this job, and links, can move at most; all ranks ask. */
struct plausible_limits sweep_limits(const struct sweep *s);

/* Fill row[] with what -m and -T ask for and memory allows; what has to be
   left out is said.  Collective; EXIT_OK, or the code to leave with. */
enum exit_code sweep_choose(struct sweep *s);

/* Bytes of the largest row. */
size_t sweep_largest(const struct sweep *s);

/* Choose the seed of a random order: the one that was named, or any.
   Collective. */
void sweep_seed(struct sweep *s);

/* Put the rows into the order that --order asks for, on all ranks alike. */
void sweep_order(struct sweep *s);

/*
 * One untimed lap of every row from number first on, with known contents:
 * opens connections, so that no first use colours a row, and verifies.
 * Collective; with -c a wrong row is only marked, else it ends the run.
 */
enum exit_code sweep_rehearse(struct sweep *s, int first);

/* Print a measured row and record it (sweep_print.c); on rank 0. */
void sweep_print_row(struct sweep *s, struct row *row, struct result *result);

/* OMB's words for a row whose data is wrong, behind all figures; none if it is not. */
void sweep_print_wrong(const struct sweep *s, const struct row *row);

/* Measure and print every row.  Collective. */
enum exit_code sweep_measure(struct sweep *s);

#endif
