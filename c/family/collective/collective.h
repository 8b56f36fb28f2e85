/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective.h - what collective operations move, their table, and their options.
 *
 * collective_family   --counts of the v- and w-collectives: blocks of different lengths
 *                     (counts.h, deal.h)
 */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include "counts.h"
#include "data/flow.h"
#include "family.h"
#include "options/settings.h"
#include "report/report.h"

extern const struct flow flow_reduce_all, /* every rank gets the sum */
    flow_reduce,                          /* the root gets it */
    flow_reduce_scatter,                  /* every rank gets its part of it */
    flow_reduce_scatter_block,            /* the same, of equal parts */
    flow_scan,                    /* the sum over all ranks up to one's own */
    flow_exscan,                  /* the sum over all ranks before one's own */
    flow_broadcast,               /* the root's block to all */
    flow_gather_all,              /* every rank's block to all */
    flow_gather_all_v,            /* the same, packed */
    flow_gather, flow_gather_v,   /* every rank's block to the root */
    flow_scatter, flow_scatter_v, /* the root's blocks to one rank each */
    flow_exchange_all,            /* a block from every rank to every rank */
    flow_exchange_all_v, flow_exchange_all_w; /* the same, packed */

extern const struct report
    report_collective, /* mean over ranks; -f: min, max, laps */
    report_barrier;    /* the same without sizes and types */

/* The rank with the most bytes in a row; imbalance: how many times the mean. */
struct busiest {
    double bytes, imbalance;
};

/* The state and the settings; those of other families of collectives begin with
   them. */
struct collective {
    struct portion *out, *in; /* of the blocks; NULL: they are equal */
    struct busiest busiest;   /* of the last measured row */
};
struct collective_settings {
    struct counts counts; /* --counts */
};

static inline struct collective *collective_of(const struct bench_run *r)
{
    return r->family;
}

static inline const struct collective_settings *
collective_settings(const struct settings *s)
{
    return s->family;
}

extern const struct family collective_family;

/* --- For families whose state and settings begin with these ------------------ */

enum { TAKES_COUNTS = TAKES_FAMILY(6) };

#define COLLECTIVE_OPTIONS                                                     \
    {                                                                          \
        0, "counts", "HOW",                                                    \
            .group = OPTIONS_COLLECTIVE, .takers = TAKES_COUNTS,               \
            .programs = "v- and w-collectives",                                \
            .help = "how long the blocks are; the size is their mean, and "    \
                    "their sum that of equal ones",                            \
            .fallback = "equal", .kind = OPTION_SPECIAL,                       \
            .choices = counts_words, .parse = collective_parse_counts,         \
            .json = "counts", .record = collective_record_counts               \
    }

const char *collective_parse_counts(void *settings, const char *text);
void collective_record_counts(struct fields to, const char *name,
                              const void *settings);

/* Hooks of struct family, and of struct report. */
unsigned collective_takes(const struct bench *b);
const char *collective_conflict(const struct bench *b,
                                const struct settings *s);
enum exit_code collective_begin(const struct context *c);
void collective_end(const struct context *c);
void collective_measured(const struct context *c, struct row *row,
                         struct result *result);
bool collective_times_transfer(const struct bench *b, const struct settings *s);
bool collective_dry_run(const struct context *c, double available);
const struct report_column *collective_columns(const struct settings *s);

#endif
