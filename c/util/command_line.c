/* SPDX-License-Identifier: BSD-3-Clause */
#include "command_line.h"

#include <stdio.h>

#include "application.h"
#include "counters.h"
#include "launch.h"
#include "simulation.h"
#include "transport.h"
#include "types.h"

static const char notes[] =
    "Without -i and -x every row is measured "
    "until it is precise or its budget is used; with either, OMB's fixed "
    "counts hold.\n\n"
    "Exit codes, the same on every rank: 0 done, 1 usage, 2 run-time failure "
    "(broken launch, MPI error, hang, empty table), 3 wrong data, 77 cannot "
    "run here (number of ranks, no GPU, MPI lacks it). doc/messages.md "
    "explains every message by its number.\n\n"
    "Alidade is not the OSU Micro-Benchmarks: \"OSU ... v7.4\" in the title "
    "names the format of the table, which many programs read.";

/* Of programs that have two. */
static const char sides[] =
    "\n\nSRC DST: memory of the side that sends first (of origins) and of the "
    "other: H the host's (default), HH all of it in huge pages, F a file's "
    "(--file-dir). D, M, MD and MH, of GPUs, are taken for H in this version, "
    "which says so.";

static void print_event(const struct option_set *set, const struct bench *b,
                        int event)
{
    switch (event) {
    case EVENT_HELP:
        option_print_help(set, stdout);
        break;
    case EVENT_MAN:
        option_print_man(set, PACKAGE_VERSION, stdout);
        break;
    case EVENT_LIST:
        settings_list(set, stdout);
        break;
    default:
        printf("%s (Alidade) %s, built for %s; output in the format of the "
               "OSU Micro-Benchmarks 7.4, whose suite this is not\n",
               b->name, PACKAGE_VERSION, BUILD_MPI);
    }
}

/* Any that moves elements from buffer to buffer can move derived types. */
static unsigned takes_of(const struct bench *b)
{
    const bool moves = b->takes & TAKES_TYPE && b->flow != NULL &&
                       !b->flow->sum && b->flow->rma == FLOW_BUFFERS;

    return b->takes | (moves ? TAKES_DERIVED : 0) |
           (bench_has_sides(b) ? TAKES_SIDES : 0);
}

/* The types of the rows: those named, or the program's. */
static void settle_types(const struct bench *b, struct settings *s)
{
    if (s->ntypes == 0)
        s->types[s->ntypes++] = b->takes & TAKES_WHOLE ? ELEMENT_INT
                                : b->flow->sum         ? ELEMENT_FLOAT
                                                       : ELEMENT_CHAR;
    for (int i = 0; i < s->ntypes; i++)
        s->types[i] = types_effective(s->types[i], b->flow->sum);
}

bool command_line_read(const struct bench *b, int argc, char **argv,
                       struct settings *s, enum exit_code *code)
{
    char about[1000], why[400], sizes[48];
    const struct option_set set = {
        .program = b->name,
        .about = about,
        .words = bench_has_sides(b) ? "[SRC DST]" : NULL,
        .notes = notes,
        .rows = settings_rows,
        .groups = settings_groups,
        .takes = takes_of(b),
        .own_key = 'm',
        .own_fallback = sizes,
        .word = settings_word,
    };
    const char *conflict;
    int event = 0;

    snprintf(about, sizeof about, "%s\n\nSample: %s.\nPrinted: %s.%s", b->about,
             b->report->sample, b->report->printed,
             bench_has_sides(b) ? sides : "");
    snprintf(sizes, sizeof sizes, "%zu:%zuM", b->sizes.min, b->sizes.max / MiB);
    *s = settings_default(&b->sizes, b->takes);
    *code = EXIT_OK;
    switch (option_parse(&set, argc, argv, s, &event, why, sizeof why)) {
    case OPTION_STOP:
        if (launch_rank() == 0)
            print_event(&set, b, event);
        return false;
    case OPTION_PROCEED:
        conflict = command_conflict(b, s);
        settle_types(b, s);
        if (conflict == NULL)
            return true;
        snprintf(why, sizeof why, "%s", conflict);
        /* fall through */
    case OPTION_REFUSED:
        *code = messages[E12_USAGE].code;
        if (launch_rank() == 0)
            message_print(E12_USAGE, b->name, "%s", why);
    }
    return false;
}

/* What this MPI library has not, of what is needed; NULL: nothing. */
static const char *lacks(enum needs needs)
{
    switch (needs) {
    case NEEDS_PERSISTENT_COLLECTIVES:
        return FEATURE_PERSISTENT_COLLECTIVES != NULL
                   ? NULL
                   : "persistent collectives (MPI-4 MPI_Allreduce_init, or the "
                     "extension MPIX_Allreduce_init)";
    case NEEDS_PARTITIONED:
        return FEATURE_PARTITIONED != NULL
                   ? NULL
                   : "partitioned communication (MPI-4 MPI_Psend_init)";
    case NEEDS_PROCESSES:
        return SIMULATED ? "processes of their own for its ranks" : NULL;
    case NEEDS_THREADS: /* known when MPI runs */
    case NEEDS_NOTHING:
        break;
    }
    return NULL;
}

/* The library that this build has not, of what is needed; NULL: none. */
static const char *missing(const struct bench *b)
{
    if (b->transport != NULL)
        return b->transport->missing;
    return b->application != NULL && b->application->is_built != NULL &&
                   !b->application->is_built()
               ? b->application->missing
               : NULL;
}

enum exit_code command_line_check(const struct bench *b,
                                  const struct settings *s)
{
    const bool speaks = launch_rank() == 0;

    if (s->device != DEVICE_HOST) {
        if (speaks)
            message_print(E05_NO_GPU_SUPPORT, b->name,
                          "-d: this build has no GPU support");
        return messages[E05_NO_GPU_SUPPORT].code;
    }
    if (s->target != 0) {
        if (speaks)
            message_print(E05_NO_GPU_SUPPORT, b->name,
                          "-r: this build has no GPU support");
        return messages[E05_NO_GPU_SUPPORT].code;
    }
    if (s->array > 0 && speaks)
        message_print(W05_HOST_MEASURED, b->name,
                      "-a: this build has no GPU support: the processor "
                      "computes, on an array of its own");
    if (lacks(b->needs) != NULL) {
        if (speaks)
            message_print(E18_MPI_LACKS, b->name, "this MPI library has no %s",
                          lacks(b->needs));
        return messages[E18_MPI_LACKS].code;
    }
    if (missing(b) != NULL) {
        if (speaks)
            message_print(E29_LIBRARY, b->name, "this build has no %s",
                          missing(b));
        return messages[E29_LIBRARY].code;
    }
    if (s->session && !FEATURE_SESSIONS) {
        if (speaks)
            message_print(E18_MPI_LACKS, b->name,
                          "-I: this MPI library has no sessions (MPI-4 "
                          "MPI_Session_init)");
        return messages[E18_MPI_LACKS].code;
    }
    if (s->nevents > 0 && !counters_are_built()) {
        if (speaks)
            message_print(E26_CANNOT_COUNT, b->name,
                          "-P: this build has no PAPI");
        return messages[E26_CANNOT_COUNT].code;
    }
    if (settings_device_words(s) && speaks)
        message_print(
            W05_HOST_MEASURED, b->name,
            "this build has no GPU support: D, M, MD and MH are taken "
            "for H, and host memory is measured");
    return EXIT_OK;
}

enum exit_code command_line_check_ranks(const struct bench *b,
                                        const struct settings *s, int ranks,
                                        bool speaks)
{
    const int min = b->ranks.min, max = b->ranks.max;
    const bool odd = b->ranks.even && ranks % 2 != 0;
    char needs[64], why[120] = "";
    long level[LEVELS_MAX];

    if (b->application != NULL && ranks >= min)
        return application_check_ranks(
            b->application, b->name,
            application_class(b->application, s->class), ranks, speaks);
    if (ranks >= min && (max == 0 || ranks <= max) && !odd) {
        if (s->root >= ranks)
            snprintf(why, sizeof why, "-k fixed:%d needs more than %d ranks",
                     s->root, ranks);
        else if (levels_choose(bench_levels(b, s), s, ranks, level, why,
                               sizeof why) > 0)
            return EXIT_OK;
        if (speaks)
            message_print(E12_USAGE, b->name, "%s", why);
        return messages[E12_USAGE].code;
    }
    snprintf(needs, sizeof needs, "%s%d", max == min ? "exactly " : "at least ",
             min);
    if (speaks)
        message_print(E02_WRONG_RANKS, b->name,
                      "needs %s ranks; started: %d. For example: %s -n %d %s",
                      b->ranks.even ? "an even number of" : needs, ranks,
                      launch_command(),
                      ranks < min              ? min
                      : max > 0 && ranks > max ? max
                                               : ranks + 1,
                      b->name);
    return messages[E02_WRONG_RANKS].code;
}
