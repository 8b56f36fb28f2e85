/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * family.h - what some programs share, plugged into the run by their
 *            descriptor (.family = &NAME_family).
 *
 * A family is a folder of c/family: its options, its state, what it does before
 * and after the loop, what it prints and records.  The harness calls these
 * functions and knows no family by name.  Each of them may be NULL.
 */
#ifndef FAMILY_H
#define FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/messages.h"

struct bench_run;
struct buffers;
struct fields;
struct measure;
struct row;
struct settings;

/* How much is known of the run, which rises while it begins. */
enum known {
    KNOWN_NOTHING,  /* the command line is refused */
    KNOWN_OPTIONS,  /* the command line alone */
    KNOWN_RANKS,    /* how many, and what that says of this one; MPI may not run */
    KNOWN_NODES,    /* all, but what an operation is asked about */
    KNOWN_OPERATION /* that of which it is asked: the rows that it may have */
};

/* What is known of the run: members are valid from the stage on that they stand under.  With
   --dry-run there is no MPI, and world has a rank and a size alone. */
struct context {
    const struct bench *bench;
    const struct settings *settings;
    int argc;
    char *const *argv;
    enum known known;

    /* --- KNOWN_RANKS: world, of which refuse may use the size alone */
    const struct world *world;
    struct bench_run *run;                 /* what the loop sees */
    const struct memory_kind *const *side; /* memory of the two sides */
    struct placement_talk *talk;           /* whose paths are meant by "path=" */

    /* --- KNOWN_NODES: placement, whose nodes begin may use; the rest when the table begins */
    const struct placement *placement;
    const struct clock_facts *clock;
    struct clock_sync *sync; /* NULL: no global clock */
    bool skewed;             /* the global times of each iteration are wanted */
    const struct plausible_limits *limits;
    const char *device;               /* that carried bytes between nodes; "": unknown */
    const char *identity;             /* the first line of the output */
    const struct report_table *table; /* its columns */
    unsigned long seed;               /* of a random order; 0: none */
    size_t pool;                      /* bytes of --buffers=rotate, in each direction */

    /* --- KNOWN_OPERATION */
    int operation; /* its number */
};

/* What follows from the options alone; bench_plan has what holds without a family. */
struct plan {
    const struct parameter *parameter; /* of the run */
    /* One that is swept in its place if the option of its name is given. */
    const struct parameter *swept;
    /* Further keys of --expect, which ends with NULL: run holds --expect against the header
       line and against what it finds. */
    const char *const *expects;
    /* Memory of the send buffer, if it is not that of its side. */
    const struct memory_kind *send_memory;
    /* What --dry-run says before the sizes, and in their place: why they are not known. */
    const char *remark, *unknown;
    /* The elements of a message are a multiple of so many. */
    size_t elements;
    /* Threads that call MPI at a time: of a rank on the sender's side, and on the other. */
    int threads[2];
    bool computes_on_gpu;
    /* Iterations begin at a moment of the global clock, unless another --start is given. */
    bool starts_by_clock;
    /* A row's time is that in which all its data moved.  If not, no bound on rates holds for it. */
    bool times_transfer;
};

/* Which fields of the JSON document. */
enum recorded_part {
    RECORDED_METHOD, /* how is measured */
    RECORDED_ROW,    /* those of a row */
    RECORDED_HEAD    /* of all rows, after the last */
};

struct recorded {
    enum recorded_part part;
    const struct result *result; /* of a row; else NULL */
    bool raw;                    /* all of its samples are wanted */
    const struct rows *rows;     /* of the head; else NULL */
};

struct family {
    const char *name; /* its folder */

    /* --- Options: without MPI -------------------------------------------- */

    /* Rows in addition to the core's; ends with a NULL name.  They write into
       a copy of defaults, of so many bytes: settings->family. */
    const struct option_row *options;
    const void *defaults;
    size_t settings;

    /* Command lines in help: options without which a program does not run on one
       node, or long, and the fewest ranks that the defaults need. */
    struct {
        const char *options;
        int ranks;
    } example;

    /* Change what differs in the plan.  Also asked with the defaults, before the command
       line is read. */
    void (*plan)(const struct bench *b, const struct settings *s, struct plan *plan);

    /* Refuse what cannot be done (base/messages.h).  Asked with more known each time, c->known;
       where that is an operation, its rows alone are left out.  Collective from the nodes on. */
    void (*refuse)(const struct context *c, struct refusal *r);

    /* Why there is no such row: the end of a sentence; row_unasked; NULL: there is one.  It has
       its type, size, operation and value of the parameter; of c->world only the size is known. */
    const char *(*lacks_row)(const struct context *c, const struct row *row);

    /* --- State ------------------------------------------------------------ */

    size_t state; /* bytes of it, zeroed: run->family */

    /* What the command line and the number of ranks say of this rank: partners
       and blocks.  No MPI is called; --dry-run asks for several ranks. */
    void (*describe)(const struct context *c);

    /* What the command line does not tell: neighbours from a file, nodes; and whose paths
       are meant, c->talk.  Called once, before the ranks are placed.  Collective; EXIT_OK,
       or the code to leave with, said why, alike on all ranks.  end follows in any case. */
    enum exit_code (*begin)(const struct context *c);

    /* Add what the family needs on this rank itself (buffers_add), for buffers and rows
       of those bytes.  Its buffers are there before ready, and go after end. */
    void (*memory)(const struct context *c, struct buffers *b);

    /* When the buffers are there: allocate the rest, make windows, connect. Collective; EXIT_OK,
       or the code to leave with, said why, alike on all ranks. */
    enum exit_code (*ready)(const struct context *c, const struct buffers *b);

    /* Undo all of it.  Collective. */
    void (*end)(const struct context *c);

    /* --- A row --------------------------------------------------------------- */

    /* Prepare for the row that run describes: run->send and run->recv may be
       given other memory here. */
    void (*row)(const struct context *c);

    /* A batch has ended, and another may begin.  Forget what iterations noted before that
       batch, and what they noted in it: warm-up and disturbed batches do not count. */
    void (*forget)(struct bench_run *r, bool before, bool batch);

    /* Measure in other than one pass, and what is to be made of it: calls measure_pass
       (run/measure.h).  Collective. */
    void (*measure)(struct measure *m, struct result *result);

    /* --- Output: on rank 0 --------------------------------------------------- */

    /* Lines after the last row.  EXIT_OK, or the code to leave with where what they say is a
       failure, said why. */
    enum exit_code (*print)(FILE *to, const struct context *c, const struct rows *rows);

    /* Its fields of the JSON document. */
    void (*record)(const struct context *c, const struct recorded *what, struct fields *to);

    /* --- In place of rows ------------------------------------------------------ */

    /* The whole of what the program measures.  Collective; the code to leave with.  With
       --dry-run m is NULL: say what would be measured.  It is asked if the program has a loop. */
    enum exit_code (*run)(const struct context *c, struct measure *m);
};

/* The function name() gives what a family has there, with its type: its state of a bench_run, or
   what options have set of its settings. */
#define FAMILY_OF(owner, type, name)                                                               \
    static inline type *name(const struct owner *o)                                                \
    {                                                                                              \
        return o->family;                                                                          \
    }

/* Options, and the values that they have until they are given. */
#define FAMILY_OPTIONS(rows, values)                                                               \
    .options = (rows), .defaults = &(values), .settings = sizeof(values)

#endif
