/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <stdio.h>
#include <string.h>

#include "base/simulation.h"
#include "commit.h"
#include "job/launch.h"
#include "job/world.h"
#include "memory/gpu.h"

#define WITHOUT_GPU                                                                                \
    "Without -d, and without a GPU or GPU support, all words but HH mean H (W05); "                \
    "words that differ are refused (E05)."

static const char notes[] = "Exit codes: 0 success, 1 usage, 2 run-time failure, 3 wrong data, 77 "
                            "cannot run\nhere. " BUILD_COMMAND " explain E15 explains message E15.";

/* --- Help ------------------------------------------------------------------ */

/* The fewest ranks of examples; more than one where that is possible. */
static int example_ranks(const struct bench *b)
{
    const int fewest = bench_family(b)->example.ranks;

    return fewest > b->ranks.min ? fewest : b->ranks.min > 1 ? b->ranks.min : 2;
}

/* Three command lines that work on one node, whatever the program takes. */
static void make_examples(const struct bench *b, const char *file,
                          char text[OPTION_EXAMPLES][EXAMPLE_ROOM])
{
    const char *const needed = bench_family(b)->example.options;
    const char *const options[OPTION_EXAMPLES] = {
        "",
        b->takes & TAKES_SIZES        ? " -m 8:64K --csv=out.csv"
        : b->takes & TAKES_ITERATIONS ? " -i 1000 -x 100 --csv=out.csv"
                                      : " --expect=nodes=1",
        b->takes & TAKES_ITERATIONS ? " --columns=median,stddev" : " --json=out.json",
    };

    char word[LAUNCH_WORD];

    for (int i = 0; i < OPTION_EXAMPLES; i++)
        snprintf(text[i], sizeof text[i], "%s%s -n %d %s%s%s%s", launch_name(), launch_root(),
                 example_ranks(b), launch_word(file, word), needed != NULL ? " " : "",
                 needed != NULL ? needed : "", options[i]);
}

/* "exactly 2", "an even number" */
static const char *needed_ranks(const struct bench *b, bool at_most, char text[32])
{
    snprintf(text, 32, "%s%d",
             b->ranks.max == b->ranks.min ? "exactly "
             : at_most                    ? "at most "
                                          : "at least ",
             at_most ? b->ranks.max : b->ranks.min);
    return b->ranks.even ? "an even number" : text;
}

static void print_event(const struct bench *b, const struct settings *s, int event)
{
    char usage[120], details[1600], ranks[32], n[12] = "N", more[800] = "";
    const int fewest = bench_family(b)->example.ranks;
    char examples[OPTION_EXAMPLES][EXAMPLE_ROOM], needs[32] = "";

    if (b->ranks.max == b->ranks.min)
        snprintf(n, sizeof n, "%d", b->ranks.max);
    snprintf(usage, sizeof usage, "%s -n %s %s", launch_name(), n, b->name);
    if (b->report->more_help != NULL)
        b->report->more_help(b, more, sizeof more);
    if (fewest > b->ranks.min)
        snprintf(needs, sizeof needs, "; %d without options", fewest);
    snprintf(details, sizeof details, "Sample: %s.\nPrinted: %s.\n%sRanks: %s%s.",
             b->report->sample, b->report->printed, more, needed_ranks(b, false, ranks), needs);
    make_examples(b, s->started_as, examples);
    const struct option_help help = {
        .about = b->about,
        .details = details,
        .usage = usage,
        .examples = examples,
        .sides = !bench_has_sides(b, s) ? NULL
                 : b->report->one_sided
                     ? "buffer locations, as H H (default) or D D; SRC is the "
                       "origin, DST the target. " WITHOUT_GPU
                     : "buffer locations, as H H (default) or D D; SRC is the rank "
                       "that sends first, DST the other. " WITHOUT_GPU,
        .notes = notes,
    };

    if (event != EVENT_VERSION)
        option_print_help(s, &help, event == EVENT_HELP, stdout);
    else
        printf("%s (Alidade) " BUILD_VERSION "; " BUILD_GPUS
               "; prints tables in the format of the OSU Micro-Benchmarks 7.4; "
               "not affiliated with OSU; report bugs to " BUILD_ADDRESS "\n",
               b->name);
}

/* --- What was asked for ---------------------------------------------------- */

/* Where all ranks do the same -d decides, as in OMB, or else the words; no GPU where
   there are no messages.  Words mean host memory without a GPU: OMB's scripts give D D. */
static void resolve_memory(const struct bench *b, struct settings *s)
{
    const bool alike = b->flow->sides == SIDES_NONE, sized = bench_is_sized(b);
    enum memory_type memory = sized ? MEMORY_DEVICE : MEMORY_HOST;
    const struct gpu_runtime *gpu;

    if (sized && s->device == DEVICE_MANAGED)
        memory = MEMORY_MANAGED_DEVICE;
    if (alike && (!sized || s->device != DEVICE_HOST)) {
        if (s->nwords > 0 && s->memory[0] != memory)
            s->idle = choice_word(settings_memory_words, (int)s->memory[0]);
        s->memory[0] = s->memory[1] = memory;
    }
    if (s->device != DEVICE_HOST || settings_device_words(s))
        gpu_choose(s->device);
    gpu = gpu_runtime();
    if ((bench_has_sides(b, s) || alike) && settings_device_words(s) && s->device == DEVICE_HOST) {
        /* Words that differ ask for two memories: none can stand for both. */
        s->host_instead = (gpu == NULL || gpu->count() == 0) && s->memory[0] == s->memory[1];
        if (s->host_instead)
            s->memory[0] = s->memory[1] = MEMORY_HOST;
        else
            s->device = gpu != NULL ? gpu->device : DEVICE_CUDA;
    }
    if (gpu != NULL && s->device == DEVICE_MANAGED && bench_has_sides(b, s))
        s->device = gpu->device;
}

/* The types of the rows: those named, or the program's, or OMB's where an element of it is
   longer than all sizes.  MPI permits no sum of characters (MPI 4.0, section 6.9.2): signed
   ones are summed. */
static void resolve_types(const struct bench *b, struct settings *s)
{
    const bool shorter = s->sizes.max > 0 && s->sizes.max < element_size(bench_element(b));

    if (s->ntypes == 0)
        s->types[s->ntypes++] = settings_as_omb(s) || shorter ? b->element : bench_element(b);
    for (int i = 0; i < s->ntypes; i++)
        if (b->flow->sum && s->types[i] == ELEMENT_CHAR)
            s->types[i] = ELEMENT_SIGNED_CHAR;
}

/* What --protocol and fixed counts mean for options that were not given. */
static void resolve_protocol(const struct bench *b, struct settings *s)
{
    if (s->slots == SLOTS_AUTO && b->takes & TAKES_BUFFERS && settings_as_omb(s))
        s->slots = SLOTS_SINGLE;
    if (s->start == START_UNSET)
        s->start = settings_as_omb(s) ? START_LIBRARY : START_DISSEMINATION;
    if (settings_as_omb(s) && s->clock == CLOCK_AUTO)
        s->clock = CLOCK_MPI;
}

/* Options that exclude each other. */
static void refuse_conflicts(const struct settings *s, struct refusal *r)
{
    const char *const why = s->check && !settings_verifies(s)
                                ? "-c and --verify=0 (--no-verify) exclude each other"
                            : s->vary_window && settings_named(s, "window-size")
                                ? "-V and -W exclude each other: -V sets the windows"
                            : s->vary_window && s->order != ORDER_UP
                                ? "-V excludes --order: it prints a line for each size"
                                : NULL;

    if (why != NULL)
        refusal_because(r, E12_USAGE, "%s", why);
    for (int i = 0; watch_options[i] != NULL; i++) {
        const char *const other =
            watch_options[i]->conflict != NULL ? watch_options[i]->conflict(s) : NULL;

        if (other != NULL)
            refusal_because(r, E12_USAGE, "%s", other);
    }
}

/* The words SRC DST. */
static void refuse_words(const struct bench *b, const struct settings *s, struct refusal *r)
{
    if (s->nwords == 1)
        refusal_because(r, E12_USAGE, "SRC and DST are both needed, for example D D");
    if (!bench_has_sides(b, s) && (s->memory[0] != s->memory[1] || s->memory[0] == MEMORY_HUGE))
        refusal_because(r, E12_USAGE,
                        "all buffers of this program have one memory type, and not HH: "
                        "SRC and DST must be alike, or left out");
}

/* Options that exclude each other, or that the program cannot follow. */
static void refuse_options(const struct bench *b, const struct settings *s, struct refusal *r)
{
    const struct context c = { .bench = b, .settings = s, .known = KNOWN_OPTIONS };

    if (bench_plan(b, s).send_memory != NULL && settings_device_words(s))
        refusal_because(r, E12_USAGE, "only host memory is possible: this program measures no GPU");
    if (s->pairs > 0 && s->pairing.kind == PAIRING_LIST)
        refusal_because(r, E12_USAGE, "-p and a list of --pairs exclude each other");
    bench_refuse(&c, r);
    refuse_conflicts(s, r);
}

bool command_line_read(const struct bench *b, int argc, char **argv, struct settings *s,
                       enum exit_code *code)
{
    struct refusal refusal = { .why = "" };
    int event;

    *code = EXIT_OK;
    message_program = b->name;
    settings_begin(s, b);
    if (s->rows == NULL)
        world_no_memory("options");
    report_column_words(b, s->column_words);
    s->started_as = argc > 0 ? argv[0] : b->name;
    event = option_parse(s, argc, argv, &refusal);
    if (event != 0) {
        if (launch_rank() == 0)
            print_event(b, s, event);
        return false;
    }
    if (refusal.why[0] == '\0') {
        refuse_words(b, s, &refusal);
        resolve_memory(b, s);
        resolve_protocol(b, s);
        resolve_types(b, s);
        refuse_options(b, s, &refusal);
    }
    *code = refusal_print(&refusal, launch_rank() == 0);
    return *code == EXIT_OK;
}

/* What was asked for and has no effect. */
static void warn(const struct bench *b, const struct settings *s)
{
    settings_warn(s);
    if (s->stray[0] != '\0')
        message_print(W36_NO_EFFECT,
                      "no effect without an option: %s; iterations are set "
                      "with -i N, sizes with -m MIN:MAX",
                      s->stray);
    if (s->idle != NULL)
        message_print(W36_NO_EFFECT, "%s %s has no effect: the buffers are of type %s", s->idle,
                      s->idle, choice_word(settings_memory_words, (int)s->memory[0]));
    if (s->host_instead)
        message_print(W05_HOST_MEASURED,
                      "%s: D, F, M, MD, MH and HP are taken for H, and host memory is "
                      "measured",
                      gpu_runtime() == NULL ? "this build has no GPU support" : "no GPU is seen");
    if (s->device != DEVICE_HOST && bench_has_sides(b, s) && !settings_device_words(s) &&
        gpu_runtime()->count() > 0)
        message_print(W05_HOST_MEASURED, "-d is given, but both buffers are in host memory; for "
                                         "device memory add D D");
}

/* The ABI of MPI 5 has every function of MPI 4; what stands behind it may be older. */
static bool is_below_mpi4(void)
{
    int version = 4, minor;

    if (strcmp(BUILD_MPI, "abi") == 0)
        PMPI_Get_version(&version, &minor);
    return version < 4;
}

enum exit_code command_line_check(const struct bench *b, const struct settings *s)
{
    const bool gpu = gpu_runtime() != NULL, older = is_below_mpi4();
    const struct {
        bool so;
        enum message_id id;
        const char *why;
    } lacks[] = {
        { s->device != DEVICE_HOST && !gpu, E05_NO_GPU_SUPPORT,
          "-d or SRC DST: this build has no GPU support" },
        { gpu && s->device != gpu_runtime()->device && s->device != DEVICE_HOST &&
              s->device != DEVICE_MANAGED,
          E05_NO_GPU_SUPPORT,
          "-d: this build is " BUILD_GPUS " only; for both configure --with-cuda --with-hip" },
        { settings_on_gpu(s) && s->device == DEVICE_CUDA &&
              (s->memory[0] == MEMORY_FINE || s->memory[1] == MEMORY_FINE),
          E32_NO_SUCH_MEMORY, "F is memory of AMD GPUs only; use D" },
        { !gpu && bench_plan(b, s).computes_on_gpu, E05_NO_GPU_SUPPORT,
          "-r, --compute: this build has no GPU support" },
        { b->needs == NEEDS_PERSISTENT_COLLECTIVES &&
              (FEATURE_PERSISTENT_COLLECTIVES == NULL || older),
          E18_MPI_LACKS,
          "this MPI library has no persistent collectives (MPI-4 "
          "MPI_Allreduce_init, or the extension MPIX_Allreduce_init)" },
        { b->needs == NEEDS_PARTITIONED && (FEATURE_PARTITIONED == NULL || older), E18_MPI_LACKS,
          "this MPI library has no partitioned communication (MPI-4 "
          "MPI_Psend_init)" },
        { b->needs == NEEDS_PROCESSES && SIMULATED, E18_MPI_LACKS,
          "this MPI library has no processes of their own for its ranks" },
        { s->session && (!FEATURE_SESSIONS || older), E18_MPI_LACKS,
          "-I: this MPI library has no sessions (MPI-4 MPI_Session_init)" },
    };
    struct refusal refusal = { .why = "" };

    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (lacks[i].so)
            refusal_because(&refusal, lacks[i].id, "%s", lacks[i].why);
    if (refusal.why[0] != '\0')
        return refusal_print(&refusal, launch_rank() == 0);
    if (launch_rank() == 0)
        warn(b, s);
    return EXIT_OK;
}

/* What does not go with so many ranks, though programs run on as many. */
static void refuse_settings(const struct bench *b, const struct settings *s, int ranks,
                            struct refusal *r)
{
    const struct world world = { .size = ranks };
    const struct context c = { .bench = b, .settings = s, .known = KNOWN_RANKS, .world = &world };
    long value[PARAMETER_MAX];
    char why[1000] = "";

    if (s->root >= ranks)
        refusal_because(r, E12_USAGE, "-k fixed:%d needs at least %d ranks; started: %d (0 to %d)",
                        s->root, s->root + 1, ranks, ranks - 1);
    if (s->pairs > ranks / 2)
        refusal_because(r, E12_USAGE, "-p %d needs %d ranks; started: %d", s->pairs, 2 * s->pairs,
                        ranks);
    if (s->pairing.last >= ranks)
        refusal_because(r, E12_USAGE, "--pairs names rank %d; started: %d", s->pairing.last, ranks);
    if (s->pairing.n > 0 && s->pairing.n < ranks / 2 && b->loop & BINDS_BUFFERS)
        refusal_because(r, E12_USAGE,
                        "--pairs must name all ranks of one-sided programs; "
                        "pairs=%d; started: %d",
                        s->pairing.n, ranks);
    bench_refuse(&c, r);
    parameter_values(bench_plan(b, s).parameter, s, ranks, value, why, sizeof why);
    if (why[0] != '\0')
        refusal_because(r, E12_USAGE, "%s", why);
}

/* The program itself cannot run on so many ranks. */
static enum exit_code refuse_ranks(const struct bench *b, const struct settings *s, int ranks,
                                   bool speaks)
{
    const int min = b->ranks.min, max = b->ranks.max;
    const bool many = max > 0 && ranks > max;
    char needs[32], example[600];

    launch_example(example, sizeof example,
                   ranks < min ? min
                   : many      ? max
                               : ranks + 1,
                   s->started_as);
    if (!speaks)
        return messages[E02_WRONG_RANKS].code;
    message_print(E02_WRONG_RANKS, "needs %s%s ranks; started: %d. For example: %s",
                  needed_ranks(b, many, needs), b->ranks.even ? " of" : "", ranks, example);
    /* OMB's words, which scripts look for. */
    if (min == 2 && (max == 2 || ranks < min) && message_kept == NULL)
        fprintf(stderr, "This test requires %s two processes\n", max == 2 ? "exactly" : "at least");
    return messages[E02_WRONG_RANKS].code;
}

enum exit_code command_line_check_ranks(const struct bench *b, const struct settings *s, int ranks,
                                        bool speaks)
{
    const bool odd = b->ranks.even && ranks % 2 != 0;
    struct refusal refusal = { .why = "" };

    if (ranks < b->ranks.min || (b->ranks.max > 0 && ranks > b->ranks.max) || odd)
        return refuse_ranks(b, s, ranks, speaks);
    refuse_settings(b, s, ranks, &refusal);
    return refusal_print(&refusal, speaks);
}
