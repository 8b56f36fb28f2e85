/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - what the command line asked for.
 *
 * Filled once from the command line, constant from then on.  Every option is a
 * row in settings_rows.c.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "timing/clock.h"
#include "base/element.h"
#include "gpu_map.h"
#include "option.h"
#include "base/typemap.h"
#include "settings_words.h"
#include "base/sizes.h"

enum { LEVELS_MAX = 32 };

/* Groups of options that only some programs take (option_row.takers). */
enum takes {
    TAKES_SIZES = 1 << 0,       /* -m -M */
    TAKES_LAPS = 1 << 1,        /* -i -x and everything else about time */
    TAKES_TYPE = 1 << 2,        /* -T */
    TAKES_CHECK = 1 << 3,       /* -c -u */
    TAKES_WINDOW = 1 << 4,      /* -W */
    TAKES_BUFFERS = 1 << 5,     /* -b */
    TAKES_PAIRS = 1 << 6,       /* -p -R */
    TAKES_IN_PLACE = 1 << 7,    /* -l */
    TAKES_TESTS = 1 << 8,       /* -t -a -r */
    TAKES_TOPOLOGY = 1 << 9,    /* -N */
    TAKES_RMA = 1 << 10,        /* -s -w */
    TAKES_ROOT = 1 << 11,       /* -k */
    TAKES_GROUPS = 1 << 12,     /* --groups */
    TAKES_PARTITIONS = 1 << 15, /* -q */
    TAKES_THREADS = 1 << 14,    /* -t */
    TAKES_PROCESSES = 1 << 13,  /* -t */
    TAKES_DERIVED = 1 << 16,    /* -D; follows from type and flow */
    TAKES_ACTIVE = 1 << 17,     /* -w, and -s of active targets only */
    TAKES_WHOLE = 1 << 18,      /* -T of whole numbers only */
    TAKES_CLASS = 1 << 19,      /* --class, and -M of all that it needs */
    TAKES_QUEUE = 1 << 20,      /* --queue-depth */
    TAKES_OTHERS = 1 << 21,     /* --others */
    TAKES_PASSIVE = 1 << 22,    /* -w, and -s of passive targets only */
    TAKES_REUSE = 1 << 23,      /* --scheme --reuse */
    TAKES_COMPUTE = 1 << 24,    /* --compute */
    TAKES_STRIPES = 1 << 25,    /* --stripe-threshold */
    TAKES_CREATION = 1 << 27,   /* -w alone */
    TAKES_STAGING = 1 << 28,    /* --chunk; messages are staged: staging.h */
    TAKES_MATRIX = 1 << 29,     /* nothing; a lap has all pairs: pair_times.h */
};

enum event {
    EVENT_HELP = 'h',
    EVENT_VERSION = 'v',
    EVENT_LIST = 300,
    EVENT_MAN,
};

enum {
    PERCENTILES_MAX = 16,
    COLUMNS_MAX = 32,
    REFINE_MAX = 64,
    EVENTS_MAX = 16,
    EVENT_ROOM = 128,
    SIDES_MOST = 1024,
    VARY_WINDOWS = 8,
    EXPECT_MAX = 16
};

struct settings {
    struct sizes sizes;
    size_t memory_limit; /* bytes per rank for its buffers; 0: what is free */
    enum element types[ELEMENT_COUNT];
    int ntypes; /* at least 1, once command_line_read has added the default */
    struct typemap_spec derived;

    long laps, warmup; /* -1: not given */
    double precision;  /* half-width of the interval, a fraction; 0: 1 % */
    double budget_s, total_s; /* 0: the default, no limit */
    double timeout_s;         /* 0: never give up */
    enum start_kind start;
    enum clock_kind clock;
    enum order order;
    unsigned long seed; /* of a random order; 0: any */
    bool around;        /* sizes one element beside each of the sweep */
    int refine;         /* rows that may be added where the curve jumps */

    int window; /* 0: 64 */
    int partitions;
    enum order ready; /* of partitions */
    unsigned long ready_seed;
    int ready_threads;
    bool vary_window; /* a row for each of VARY_WINDOWS */
    long level[LEVELS_MAX];
    int nlevels;             /* 0: the program's default (parameter.h) */
    size_t stripe_threshold; /* bytes of the largest message that is whole */
    size_t chunk;            /* of a staged message, in bytes */
    int scheme;              /* enum scheme */
    int buffers;             /* -b: 0 one send buffer, 1 one for each message */
    int pairs;               /* 0: half the ranks */
    int print_rate;
    int groups;       /* 0: nodes */
    int class;        /* enum nas_class; -1: the program's own */
    int threads[2];   /* of sender and receiver */
    int processes[2]; /* forked by sender and receiver */
    bool in_place;
    int root;   /* or ROOT_ROTATES */
    int array;  /* -a: given, without a meaning on the processor */
    int target; /* -r: what computes, 0 the processor */
    int tests;  /* MPI_Test calls while computing */
    const char *topology;
    enum rma_sync sync;
    enum window_kind window_kind;

    bool full, check, raw, dry_run, verify_off;
    double percentiles[PERCENTILES_MAX]; /* in percent, as they were given */
    int npercentiles;
    int columns[COLUMNS_MAX]; /* extra ones of result.h, none twice */
    int ncolumns;
    const char *json, *csv;
    const char *log;                    /* folder of -clog; NULL: none */
    unsigned graphs;                    /* bits of enum graph_kind */
    char event[EVENTS_MAX][EVENT_ROOM]; /* names of what is counted */
    int nevents;
    const char *events_file;

    enum device device;
    enum memory_place place[2]; /* of the first side's buffers, the second's */
    int nwords;                 /* as many of them were named */
    struct gpu_map gpu_map;     /* which GPU a rank uses */
    size_t align_offset; /* bytes that buffers begin behind a page boundary */
    enum buffer_use use;
    size_t pool; /* bytes of each direction; 0: twice the cache */
    bool touch;  /* write and read the buffers between laps */
    int ranks;   /* of --dry-run */
    const char *expect[EXPECT_MAX]; /* "path=inter-node": check_identity.h */
    int nexpect;
    bool session; /* start MPI by a session, not by MPI_Init */
    const char
        *started_as; /* the program's file, as it was given to start it */
};

/* Defaults that depend on the program. */
struct settings settings_default(const struct sizes *sizes, unsigned takes);

/* The rows, group headings and the word parser, less what names the program. */
extern const struct option_row settings_rows[];
extern const char *const settings_groups[];
const char *settings_word(void *settings, const char *text);

/* Was memory of a GPU's runtime library named?  Is there one, which was asked for? */
bool settings_device_words(const struct settings *s);
bool settings_on_gpu(const struct settings *s);

/* The target and the budget of a row as they hold: the defaults (1 %, 50 ms),
   what was named, or 10 s where only a precision was named. */
double settings_precision(const struct settings *s);
double settings_budget(const struct settings *s);

/* Messages of a window, -W; were fixed counts asked for (-i, -x)? */
int settings_window(const struct settings *s);
bool settings_fixed(const struct settings *s);

/* What does not fit together; NULL if all does. */
const char *settings_conflict(const struct settings *s);

/* --list: every name that an option of this program takes, one a line. */
void settings_list(const struct option_set *set, FILE *to);

#endif
