/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "base/simulation.h"
#include "commit.h"
#include "data/gpu.h"

#define WITHOUT_GPU                                                                                \
    "Without -d, and without a GPU or GPU support, all words but HH mean H (W05); "                \
    "words that differ are refused (E05), but H and HH."

static const char notes[] = "Exit codes: 0 success, 1 usage, 2 run-time failure, 3 wrong data, 77 "
                            "cannot run\nhere. " BUILD_COMMAND " explain E15 explains message E15.";

/* --- Help: rows of options, and what stands around them ---------------------- */

enum {
    TEXT_COLUMN = 29,  /* of what an option does, in the long help */
    SHORT_COLUMN = 33, /* and in the short one */
    WIDTH = 79
};

static const char IDLE[] = "accepted for compatibility with OMB; ignored";

/* Text that breaks at blanks, from column on, further lines indented. */
static void fill(const char *text, int column, int indent)
{
    bool first = true;

    while (*text != '\0') {
        const int word = (int)strcspn(text, " \n");

        if (word == 0) {
            first |= *text == '\n';
            if (*text++ == '\n')
                column = printf("\n%*s", *text == '\n' ? 0 : indent, "") - 1;
            continue;
        }
        if (!first && column + 1 + word > WIDTH) {
            column = printf("\n%*s", indent, "") - 1;
            first = true;
        }
        column += printf("%s%.*s", first ? "" : " ", word, text);
        first = false;
        text += word;
    }
    putchar('\n');
}

/* "-i, --iterations=N" and blanks up to the column; where no two fit, a new line. */
static void print_name(const struct option_row *row, int column)
{
    int at = option_has_letter(row) ? printf("  -%c, ", row->key) : printf("%6s", "");

    at += printf("--%s", row->name);
    if (row->argument != NULL)
        at += printf(row->optional ? "[=%s]" : "=%s", row->argument);
    if (at + 2 > column)
        at = printf("\n") - 1;
    printf("%*s", column - at, "");
}

static void print_choices(const struct choice *choices, int indent)
{
    int width = 0;

    for (const struct choice *c = choices; c->word != NULL; c++)
        if (c->meaning != NULL && (int)strlen(c->word) > width)
            width = (int)strlen(c->word);
    for (const struct choice *c = choices; c->word != NULL; c++)
        if (c->meaning != NULL) {
            printf("%*s%-*s  ", indent, "", width, c->word);
            fill(c->meaning, indent + width + 2, indent + width + 2);
        }
}

/* The option's line of the short help. */
static void print_brief(const struct option_row *row)
{
    print_name(row, SHORT_COLUMN);
    printf("%.*s", (int)strcspn(row->help, ";"), row->help);
    if (row->fallback != NULL)
        printf(" [%s]", row->fallback);
    putchar('\n');
}

static void print_row(const struct option_row *row)
{
    const char *const fallback = row->fallback;
    char text[400];

    print_name(row, TEXT_COLUMN);
    if (row->idle) {
        fill(IDLE, TEXT_COLUMN, TEXT_COLUMN);
        return;
    }
    snprintf(text, sizeof text, "%s%s%s%s", row->help, fallback != NULL ? " (default: " : "",
             fallback != NULL ? fallback : "", fallback != NULL ? ")" : "");
    fill(text, TEXT_COLUMN, TEXT_COLUMN);
    if (row->choices != NULL)
        print_choices(row->choices, TEXT_COLUMN + 2);
}

/* The row of the group that follows, or the first of all for NULL; NULL: none.  What has
   no effect is in the last group. */
static const struct option_row *next_row(const struct settings *s, int group,
                                         const struct option_row *row)
{
    const bool last = settings_groups[group + 1] == NULL;

    for (row = row != NULL ? row + 1 : s->rows; row->name != NULL; row++)
        if ((row->group == group && row->taken) || (last && row->idle))
            return row;
    return NULL;
}

/* The fewest ranks of examples; more than one where that is possible. */
static int example_ranks(const struct bench *b)
{
    const int fewest = bench_family(b)->example.ranks;

    return fewest > b->ranks.min ? fewest : b->ranks.min > 1 ? b->ranks.min : 2;
}

/* Three command lines that work on one node, whatever the program takes. */
static void print_examples(const struct bench *b, const char *file)
{
    const char *const needed = bench_family(b)->example.options;
    const char *const options[] = {
        "",
        b->takes & TAKES_SIZES        ? " -m 8:64K --csv=out.csv"
        : b->takes & TAKES_ITERATIONS ? " -i 1000 -x 100 --csv=out.csv"
                                      : " --expect=nodes=1",
        b->takes & TAKES_ITERATIONS ? " --columns=median,stddev" : " --json=out.json",
    };
    char word[LAUNCH_WORD];

    fputs("\nExamples:\n", stdout);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        printf("  %s%s -n %d %s%s%s%s\n", launch_name(), launch_root(), example_ranks(b),
               launch_word(file, word), needed != NULL ? " " : "", needed != NULL ? needed : "",
               options[i]);
    putchar('\n');
}

/* "exactly 2", "3 to 4096", "an even number" */
static const char *needed_ranks(const struct bench *b, char text[32])
{
    if (b->ranks.max > b->ranks.min)
        snprintf(text, 32, "%d to %d", b->ranks.min, b->ranks.max);
    else
        snprintf(text, 32, "%s %d", b->ranks.max > 0 ? "exactly" : "at least", b->ranks.min);
    return b->ranks.even ? "an even number" : text;
}

/* What stands where words are allowed that are no options; NULL: the program takes none. */
static const char *sides_of(const struct bench *b, const struct settings *s)
{
    return !bench_has_sides(b, s) ? NULL
           : b->report->one_sided ? "buffer locations, as H H (default) or D D; SRC is the "
                                    "origin, DST the target. " WITHOUT_GPU
                                  : "buffer locations, as H H (default) or D D; SRC is the rank "
                                    "that sends first, DST the other. " WITHOUT_GPU;
}

/* -h: at most 35 lines. */
static void print_short(const struct settings *s, const char *sides)
{
    const struct option_row *row;

    fputs("Common options (--help shows all options and their values):\n", stdout);
    for (int g = 0; settings_groups[g] != NULL; g++)
        for (row = NULL; (row = next_row(s, g, row)) != NULL;)
            if (row->common && !row->idle)
                print_brief(row);
    if (sides != NULL)
        printf("  %-*s%.*s\n", SHORT_COLUMN - 2, "SRC DST", (int)strcspn(sides, ";"), sides);
}

/* What is measured. */
static void print_details(const struct bench *b)
{
    char details[1600], ranks[32], more[800] = "", needs[32] = "";
    const int fewest = bench_family(b)->example.ranks;

    if (b->report->more_help != NULL)
        b->report->more_help(b, more, sizeof more);
    if (fewest > b->ranks.min)
        snprintf(needs, sizeof needs, "; %d without options", fewest);
    snprintf(details, sizeof details, "Sample: %s.\nPrinted: %s.\n%sRanks: %s%s.",
             b->report->sample, b->report->printed, more, needed_ranks(b, ranks), needs);
    fill(details, 0, 0);
}

/* --help: all rows, in the order of their groups and the table, and the words that they take. */
static void print_long(const struct bench *b, const struct settings *s, const char *sides)
{
    print_details(b);
    if (sides != NULL) {
        const int column = printf("\nSRC DST: ") - 1;

        fill(sides, column, 0);
        print_choices(settings_memory_words, 6);
    }
    for (int g = 0; settings_groups[g] != NULL; g++) {
        const struct option_row *row = next_row(s, g, NULL);

        if (row != NULL)
            printf("\n%s\n", settings_groups[g]);
        for (; row != NULL; row = next_row(s, g, row))
            print_row(row);
    }
    printf("\n%s\n", notes);
}

static void print_event(const struct bench *b, const struct settings *s, int event)
{
    const char *const sides = sides_of(b, s);
    char n[12] = "N";

    if (event == EVENT_VERSION) {
        printf("%s (Alidade) " BUILD_VERSION "; " BUILD_GPUS
               "; prints tables in the format of the OSU Micro-Benchmarks 7.4; "
               "not affiliated with OSU; report bugs to " BUILD_ADDRESS "\n",
               b->name);
        return;
    }
    if (b->ranks.max == b->ranks.min)
        snprintf(n, sizeof n, "%d", b->ranks.max);
    printf("Usage: %s -n %s %s [OPTION...]%s\n%c%s.\n", launch_name(), n, b->name,
           sides != NULL ? " [SRC DST]" : "", toupper((unsigned char)b->about[0]), b->about + 1);
    print_examples(b, s->started_as);
    if (event == EVENT_HELP)
        print_long(b, s, sides);
    else
        print_short(s, sides);
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
        s->start = settings_as_omb(s)                 ? START_LIBRARY
                   : bench_plan(b, s).starts_by_clock ? START_CLOCK
                                                      : START_DISSEMINATION;
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
                        "all buffers of this program have one memory type, which cannot be HH: "
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
                      "%s: D, F, M, MD, MH and HP are taken for H, and host memory is measured",
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
          "this MPI library has no partitioned communication (MPI-4 MPI_Psend_init)" },
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
        refusal_because(r, E12_USAGE, "-k fixed:%d needs at least %d ranks; given: %d (0 to %d)",
                        s->root, s->root + 1, ranks, ranks - 1);
    if (s->pairs > ranks / 2)
        refusal_because(r, E12_USAGE, "-p %d needs %d ranks; given: %d", s->pairs, 2 * s->pairs,
                        ranks);
    if (s->pairing.last >= ranks)
        refusal_because(r, E12_USAGE, "--pairs names rank %d; given: %d", s->pairing.last, ranks);
    if (s->pairing.n > 0 && s->pairing.n < ranks / 2 && b->loop & BINDS_BUFFERS)
        refusal_because(r, E12_USAGE,
                        "--pairs must name all ranks of one-sided programs; pairs=%d; given: %d",
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
    message_print(E02_WRONG_RANKS, "needs %s%s ranks; given: %d. For example: %s",
                  needed_ranks(b, needs), b->ranks.even ? " of" : "", ranks, example);
    /* OMB's words, which scripts look for. */
    if (min == 2 && (max == 2 || ranks < min) && message_kept == NULL)
        fprintf(stderr, "This test requires %s two processes\n", max == 2 ? "exactly" : "at least");
    return messages[E02_WRONG_RANKS].code;
}

/* The file of --sizes=@FILE, if there is one. */
static enum exit_code read_sizes(struct settings *s, MPI_Comm comm, bool speaks)
{
    const char *const path = s->sizes.file, *why;
    char host[HOST_NAME_MAX + 1] = "", place[24] = "", *text;
    int line = 0;

    if (path == NULL || (comm == MPI_COMM_NULL && !speaks))
        return EXIT_OK;
    text = comm == MPI_COMM_NULL ? proc_text(path) : world_read_file(path, comm);
    why = text != NULL ? settings_take_sizes(text, &s->sizes, &line) : strerror(errno);
    free(text);
    if (why == NULL)
        return EXIT_OK;
    gethostname(host, sizeof host);
    if (line > 0)
        snprintf(place, sizeof place, "line %d ", line);
    if (speaks)
        message_print(E12_USAGE, "--sizes=@%.1000s: %s%s (read on host=%s;)", path, place, why,
                      host);
    return EXIT_USAGE;
}

enum exit_code command_line_check_ranks(const struct bench *b, struct settings *s, int ranks,
                                        MPI_Comm comm, bool speaks)
{
    const bool odd = b->ranks.even && ranks % 2 != 0;
    const enum exit_code code = read_sizes(s, comm, speaks);
    struct refusal refusal = { .why = "" };

    if (code != EXIT_OK)
        return code;
    if (ranks < b->ranks.min || (b->ranks.max > 0 && ranks > b->ranks.max) || odd)
        return refuse_ranks(b, s, ranks, speaks);
    refuse_settings(b, s, ranks, &refusal);
    return refusal_print(&refusal, speaks);
}
