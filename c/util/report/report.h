/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - how the laps of a row become the columns of OMB's table.
 *
 * A report is constant data: what a lap is worth, and which columns show it.
 * Options add columns: -f OMB's further ones, -c Validation, -z percentiles,
 * --columns any of result.h.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/element.h"
#include "result.h"
#include "options/settings.h"

struct bench;
struct bench_run;

struct report_column {
    struct column column;
    struct cell (*value)(const struct result *r);
};

struct report {
    const char *unit; /* of the headline: "us" or "MB/s"; NULL: none */
    const char *sample, *printed; /* for --help: what a sample is, and what is
                                     printed of it */
    double scale;      /* of a latency: messages' ways in a lap, inverted */
    double directions; /* of a bandwidth; 0: it is a latency */
    const struct report_column *headline; /* ends with a NULL value */
    const struct report_column *full;     /* in its place with -f, or NULL */
    bool empty_line;                      /* before the title */
    bool no_type_line;                    /* where all rows have one type */
    bool one_sided; /* OMB says passed and failed there, Pass and Fail else */
    void (*preamble)(FILE *to, const struct bench_run *r,
                     const struct settings *s); /* after the title, or NULL */
    void (*before)(FILE *to, const struct bench_run *r,
                   const struct settings *s);       /* before the title */
    void (*line)(FILE *to, const struct result *r); /* instead of a table */
    bool steps; /* of starting: a table behind that line, with -f */
    bool own;   /* no table of OMB's: its mark is not in the title */
};

extern const struct report report_half_round_trip, /* latency: half a lap */
    report_threads,     /* the same behind lines that count threads */
    report_forked,      /* the same behind lines that count processes */
    report_pair_matrix, /* of a lap with all partners, one's share */
    report_exchange,    /* a message each way at once: the whole lap */
    report_overhead, /* time inside calls, on either side; half a round trip */
    report_hot_spot, /* time for a message, and all of them together */
    report_overlap_bandwidth, /* beside a computation, and its share */
    report_bandwidth, report_both_ways, /* payload of a window by its time */
    report_fan,                         /* of all groups together */
    report_message_rate, report_rate_both_ways, /* and messages per second */
    report_collective,        /* mean over ranks; -f: min, max, laps */
    report_barrier,           /* the same without sizes and types */
    report_neighbors,         /* the same behind the topology's lines */
    report_overlap,           /* overall, computation, pure, overlap */
    report_overlap_alone,     /* the same without sizes and types */
    report_neighbors_overlap, /* report_overlap behind the topology's lines */
    /* One-sided: with the window's lines. */
    report_rma_latency, report_rma_latency_of_pairs, report_rma_bandwidth,
    report_rma_both_ways, report_rma_bandwidth_of_pairs,
    report_rma_hot_spot,       /* of all others together, and of each */
    report_rma_latency_alone,  /* without the line of the type */
    report_init, report_hello, /* one line */
    report_whole,              /* an application: a row, and its parts */
    /* Below MPI: behind a line that says over what. */
    report_transport_latency, report_transport_bandwidth;

/* The column that -R 0 leaves out. */
struct cell report_message_rate_value(const struct result *r);

enum {
    REPORT_OWN = 9, /* of a report itself, at most */
    REPORT_COLUMNS = REPORT_OWN + 2 + PERCENTILES_MAX + COLUMNS_MAX
};

/* The columns of a table, with room for the headings made on the fly. */
struct report_table {
    const struct report *report;
    const struct settings *settings;
    bool check;
    int n;
    struct column column[REPORT_COLUMNS];
    char text[PERCENTILES_MAX][32]; /* headings of percentiles */
    char key[PERCENTILES_MAX][16];
};

void report_table(struct report_table *t, const struct bench *b,
                  const struct settings *s);
void report_cells(const struct report_table *t, const struct result *r,
                  struct cell *cells);

/* The title without the mark for a suffix, which host memory has none of. */
void report_plain_title(const struct bench *b, const struct settings *s,
                        char text[120]);

/* Title and what stands between it and the first heading. */
void report_title(FILE *to, const struct bench *b, const struct bench_run *r,
                  const struct settings *s);

/* The steps of starting. */
void report_steps(FILE *to, const struct result *r);

/* Where the time of an application went. */
void report_shares(FILE *to, const struct whole *w);

/* The level where there is one, "# Datatype: ..." or "# Operation: ...", and the
   heading row; first: of its first column, NULL: that is the first of the
   table. */
void report_heading(FILE *to, const struct bench *b,
                    const struct report_table *t, enum element type,
                    const char *first, int operation, long level);

#endif
