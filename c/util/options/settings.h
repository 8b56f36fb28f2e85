/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - what the command line asked for.
 *
 * Filled once from the command line (the file of --sizes when MPI runs), constant from then on.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/element.h"
#include "base/messages.h"
#include "base/sizes.h"
#include "option.h"
#include "timing/clock.h"

/* Groups of options that only some programs take (option_row.takers). */
enum takes {
    TAKES_SIZES = 1 << 0,         /* -m -M */
    TAKES_ITERATIONS = 1 << 1,    /* -i -x and everything else about time */
    TAKES_TYPE = 1 << 2,          /* -T */
    TAKES_INTEGER_TYPE = 1 << 3,  /* -T of integers only */
    TAKES_CHECK = 1 << 4,         /* -c -u */
    TAKES_WINDOW = 1 << 5,        /* -W */
    TAKES_BUFFERS = 1 << 6,       /* -b */
    TAKES_PAIRS = 1 << 7,         /* -p -R -V */
    TAKES_IN_PLACE = 1 << 8,      /* -l */
    TAKES_ROOT = 1 << 9,          /* -k */
    TAKES_MEMORY_LIMIT = 1 << 10, /* -M without sizes */
    TAKES_STEPS = 1 << 11,        /* -f: the steps of MPI's start */
    /* From here on they follow from the rest of the descriptor. */
    TAKES_DERIVED = 1 << 12,  /* -D */
    TAKES_SUMS = 1 << 13,     /* reductions */
    TAKES_ROTATION = 1 << 14, /* --buffers */
    TAKES_TOUCH = 1 << 15,    /* --touch */
    TAKES_IDLE = 1 << 16,     /* no program: -a -r -t where OMB has them */
    TAKES_PAIRING = 1 << 17,  /* --pairs */
    TAKES_COUNTS = 1 << 18,   /* blocks may differ in length: --counts */
    TAKES_VERIFY = 1 << 19,   /* --verify: what has no data may still synchronize */
};

/* Groups of a family's options: n from 0 to 7. */
#define TAKES_FAMILY(n) (1U << (24 + (n)))

/* Headings in help. */
enum option_group {
    OPTIONS_DATA,
    OPTIONS_TIME,
    OPTIONS_FLIGHT,
    OPTIONS_SIDES,
    OPTIONS_COLLECTIVE,
    OPTIONS_RMA,
    OPTIONS_OUTPUT,
    OPTIONS_MEMORY,
    OPTIONS_RUN,
    OPTIONS_COMPATIBLE
};
extern const char *const settings_groups[]; /* in words, then NULL */

/* How rows are measured: as Alidade does, or as OMB, to continue old series. */
enum protocol { PROTOCOL_ALIDADE, PROTOCOL_OMB };

/* START_UNSET: until the command line has been read. */
enum start_kind { START_UNSET, START_DISSEMINATION, START_LIBRARY, START_CLOCK, START_NONE };

/* Batches in which a rank lost its CPU: leave them out, or keep them. */
enum disturbed { DISTURBED_LEFT_OUT, DISTURBED_KEPT };

/* From iteration to iteration: the same buffers, or the next ones of a pool larger
   than the cache. */
enum buffer_use { BUFFERS_REUSE, BUFFERS_ROTATE };

enum order { ORDER_UP, ORDER_DOWN, ORDER_RANDOM };

/* Memory of the messages of a window: as much as there is below a limit, one place for all of
   them, or one for each. */
enum slots { SLOTS_AUTO, SLOTS_SINGLE, SLOTS_MULTIPLE };

enum { ROOT_ROTATES = -1, ROOT_FIXED = -2 };

/* Where a buffer was asked to be, by a word of the command line. */
enum memory_type {
    MEMORY_HOST,
    MEMORY_HUGE,
    MEMORY_PINNED, /* from here on: of a GPU's runtime library */
    MEMORY_DEVICE,
    MEMORY_FINE,
    MEMORY_MANAGED,
    MEMORY_MANAGED_DEVICE,
    MEMORY_MANAGED_HOST,
    MEMORY_TYPES
};

enum device { DEVICE_HOST, DEVICE_CUDA, DEVICE_ROCM, DEVICE_MANAGED };

/* Of enum disturbed, start_kind, order, buffer_use and memory_type. */
extern const struct choice settings_disturbed_words[], settings_start_words[],
    settings_order_words[], settings_use_words[], settings_memory_words[];
/* Of -T: their values are bits of elements. */
extern const struct choice settings_type_words[], settings_whole_type_words[];

enum event {
    EVENT_USAGE = 'h',
    EVENT_VERSION = 'v',
    EVENT_HELP = 300,
};

enum { PERCENTILES_MAX = 16, COLUMNS_MAX = 32, VARY_WINDOWS = 8, SIZES_ROOM = 48 };

/* Iterations of a row to verify: so many, as many as are timed, or those that fit into
   the time of all rows. */
struct verification {
    bool given, all;
    long n;
    double soak_s; /* 0: no time */
};

enum typemap_kind { TYPEMAP_WHOLE, TYPEMAP_CONT, TYPEMAP_VECT, TYPEMAP_INDX };

/* -D: which bytes of a message move.
   cont               all of them, as one element of a contiguous type;
   vect:STRIDE:BLOCK  of every full STRIDE elements the first BLOCK;
   indx:FILE          the blocks of a file with lines "DISPLACEMENT,LENGTH",
                      in elements, ascending and apart; # begins a comment.
   TYPEMAP_WHOLE: no derived type. */
struct typemap_spec {
    enum typemap_kind kind;
    const char *text;     /* the words themselves */
    size_t stride, block; /* for vect, elements */
    const char *path;     /* for indx */
};

/* --pairs. */
enum pairing_kind {
    PAIRING_AUTO,   /* rank i with i + pairs, as in OMB */
    PAIRING_CYCLIC, /* ranks 0 and 1, 2 and 3, ... */
    PAIRING_LIST
};

struct pairing {
    enum pairing_kind kind;
    const char *text; /* as it was given; NULL: it was not */
    int n, last;      /* of LIST: its pairs, and the largest rank in it */
};

struct settings {
    struct sizes sizes;
    size_t memory_limit; /* bytes per rank for its buffers; 0: what is free */
    enum element types[ELEMENT_COUNT];
    int ntypes; /* at least 1, once command_line_read has added the default */
    struct typemap_spec derived;

    struct sizes_count iterations, warmup;
    double precision;         /* half-width of the interval, a fraction */
    double budget_s, total_s; /* 0: settings_budget tells it; no limit */
    enum protocol protocol;
    enum start_kind start;
    enum clock_kind clock;
    enum disturbed disturbed;
    enum order order;
    unsigned long seed; /* of a random order; 0: any */

    int window;
    bool vary_window; /* a row for each of VARY_WINDOWS */
    long parameter[PARAMETER_MAX];
    int nparameters;        /* 0: the program's default */
    int slots;              /* -b: enum slots */
    int pairs;              /* 0: half the ranks */
    struct pairing pairing; /* which ranks they are */
    int print_rate;
    bool in_place;
    int root; /* or ROOT_ROTATES */

    bool full, check;
    struct verification verify;
    int validation_warmup;               /* -u: accepted, verification needs none */
    double percentiles[PERCENTILES_MAX]; /* in percent, as they were given */
    int npercentiles;
    int columns[COLUMNS_MAX]; /* numbers of report_column_words, none twice */
    int ncolumns;
    struct choice column_words[COLUMNS_MAX + 1]; /* of all that there are */
    const char *log;                             /* folder of -clog; NULL: none */

    enum device device;
    enum memory_type memory[2]; /* of the first side's buffers, the second's */
    int nwords;                 /* as many of them were named */
    const char *idle;           /* the word that was, where another memory is measured */
    bool host_instead;          /* they named GPU memory, and there is no GPU */
    enum buffer_use use;
    size_t pool;            /* bytes of each direction; 0: twice the cache */
    bool touch;             /* write and read the buffers between iterations */
    bool session;           /* start MPI by a session, not by MPI_Init */
    const char *started_as; /* the program's file, as it was given to start it */

    void *family;               /* of the program's family, as its options write them */
    void **asked;               /* the same of each of watch_options */
    struct option_row *rows;    /* of this program, its family and its parameter */
    char own_sizes[SIZES_ROOM]; /* the default of -m, as "4:1M" */
    bool of_omb;                /* a program of OMB */
    char stray[64];             /* numbers without an option, as "1000 5": OMB ignores them */
};

struct bench;

/* Options that one of those brings who look on (c/watch), and what they write into. */
struct option_part {
    const struct option_row *rows; /* end with a NULL name */
    size_t size;                   /* of what they write into: zeros, and then */
    /* the other defaults; NULL: there are none. */
    void (*begin)(void *asked, const struct bench *b, const struct settings *s);
    /* What does not fit together, or NULL if all does; NULL: all does. */
    const char *(*conflict)(const struct settings *s);
    /* The options are those of the program: does it do something in place of the run?  Then *code
       is that to leave with.  NULL: never. */
    bool (*instead)(const struct bench *b, struct settings *s, enum exit_code *code);
};

/* In a row: who takes it. */
#define TAKEN(bits, names) .takers = (bits), .programs = (names)
#define TIMED              TAKEN(TAKES_ITERATIONS, "programs that time iterations")

/* All, in the order of --help within a heading, before the core's last rows; ends with NULL:
   c/watch/watchers.c. */
extern const struct option_part *const watch_options[];

/* What was asked of NAME_options, which is one of them: a struct NAME_asked. */
#define ASKED(name, s) ((const struct name##_asked *)settings_asked(s, &name##_options))
const void *settings_asked(const struct settings *s, const struct option_part *part);

/* Is the option of that long name on the command line? */
bool settings_named(const struct settings *s, const char *name);

/* The defaults of a program, and the rows of its options: the core's, those of watch_options, of
   its family and of its parameter.  rows is NULL if there is no memory.  The rows point into
   *s, which stays where it is until it is given back.  Who reads a command line fills
   column_words before. */
void settings_begin(struct settings *s, const struct bench *b);
void settings_release(struct settings *s);

/* Say which options were given and have no effect (W36). */
void settings_warn(const struct settings *s);

/* Read SIZE,SIZE,... into *sizes, or the text of a file, which has one size or more to a line.
   Returns NULL, or what is wrong with its line of that number; 0: with all of it. */
const char *settings_take_sizes(const char *text, struct sizes *sizes, int *line);

/* Read up, down, random or random:SEED, for rows of families too.  NULL, or what is wrong. */
const char *settings_parse_order(const char *text, enum order *order, unsigned long *seed);

/* Was memory of a GPU's runtime library named?  Is there one, which was asked for? */
bool settings_device_words(const struct settings *s);
bool settings_on_gpu(const struct settings *s);

/* What holds by default, and the budget of a row as it holds: that which was named, the default,
   or 10 s where only a precision below the default was named. */
#define USUAL_PRECISION 0.01
#define USUAL_BUDGET_S  0.050
double settings_budget(const struct settings *s);

/* --protocol omb? */
bool settings_as_omb(const struct settings *s);

/* Timed iterations of a row of so many bytes, where they are fixed: those that were named, or
   OMB's. */
long settings_iterations(const struct settings *s, const struct sizes_counts *omb, size_t bytes);

/* Is data verified? */
bool settings_verifies(const struct settings *s);

/* The most iterations that -i names for a row of any size; LONG_MAX: it was not given. */
long settings_most_iterations(const struct settings *s);

/* Were fixed counts asked for (-i, -x, --protocol)? */
bool settings_fixed(const struct settings *s);

/* What becomes of disturbed batches: fixed counts keep them. */
enum disturbed settings_disturbed(const struct settings *s);

/* --- A number that is swept besides the size: the depth of a queue, the ranks around a hot spot.
   Each of its values makes a block of rows. --- */

/* What the number counts; this sets its upper limit. */
enum parameter_kind {
    PARAMETER_NUMBER,    /* anything: at most .most */
    PARAMETER_IN_FLIGHT, /* messages: as many as the window has */
    PARAMETER_PARTNERS,  /* ranks that rank 0 talks to: as many as there are; as
                            many and rank 0 take part, the others wait */
    PARAMETER_RANKS,     /* ranks that take part: 2, 4, ... and all; a row each,
                            not a block */
    PARAMETER_SUBSETS,   /* the same, a block each: as many as there are */
};

/* "all" on the command line: the values below. */
enum { PARAMETER_OWN = -1 };

struct parameter {
    const char *name;   /* above a block, as "Queue depth"; NULL: no parameter */
    const char *key;    /* in JSON and CSV, as "queue_depth" */
    const char *option; /* its long name, as "queue-depth" */
    int letter;         /* its short one; 0: none */
    const char *argument, *help, *fallback; /* as in option_row */
    enum parameter_kind kind;
    int group; /* of the option in help; 0: OPTIONS_FLIGHT */
    long least, most;
    /* Default values, ascending, terminated by 0 (which may be the first
       value).  Values above the limit are replaced by the limit. */
    long value[PARAMETER_MAX];
};

#define PARAMETER_DOUBLING 1, 2, 4, 8, 16, 32, 64, 128, 256, 512

/*
 * The values of a run on so many ranks into value[]: those named in s or, if
 * none was, the program's own; of a program without a parameter one, 0.  Returns
 * their number, or -1: one that was named cannot be, and why says so.
 */
int parameter_values(const struct parameter *p, const struct settings *s, int ranks,
                     long value[PARAMETER_MAX], char *why, size_t room);

/* --- Which ranks are the two of a pair: --pairs.  Pairs are numbered from 0; the first rank of a
   pair is the one that sends first. --- */

/* The other rank of a rank's pair; number -1: it has none. */
struct partner {
    int number;
    bool first; /* this rank, not the other, is the first of the pair */
};

extern const struct choice pairing_words[]; /* what each means */

/* NULL, or what is wrong with the text, which must stay. */
const char *pairing_parse(void *p, const char *text);

/* The partner of a rank where there are so many pairs. */
struct partner pairing_partner(const struct pairing *p, int pairs, int rank);

#endif
