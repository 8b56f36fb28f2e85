/* SPDX-License-Identifier: BSD-3-Clause */
#include "command_line.h"

#include <stdio.h>

#include "base/simulation.h"
#include "data/datatype.h"
#include "gpu/gpu.h"
#include "job/launch.h"
#include "job/world.h"
#include "machine/counters.h"
#include "options/help.h"
#include "options/settings_rows.h"

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
    "other: H the host's (default), HH all of it in huge pages; with a GPU D on "
    "the device, MD managed and used last by it, MH by the host, HP the "
    "host's, pinned. A build without GPU support takes these for H, and says "
    "so.";

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

/* -d says it for both where there are no two sides; D and the like say it too. */
static void settle_places(const struct bench *b, struct settings *s)
{
    if (bench_has_sides(b)) {
        if (settings_device_words(s) && s->device == DEVICE_HOST &&
            gpu_runtime() != NULL)
            s->device = DEVICE_CUDA;
    } else if (bench_is_sized(b) && b->flow->sides == SIDES_NONE &&
               s->device != DEVICE_HOST)
        s->place[0] = s->place[1] =
            s->device == DEVICE_MANAGED ? PLACE_MANAGED_DEVICE : PLACE_DEVICE;
}

/* The types of the rows: those named, or the program's. */
static void settle_types(const struct bench *b, struct settings *s)
{
    if (s->ntypes == 0)
        s->types[s->ntypes++] = b->takes & TAKES_INTEGER_TYPE ? ELEMENT_INT
                                : b->flow->sum                ? ELEMENT_FLOAT
                                                              : ELEMENT_CHAR;
    for (int i = 0; i < s->ntypes; i++)
        s->types[i] = datatype_effective(s->types[i], b->flow->sum);
}

/* Options that exclude each other, or that the program cannot follow; NULL if
   all goes together. */
static const char *conflict_of(const struct bench *b, const struct settings *s)
{
    const struct family *family = b->family;
    const bool huge = s->place[0] == PLACE_HUGE || s->place[1] == PLACE_HUGE;
    const char *conflict = NULL;

    if (b->loop & BINDS_BUFFERS && (s->use != BUFFERS_REUSE || s->touch))
        return "--buffers and --touch do not go with an operation that is "
               "bound to its buffers before it runs";
    if (b->loop & BINDS_BUFFERS && s->root == ROOT_ROTATES)
        return "-k rotate does not go with a request: it is bound to its root";
    if (b->loop & POSTS_AHEAD && s->touch)
        return "--touch does not go with receives that are posted before what "
               "they receive into was read";
    if (huge && !bench_has_sides(b))
        return "HH goes with programs of two sides only";
    if (huge && s->nwords < 2)
        return "HH goes with a word for each side: SRC DST";
    if (family != NULL && family->conflict != NULL)
        conflict = family->conflict(b, s);
    return conflict != NULL ? conflict : settings_conflict(s);
}

bool command_line_read(const struct bench *b, int argc, char **argv,
                       struct settings *s, enum exit_code *code)
{
    const char *const program = b->name;
    char about[1000], why[400], sizes[48];
    const bool small = b->sizes.max < MiB;
    const char *conflict;
    int event = 0;

    snprintf(about, sizeof about, "%s\n\nSample: %s.\nPrinted: %s.%s", b->about,
             b->report->sample, b->report->printed,
             bench_has_sides(b) ? sides : "");
    snprintf(sizes, sizeof sizes, "%zu:%zu%c", b->sizes.min,
             b->sizes.max / (small ? KiB : MiB), small ? 'K' : 'M');
    *code = EXIT_OK;
    *s = settings_default(&b->sizes, &b->parameter, b->family);
    if (s->rows == NULL)
        world_no_memory("options");
    const struct option_set set = {
        .program = program,
        .about = about,
        .words = bench_has_sides(b) ? "[SRC DST]" : NULL,
        .notes = notes,
        .rows = s->rows,
        .groups = settings_groups,
        .takes = bench_takes(b),
        .own_key = 'm',
        .own_fallback = sizes,
        .family = s->family,
        .ignored = settings_ignored,
        .word = settings_word,
    };
    s->started_as = argc > 0 ? argv[0] : program;
    switch (option_parse(&set, argc, argv, s, &event, why, sizeof why)) {
    case OPTION_STOP:
        if (launch_rank() == 0)
            print_event(&set, b, event);
        return false;
    case OPTION_PROCEED:
        settle_places(b, s);
        conflict = conflict_of(b, s);
        settle_types(b, s);
        if (conflict == NULL)
            return true;
        snprintf(why, sizeof why, "%s", conflict);
        /* fall through */
    case OPTION_REFUSED:
        *code = messages[E12_USAGE].code;
        if (launch_rank() == 0)
            message_print(E12_USAGE, program, "%s", why);
    }
    return false;
}

/* What this MPI library has not, of what is needed; NULL: nothing. */
static const char *lacks(const struct bench *b, const struct settings *s)
{
    if (b->needs == NEEDS_PERSISTENT_COLLECTIVES &&
        FEATURE_PERSISTENT_COLLECTIVES == NULL)
        return "this MPI library has no persistent collectives (MPI-4 "
               "MPI_Allreduce_init, or the extension MPIX_Allreduce_init)";
    if (b->needs == NEEDS_PARTITIONED && FEATURE_PARTITIONED == NULL)
        return "this MPI library has no partitioned communication (MPI-4 "
               "MPI_Psend_init)";
    if (b->needs == NEEDS_PROCESSES && SIMULATED)
        return "this MPI library has no processes of their own for its ranks";
    if (s->session && !FEATURE_SESSIONS)
        return "-I: this MPI library has no sessions (MPI-4 MPI_Session_init)";
    return NULL;
}

/* Why the GPU that was asked for cannot be used; NULL: it can, or none was. */
static const char *gpu_lacks(const struct bench *b, const struct settings *s)
{
    const bool other = s->device == DEVICE_OPENACC || s->device == DEVICE_ROCM;

    if (s->device != DEVICE_HOST && gpu_runtime() == NULL)
        return "-d: this build has no GPU support";
    if (other)
        return "-d: this build has GPU support by CUDA only";
    if (gpu_runtime() == NULL && bench_computes_on_gpu(b, s))
        return "-r: this build has no GPU support";
    return NULL;
}

/* The first rank says it. */
static enum exit_code refuse(const struct bench *b, enum message_id id,
                             const char *why)
{
    if (launch_rank() == 0)
        message_print(id, b->name, "%s", why);
    return messages[id].code;
}

static void warn_ignored(const struct bench *b, const struct settings *s)
{
    for (int i = 0; i < s->nignored; i++)
        message_print(W05_HOST_MEASURED, b->name, "-%c: %s", s->ignored[i]->key,
                      s->ignored[i]->why_ignored);
}

enum exit_code command_line_check(const struct bench *b,
                                  const struct settings *s)
{
    const char *missing = b->family != NULL && b->family->missing != NULL
                              ? b->family->missing(b)
                              : NULL;
    char why[200];

    if (gpu_lacks(b, s) != NULL)
        return refuse(b, E05_NO_GPU_SUPPORT, gpu_lacks(b, s));
    if (lacks(b, s) != NULL)
        return refuse(b, E18_MPI_LACKS, lacks(b, s));
    if (missing != NULL) {
        snprintf(why, sizeof why, "this build has no %s", missing);
        return refuse(b, E29_LIBRARY, why);
    }
    if (s->nevents > 0 && !counters_are_built())
        return refuse(b, E26_CANNOT_COUNT, "-P: this build has no PAPI");
    if (launch_rank() == 0)
        warn_ignored(b, s);
    if (settings_device_words(s) && gpu_runtime() == NULL && launch_rank() == 0)
        message_print(W05_HOST_MEASURED, b->name,
                      "this build has no GPU support: D, M, MD and MH are "
                      "taken for H, and host memory is measured");
    return EXIT_OK;
}

void command_line_warn(const struct bench *b, const struct settings *s)
{
    if (s->device != DEVICE_HOST && bench_has_sides(b) &&
        !settings_device_words(s))
        message_print(W05_HOST_MEASURED, b->name,
                      "-d is given, but both buffers are in host memory; for "
                      "device memory add D D");
}

/* What does not go with so many ranks, though programs run on as many: why[]
   says so, "" if all does. */
static enum message_id misfit(const struct bench *b, const struct settings *s,
                              int ranks, char *why, size_t room)
{
    long value[PARAMETER_MAX];
    enum message_id id = E12_USAGE;

    why[0] = '\0';
    if (s->root >= ranks)
        snprintf(why, room, "-k fixed:%d needs more than %d ranks", s->root,
                 ranks);
    else if (s->pairs > ranks / 2)
        snprintf(why, room, "-p %d needs %d ranks; started: %d", s->pairs,
                 2 * s->pairs, ranks);
    else if (b->family != NULL && b->family->misfit != NULL)
        id = b->family->misfit(b, s, ranks, why, room);
    if (why[0] == '\0')
        parameter_values(bench_parameter(b, s), s, ranks, value, why, room);
    return id;
}

/* The program itself cannot run on so many ranks. */
static enum exit_code refuse_ranks(const struct bench *b,
                                   const struct settings *s, int ranks,
                                   bool speaks)
{
    const int min = b->ranks.min, max = b->ranks.max;
    const bool many = max > 0 && ranks > max;
    char needs[64], example[600];

    launch_example(example, sizeof example,
                   ranks < min ? min
                   : many      ? max
                               : ranks + 1,
                   s->started_as);
    snprintf(needs, sizeof needs, "%s%d",
             max == min ? "exactly "
             : many     ? "at most "
                        : "at least ",
             many ? max : min);
    if (speaks)
        message_print(E02_WRONG_RANKS, b->name,
                      "needs %s ranks; started: %d. For example: %s",
                      b->ranks.even ? "an even number of" : needs, ranks,
                      example);
    return messages[E02_WRONG_RANKS].code;
}

enum exit_code command_line_check_ranks(const struct bench *b,
                                        const struct settings *s, int ranks,
                                        bool speaks)
{
    const bool odd = b->ranks.even && ranks % 2 != 0;
    enum message_id wrong;
    char why[1500];

    if (ranks < b->ranks.min || (b->ranks.max > 0 && ranks > b->ranks.max) ||
        odd)
        return refuse_ranks(b, s, ranks, speaks);
    wrong = misfit(b, s, ranks, why, sizeof why);
    if (why[0] == '\0')
        return EXIT_OK;
    if (speaks)
        message_print(wrong, b->name, "%s", why);
    return messages[wrong].code;
}
