/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - results for machines: --json and --csv, on rank 0.
 *
 * JSON is one self-contained document (doc/result.schema.json).  While the
 * run lasts FILE.part is a journal, one line per finished row, so that a run
 * that is killed loses nothing; at the end FILE appears at once, by rename,
 * and the journal goes.
 */
#ifndef RECORD_H
#define RECORD_H

#include "bench.h"
#include "timing/clock.h"
#include "timing/clock_sync.h"
#include "staging/crossover.h"
#include "machine/environment.h"
#include "gpu/gpu_use.h"
#include "memory/memory.h"
#include "report/plausible.h"
#include "stats/jump.h"
#include "report/report.h"
#include "report/result.h"

enum { RECORD_SCHEMA = 2 };

struct record {
    const struct bench *bench;
    const struct settings *settings;
    void *root; /* json_t, NULL without --json */
    FILE *part, *csv;
};

/* Open what the settings name; false: why[] says what cannot be written. */
bool record_open(struct record *record, const struct bench *b,
                 const struct settings *s, char *why, size_t room);

/* What holds for all rows. */
struct record_context {
    const struct world *world;
    const struct placement *placement;
    const struct environment *environment;
    const struct clock_facts *clock;
    const struct clock_sync *sync; /* NULL: no global clock */
    const struct plausible_limits *limits;
    const struct bench_run *run;
    const struct memory_kind *const *side; /* memory of both sides */
    const struct gpu_use *gpu;             /* of rank 0 */
    const struct gpu_rank *gpus;           /* of all ranks, or NULL */
    unsigned long seed;                    /* of a random order; 0: none */
    size_t pool; /* of --buffers=rotate, each direction */
    int argc;
    char *const *argv;
};
void record_begin(struct record *record, const struct record_context *c,
                  const struct report_table *table);

/* One finished row. */
void record_row(struct record *record, const struct record_context *c,
                const struct report_table *table, const struct result *result,
                const struct cell *cells);

/* Between two sizes the curve jumps, as --refine has found. */
void record_jump(struct record *record, const struct jump *jump,
                 enum element type, const char *operation, long level);

/* From which size on MPI's own path is better or worse than copies by hand. */
void record_crossover(struct record *record, const struct crossover *c);

/* Write the exit record and the document; complete: every row was measured.
   False: why[] says which file could not be written. */
bool record_finish(struct record *record, enum exit_code code, bool complete,
                   char *why, size_t room);

/* The JSON half (record_json.c); the rest of record.h calls it. */
bool record_json_open(struct record *record, const char *path);
void record_json_begin(struct record *record, const struct record_context *c);
void record_json_row(struct record *record, const struct record_context *c,
                     const struct report_table *table, const struct result *r,
                     const struct cell *cells);
bool record_json_finish(struct record *record, enum exit_code code,
                        bool complete);

void record_json_jump(struct record *record, const struct jump *jump,
                      enum element type, const char *operation, long level);

void record_json_crossover(struct record *record, const struct crossover *c);

/* Which block of rows it is, of programs that have several: into an object. */
void record_block(void *object, const struct record *record,
                  const char *operation, long level);

/* A number of jansson; null if it is none. */
void *record_number(double value);

/* Add the parts of a lap with a computation, if it has one (record_parts.c). */
void record_parts(void *row, const struct bench *b, const struct result *r);

/* jansson objects: of a row (record_row.c, record_json.c), of its steps
   (record_steps.c), of an application (record_whole.c), and of the head
   (record_environment.c). */
void *record_row_object(const struct record *record,
                        const struct record_context *c,
                        const struct report_table *table,
                        const struct result *r, const struct cell *cells);
void *record_steps(const struct result *r);
void *record_whole(const struct whole *w);
void *record_pairs(const struct settings *s, const struct pairwise *judged,
                   const struct matrix_times *all);
void *record_gpu(const struct record_context *c); /* null: none is used */
/* Of a row; null: no buffer of it is a GPU's. */
void *record_row_gpu(const struct result *r);
void *record_counters(const struct result *r);
void *record_environment(const struct record_context *c);
void *record_synchronisation(const struct record_context *c);
void *record_method(const struct bench *b, const struct record_context *c,
                    const struct settings *s);

#endif
