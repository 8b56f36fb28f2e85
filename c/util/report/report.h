/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - how the iterations of a row become the columns of OMB's table.
 *
 * A report is constant data: what an iteration is worth, and which columns show it.  Options add
 * columns: -f OMB's further ones, -c Validation, -z percentiles, --columns any of result.h.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "options/settings.h"
#include "result.h"

struct bench;
struct bench_run;

/* --- Columns and cells --------------------------------------------------------------- */

enum {
    TABLE_SIZE_WIDTH = 10,  /* first column, left-justified */
    TABLE_FIELD_WIDTH = 18, /* every other one */
    TABLE_COUNT_WIDTH = 12, /* "Iterations" */
};

enum cell_kind { CELL_REAL, CELL_COUNT, CELL_WORD };

struct cell {
    enum cell_kind kind;
    double real;   /* CELL_REAL; not finite: not known, in the table "-" */
    size_t count;  /* CELL_COUNT */
    char word[48]; /* CELL_WORD; "-": not known */
};
struct cell cell_real(double value);
struct cell cell_count(size_t count);
struct cell cell_word(const char *word);

struct column {
    const char *key;     /* in CSV */
    const char *heading; /* in the table */
    int width;           /* 0: TABLE_FIELD_WIDTH */
    int decimals;        /* of CELL_REAL; 0: two */
    bool hidden;         /* not in the table, but in CSV */
};

struct report_column {
    struct column column;
    struct cell (*value)(const struct result *r);
    /* In place of value, where times is not 0: the double at this offset in the state of the
       family, times so much. */
    size_t at;
    double times;
    bool (*known)(const struct result *r); /* NULL: always; else, where it is not, "-" is shown */
    bool full;                             /* with -f alone */
    bool (*shown)(const struct bench *b, const struct settings *s); /* NULL: always */
    /* Are its values known to say nothing?  It is then in CSV and JSON only. */
    bool (*empty)(const struct settings *s); /* NULL: never */
};

/* For such a column: a member in s, printed in us; a fraction, printed in percent; or a
   member that is printed as it is. */
#define COLUMN_US(state, member)      .at = offsetof(state, member), .times = 1e6
#define COLUMN_PERCENT(state, member) .at = offsetof(state, member), .times = 100
#define COLUMN_OF(state, member)      .at = offsetof(state, member), .times = 1

/* Is it one, and not the end of the list? */
static inline bool report_is_column(const struct report_column *c)
{
    return c != NULL && c->column.key != NULL;
}

/* A column of --columns, with its value in a row. */
struct extra_column {
    const char *name, *meaning;
    const char *latency, *bandwidth; /* headings */
    struct cell value;
};

/* A table of another form: its header row, what stands there when a row was measured, and when the
   rows number first to last - 1, which stand under one heading, are over. */
struct report_layout {
    void (*header)(FILE *to);
    void (*row)(const struct result *r);
    void (*block)(const struct settings *s, const struct rows *rows, int first, int last);
};

struct report {
    const char *unit;             /* of the headline: "us" or "MB/s"; NULL: none */
    const char *sample, *printed; /* for --help: what a sample is, and what is
                                     printed of it */
    bool is_rate;                 /* a bandwidth; else a latency */
    bool both_ways;               /* of messages in both directions at the same time */
    /* So much of an iteration is a latency; 0: all of it. */
    double scale;
    /* What an iteration is worth, if that depends on the row: *result has bytes, moved and
       parameter; this sets scale of a latency, messages of a bandwidth, as printed says.  NULL:
       as scale, or a window of messages on each sender, in either direction if both_ways. */
    void (*figure)(const struct context *c, struct result *result);
    const struct report_column *headline; /* ends with a NULL key */
    /* Columns instead of these, where options ask for others; NULL, or it returns NULL: none. */
    const struct report_column *(*columns)(const struct bench *b, const struct settings *s);
    /* The form of the table; NULL, or it returns NULL: the usual one. */
    const struct report_layout *(*layout)(const struct settings *s);
    bool compact;      /* no empty line before the title */
    bool no_type_line; /* where all rows have one type */
    bool one_sided;    /* OMB says passed and failed there, Pass and Fail else */
    void (*preamble)(FILE *to, const struct bench_run *r,
                     const struct settings *s); /* after the title, or NULL */
    void (*before)(FILE *to, const struct bench_run *r,
                   const struct settings *s); /* before the title */
    bool managed_in_title;                    /* OMB says there that memory is managed */
    bool without_mpi;                         /* messages do not go through MPI */
    /* Columns of --columns that only these programs have, up to a name that is NULL; the value
       of number i; and lines about them for --help; or NULL. */
    const struct extra_column *more;
    struct cell (*more_value)(const struct bench *b, const struct result *r, int i);
    void (*more_help)(const struct bench *b, char *text, size_t room);
};

enum {
    REPORT_OWN = 13, /* of a report itself, at most: test_option looks at all */
    REPORT_COLUMNS = REPORT_OWN + 2 + PERCENTILES_MAX + COLUMNS_MAX
};

/* The title and the columns of a table, with room for the headings made on the fly. */
struct report_table {
    const struct bench *bench;
    const struct settings *settings;
    bool check;
    char title[120];
    int n;
    struct column column[REPORT_COLUMNS];
    char text[PERCENTILES_MAX][32]; /* headings of percentiles */
    char key[PERCENTILES_MAX][16];
};

void report_table(struct report_table *t, const struct bench *b, const struct settings *s);
void report_cells(const struct report_table *t, const struct result *r, struct cell *cells);

/* What an iteration of the row is worth: is_rate, scale, messages and payload. */
void report_figure(const struct context *c, struct result *result);

/* The columns that --columns can add to the table of that program, as words of an option; the
   value of each is its number. */
void report_column_words(const struct bench *b, struct choice word[COLUMNS_MAX + 1]);

/* --- The reports that programs of no family print, and what those of families are made of */

extern const struct report report_half_round_trip, /* half an iteration, of pairs */
    report_round_trip,                             /* the same of two ranks */
    report_exchange,                    /* a message each way at once: the whole iteration */
    report_self,                        /* a message to oneself */
    report_bandwidth, report_both_ways; /* payload of a window by its time */

/* For .printed of bandwidths. */
#define MB_PER_S "MB/s (10^6 bytes of payload per second"

extern const struct report_column report_latency_columns[], report_bandwidth_columns[];

/* Of two ranks: half an iteration. */
#define REPORT_ROUND_TRIP                                                                          \
    .unit = "us", .printed = "half of it, in us, mean over iterations", .scale = 0.5,              \
    .headline = report_latency_columns

/* OMB's further columns of latencies, with -f. */
#define REPORT_EXTREMES                                                                            \
    { { "latency_min_us", "Min Latency(us)", 0 }, report_mean_min, .full = true },                 \
        { { "latency_max_us", "Max Latency(us)", 0 }, report_mean_max, .full = true },             \
    {                                                                                              \
        { "iterations", "Iterations", TABLE_COUNT_WIDTH }, report_iterations, .full = true         \
    }

/* Cells of columns. */
struct cell report_mean(const struct result *r);
struct cell report_mean_min(const struct result *r);
struct cell report_mean_max(const struct result *r);
struct cell report_iterations(const struct result *r);
struct cell report_messages_per_s(const struct result *r);

/* --- The table, and the lines before and after it.  All of it happens on rank 0; other ranks may
   call these functions, which then do nothing but what is said to be collective. --- */

/* The first line and the title; then the heading of a block. */
void output_title(const struct context *c);
void output_heading(const struct context *c, const struct row *row);

/* A measured row; *result gets its suspicions. */
void output_row(const struct context *c, struct result *result);

/* The block of rows number first to last - 1 is over; OMB's words for the last one whose
   data is wrong. */
void output_block(const struct context *c, const struct rows *rows, int first, int last);

/* A run without rows: its result, of what one iteration takes over so many ranks; a table of
   that alone, headed as of such a row; and its record. */
struct result output_result(const struct context *c, int ranks, double mean_s, double least_s,
                            double most_s);
void output_alone(const struct context *c, const struct row *row, const struct result *result);
void output_record(const struct context *c, const struct result *result);

/* After the last row: what its family prints, and on standard error one line of what the table
   does not say.  Returns code or, where that is EXIT_OK, the code to leave with if the former
   says a failure or no row was printed; said why.  Rank 0 alone finds it. */
enum exit_code output_after(const struct context *c, const struct rows *rows, enum exit_code code);

/* What was printed has to arrive as well; else E21 in place of EXIT_OK. */
enum exit_code output_flush(enum exit_code code);

#endif
