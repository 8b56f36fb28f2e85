/* SPDX-License-Identifier: BSD-3-Clause */
#include "command_line.h"

#include <stdio.h>

#include "gpu/gpu.h"
#include "job/launch.h"
#include "data/datatype.h"

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
    "other: H the host's (default), HH all of it in huge pages; with a GPU D "
    "on the device, MD managed and used last by it, MH by the host, HP the "
    "host's, pinned. A build without GPU support takes "
    "these for H, and says so.";

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

/* Any that moves elements from buffer to buffer can move derived types, but one
   of them is not cut into partitions. */
static unsigned takes_of(const struct bench *b)
{
    const bool moves = b->takes & TAKES_TYPE &&
                       !(b->takes & TAKES_PARTITIONS) && b->flow != NULL &&
                       !b->flow->sum && b->flow->rma == FLOW_BUFFERS;

    return b->takes | (moves ? TAKES_DERIVED : 0);
}

/* -d says it for both where there are no two sides; D and the like say it too. */
static void settle_places(const struct bench *b, struct settings *s)
{
    const bool moves = b->takes & TAKES_CHECK && b->transport == NULL &&
                       b->application == NULL;

    if (bench_has_sides(b)) {
        if (settings_device_words(s) && s->device == DEVICE_HOST &&
            gpu_runtime() != NULL)
            s->device = DEVICE_CUDA;
    } else if (moves && s->device != DEVICE_HOST)
        s->place[0] = s->place[1] =
            s->device == DEVICE_MANAGED ? PLACE_MANAGED_DEVICE : PLACE_DEVICE;
}

/* The types of the rows: those named, or the program's. */
static void settle_types(const struct bench *b, struct settings *s)
{
    if (s->ntypes == 0)
        s->types[s->ntypes++] = b->takes & TAKES_WHOLE ? ELEMENT_INT
                                : b->flow->sum         ? ELEMENT_FLOAT
                                                       : ELEMENT_CHAR;
    for (int i = 0; i < s->ntypes; i++)
        s->types[i] = datatype_effective(s->types[i], b->flow->sum);
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
    const bool small = b->sizes.max < MiB;

    snprintf(sizes, sizeof sizes, "%zu:%zu%c", b->sizes.min,
             b->sizes.max / (small ? KiB : MiB), small ? 'K' : 'M');
    *s = settings_default(&b->sizes, b->takes);
    s->started_as = argc > 0 ? argv[0] : b->name;
    *code = EXIT_OK;
    switch (option_parse(&set, argc, argv, s, &event, why, sizeof why)) {
    case OPTION_STOP:
        if (launch_rank() == 0)
            print_event(&set, b, event);
        return false;
    case OPTION_PROCEED:
        settle_places(b, s);
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
