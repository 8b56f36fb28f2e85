/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep.h - the rows of a run: which there are, whether they work, measuring
 *           and printing them.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "bench.h"
#include "measure.h"
#include "placement.h"
#include "prepare.h"
#include "record.h"

enum { SWEEP_SIZES = 66 }; /* 0, 1, 2, 4, ... 2^63, and one to spare */

struct row {
    enum element element;
    size_t bytes;
    enum verdict verdict;
};

/* Everything a run consists of. */
struct sweep {
    const struct bench *bench;
    const struct settings *settings;
    struct world *world;
    struct placement placement;
    struct prepared prepared;
    struct measure measure;
    struct report_table table;
    struct record record;
    struct record_context context;
    struct row row[ELEMENT_COUNT * SWEEP_SIZES];
    int rows;
    bool complete; /* no row was left out for want of time */
};

/* Fill row[] with what -m and -T ask for and memory allows; what has to be
   left out is said.  Collective; EXIT_OK, or the code to leave with. */
enum exit_code sweep_choose(struct sweep *s);

/* Bytes of the largest row. */
size_t sweep_largest(const struct sweep *s);

/*
 * One untimed lap of every row, with known contents: opens connections, so
 * that no first use colours a row, and verifies.  Collective; with -c a wrong
 * row is only marked, else it ends the run.
 */
enum exit_code sweep_rehearse(struct sweep *s);

/* Measure and print every row.  Collective. */
enum exit_code sweep_measure(struct sweep *s);

#endif
