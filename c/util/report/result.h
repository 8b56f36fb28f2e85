/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * result.h - what became of a row, as plain values, the figures made of it, and what is to be
 *            doubted of them.
 *
 * All times are seconds per iteration.  Two populations are kept apart:
 *   over ranks       the means of the ranks that measure (OMB's headline is their
 *                    mean; -f shows their minimum and maximum);
 *   over iterations  one value per iteration: rank 0's time, or, where several ranks
 *                    measure, the slowest rank's.  Median, interval, percentiles.
 */
#ifndef RESULT_H
#define RESULT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/element.h"
#include "base/stats.h"
#include "data/verify.h"
#include "job/interference.h"
#include "options/settings.h"
#include "timing/clock.h"

struct context;
struct typemap_list;

enum stop_reason {
    STOP_COUNT,     /* -i or -x: fixed counts */
    STOP_PRECISION, /* the interval is narrow enough */
    STOP_BUDGET,    /* the time was used up */
    STOP_ENOUGH,    /* what another run varies by is more than what more time gains */
};

/* Why a figure cannot be right; bits. */
enum suspect {
    SUSPECT_NO_NUMBER = 1 << 0,  /* none, or not positive: it is not printed */
    SUSPECT_CLOCK = 1 << 1,      /* samples shorter than the clock can tell */
    SUSPECT_LINK = 1 << 2,       /* more than the links of nodes carry */
    SUSPECT_MEMORY = 1 << 3,     /* more than all ranks can copy */
    SUSPECT_UNFINISHED = 1 << 4, /* calls returned before the GPU was done */
    SUSPECT_STEP = 1 << 5,       /* a clock was set meanwhile */
};

/* Iterations of a row that were verified, and those of them with wrong data.  Of the first
   of these: its number, from 1; the lowest rank that it is wrong on, and of how many ranks;
   what that rank has found, and on several nodes its host and that of the sender. */
struct verified {
    long checked, wrong;
    long iteration;
    int rank, ranks_wrong, ranks;
    int root;              /* -1: the operation has none */
    const char *operation; /* NULL: the row has one */
    const char *counted;   /* what an element of the mismatch is: "byte", ... */
    struct mismatch first;
    /* "": one node, or no rank */
    char host[HOST_NAME_MAX + 1], from_host[HOST_NAME_MAX + 1];
};

/* How a row was warmed up. */
struct warmup {
    long iterations;
    double first_s; /* the very first iteration of this row, before all others */
    double last_s;  /* an iteration of the last batch */
    bool settled;   /* the last two batches agree within 10 % */
};

/* What the GPU had still to do when the calls of an iteration had returned (measure.c). */
struct gpu_pending {
    bool known;
    double left_s; /* of the worst rank */
    bool certain;  /* it is no chance, and not little next to the iteration */
};

/* Batches in which a rank lost its CPU (interference.h). */
struct disturbance {
    bool watched;  /* false: ranks or threads share CPUs, so it is none */
    long batches;  /* that were measured, of all passes */
    long found;    /* of them disturbed */
    long left_out; /* of these, those that no figure is made of */
};

/* Which rank it mostly was, of many iterations; rank -1: unknown. */
struct blame {
    int rank;
    double share; /* of the iterations */
};

/* What the global clock says of the iterations; all zero where there is none. */
struct global_times {
    bool synchronised;
    bool measured;                           /* of each iteration */
    bool trusted;                            /* the residual is small enough */
    double residual_s, bound_s;              /* after the row, of the worst rank */
    double completion_s, skew_s, skew_p95_s; /* medians over iterations */
    double latest_s;                         /* the same: from the last start to the last end */
    struct blame last_start;                 /* the rank that began last */
};

struct result {
    const struct row *row; /* what was to be measured; NULL: a run without rows */
    size_t moved;          /* bytes of the message that move: fewer with gaps (-D) */
    struct verified verified;

    long iterations, stride; /* stride: iterations in one sample */
    long late;               /* iterations dropped: a rank came late to their start */
    struct disturbance disturbed;
    struct warmup warmup;
    enum stop_reason stop;
    bool precise; /* the target was met; true where none was set */
    double elapsed_s;

    double mean, mean_min, mean_max; /* over ranks, of their means over iterations */
    bool own_headline;               /* the row is about headline_s, not about the mean */
    double headline_s;               /* a median, or the time of a whole run; NAN: unknown */
    bool stepped;                    /* the clock of a rank was set back or forward */
    int ranks;                       /* that measured */
    int nodes;                       /* of the ranks that take part */
    struct stats over_iterations;
    /* The same, every sample, until the next row is measured; NULL: none. */
    const struct series *series;
    struct series_shape shape; /* if there is a series */
    struct blame slowest;      /* of the ranks that measured */
    struct global_times global;
    struct steadiness steady;
    unsigned suspect;      /* bits of enum suspect */
    unsigned doubts;       /* bits, 1 << enum doubt: what its family noted */
    double share_of_limit; /* of plausible_limits.best; not positive: unknown */

    bool is_rate;           /* a bandwidth; else a latency */
    double scale;           /* of a latency: 0.5 where an iteration is a round trip */
    double payload;         /* of a bandwidth: bytes moved in an iteration, all pairs */
    double messages;        /* in an iteration, all pairs */
    struct gpu_pending gpu; /* what calls left on the GPU */
    void *family;           /* what its family measures: the state of the run */
    double part[2];         /* what its family keeps for lines after the table */
};

/* Time of a latency row in us; rate of a bandwidth row in MB/s, MB = 10^6 bytes. */
double result_figure(const struct result *r, double seconds);

/* What the row is about: the mean, or what its family put in its place.  This and the next
   one alone say what "value" and "median" of the JSON file are; NAN: unknown. */
double result_headline(const struct result *r);

/* The figure of the mean; not positive: the row was not measured. */
double result_mean(const struct result *r);

/* The same of a typical iteration: made from the median over iterations where the headline is
   made from a mean over iterations, else the headline itself. */
double result_median(const struct result *r);

/* Was it measured, and can it be? */
static inline bool result_has_figure(const struct result *r)
{
    return r->iterations > 0 && (r->suspect & SUSPECT_NO_NUMBER) == 0;
}

/* Empty messages have a rate as well; 0: unknown. */
double result_messages_per_s(const struct result *r);

/* Is a rank to blame so often that it cannot be chance?  More than half of what chance leaves. */
bool result_is_straggler(const struct blame *blame, int ranks);

const char *result_stop_word(enum stop_reason stop);

/* Pass, Fail or -; of one-sided programs passed, failed, skipped, as OMB. */
const char *result_verdict(const struct result *r, bool one_sided);
/* Of a row with wrong data: how many iterations, and where the first of them is wrong, as
   "wrong=3 of 20000; first: iteration=812; ...;"; the rest of text. */
enum { RESULT_WRONG_ROOM = 560 };
const char *result_wrong(const struct result *r, char text[RESULT_WRONG_ROOM]);

/* --- Figures that cannot be: marked, never silently printed --- */

/* What the job can move at most, in bytes per second; 0: unknown. */
struct plausible_limits {
    double copy; /* all ranks together, within their caches */
    double link; /* all links of all nodes; 0 if data stays within a node */
    double best; /* what a bandwidth of the program is a share of */
};

/* All that is in those bits of enum suspect, separated by ", ". */
const char *plausible_words(unsigned suspect, char *text, size_t room);

/* --- Figures that may well be right for what ran here, and say little of the machine: in the line
   after the table, and a list in each row of the JSON file --- */

enum doubt {
    DOUBT_DISTURBED, /* it is made of batches in which a rank lost its CPU, and its mean is
                        farther from the median than DOUBT_MARGIN */
    DOUBT_FEW,       /* batches were disturbed, and the budget ended before there were
                  DOUBT_FEWEST iterations */
    DOUBT_SPEED,     /* a core changed its speed by more than DOUBT_MARGIN */
    DOUBT_TESTS,     /* its family found that MPI_Test is called too often */
    DOUBTS
};

#define DOUBT_MARGIN 0.1
enum { DOUBT_FEWEST = 20 };

/* Bits, 1 << enum doubt. */
unsigned doubt_of(const struct result *r);

extern const struct doubt_words {
    const char *word;   /* in the JSON file, and in the line after the table */
    const char *reason; /* the rest of that line */
    const char *advice;
} doubt_words[DOUBTS];

/* --- The rows of a run: the plan, which is complete before the first is measured and then stays,
   and a result for each --- */

struct row {
    enum element element;
    size_t bytes;
    int window;        /* messages in flight */
    long parameter;    /* of bench.parameter; 0: none */
    int operation;     /* number, of a program that has several */
    int ranks;         /* that take part; 0: all */
    const char *lacks; /* why it is left out; NULL: it is measured */
};

/* Of a row that nobody asked for: nothing is said of it. */
extern const char row_unasked[];

struct rows {
    struct row *row;
    struct result *result; /* of each; complete on rank 0, once it is measured */
    int n, room;
    long value[PARAMETER_MAX]; /* of the parameter; one, 0, if there is none */
    int values;
    const struct typemap_list *blocks; /* of -D indx; NULL: not known */
    clock_ticks begun;                 /* when the first was about to be measured */
    int left_out;                      /* the last so many, for want of time (--total) */
    /* Those that were asked for and are not among these, each for what it lacks. */
    struct row *absent;
    int nabsent;
};

/* Do both stand under one heading? */
static inline bool row_same_block(const struct row *a, const struct row *b)
{
    return a->element == b->element && a->operation == b->operation && a->parameter == b->parameter;
}

/* Add what was verified of all rows. */
void rows_add_up(const struct rows *rows, struct verified *sum);

/* After the last row of the block that begins at first. */
int rows_block_end(const struct rows *rows, int first);

/* Print which rows these n are, block by block: " operation=get; size=8,16;". */
void rows_name(FILE *to, const struct context *c, const struct row *row, int n);

#endif
