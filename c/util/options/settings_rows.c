/* SPDX-License-Identifier: BSD-3-Clause */
/* Every option of every program: one row each. */
#include "settings_rows.h"

#include "bench.h"
#include "settings.h"
#include "settings_parse.h"

const char *const settings_groups[] = {
    [OPTIONS_DATA] = "Sizes and data:",
    [OPTIONS_TIME] = "How long to measure:",
    [OPTIONS_FLIGHT] = "Messages in flight:",
    [OPTIONS_SIDES] = "Threads and processes:",
    [OPTIONS_COLLECTIVE] = "Collectives:",
    [OPTIONS_RMA] = "One-sided:",
    [OPTIONS_OUTPUT] = "Output:",
    [OPTIONS_MEMORY] = "Memory:",
    [OPTIONS_RUN] = "Running:",
    [OPTIONS_COMPATIBLE] =
        "Accepted for compatibility with OMB, without effect:",
    NULL,
};

static const struct choice derived_words[] = {
    { "cont", 0, "contiguous" },
    { "vect:STRIDE:BLOCK", 0, "BLOCK elements of each STRIDE" },
    { "indx:FILE", 0, "the blocks listed in FILE" },
    { 0 },
};

static void record_root(struct fields to, const char *name, const void *s)
{
    const int root = ((const struct settings *)s)->root;

    if (root == ROOT_ROTATES)
        fields_text(to, name, "rotate");
    else
        fields_int(to, name, root);
}

/* --- Options that others leave without effect ------------------------------------ */

#define MOOT_IF_FIXED                                                          \
    .moot = settings_fixed, .moot_because = "-i, -x or --protocol=omb was given"
#define MOOT_IN_PLAN                                                           \
    .moot = is_plan, .moot_because = "--dry-run measures nothing"
#define MOOT_WITH_WINDOWS                                                      \
    .moot = shows_windows,                                                     \
    .moot_because = "the table of -V has other columns, and there is no "      \
                    "--json or --csv"

static bool always(const struct settings *s)
{
    return s != NULL;
}

static bool leaves_out(const struct settings *s)
{
    return s->disturbed == DISTURBED_LEFT_OUT && settings_fixed(s);
}

static bool has_list(const struct settings *s)
{
    return s->sizes.list != NULL || s->sizes.file != NULL;
}

static bool has_no_list(const struct settings *s)
{
    return !has_list(s);
}

static bool is_plan(const struct settings *s)
{
    return s->dry_run;
}

static bool shows_windows(const struct settings *s)
{
    return s->vary_window && s->json == NULL && s->csv == NULL;
}

/* --- Rows -------------------------------------------------------------------------- */

#define FIELD(name)        .offset = offsetof(struct settings, name)
#define TAKEN(bits, names) .takers = (bits), .programs = (names)
#define TIMED              TAKEN(TAKES_LAPS, "programs that time iterations")
#define MOVING             TAKEN(TAKES_SIZES, "programs with message sizes")
#define CHECKED            TAKEN(TAKES_CHECK, "programs that verify data")
#define VERIFIED           TAKEN(TAKES_VERIFY, "programs that verify data, barriers")

/* Some say more of a program that is known: settings_fit. */
const struct option_row settings_rows[] = {
    { 'm', "message-size", "[MIN:]MAX", .group = OPTIONS_DATA, MOVING,
      .common = true,
      .help = "message sizes in bytes, doubling; also MIN:, :MAX and "
              "MIN:MAX:FACTOR; suffixes K, M, G are powers of 1024, and "
              "2^20 is a power",
      .kind = OPTION_SPECIAL, .parse = parse_sizes, .moot = has_list,
      .moot_because = "--sizes lists the sizes" },
    { 0, "sizes", "SIZE[,SIZE...]|@FILE", .group = OPTIONS_DATA, MOVING,
      .help = "these sizes instead of -m; FILE lists them, and rank 0 "
              "reads it",
      .kind = OPTION_SPECIAL, .parse = parse_size_list, .moot = has_no_list,
      .moot_because = "-m follows it" },
    { 0, "order", "HOW", .group = OPTIONS_DATA, MOVING,
      .help = "order of the sizes", .fallback = "up", .kind = OPTION_SPECIAL,
      .choices = settings_order_words, .parse = parse_order },
    { 'T', "type", "TYPE[,TYPE...]", .group = OPTIONS_DATA,
      TAKEN(TAKES_TYPE | TAKES_INTEGER_TYPE, "programs that send elements"),
      .help = "element types; repeatable", .kind = OPTION_LIST,
      .choices = settings_type_words, .add = add_types },
    { 'D', "ddt", "KIND", .group = OPTIONS_DATA,
      TAKEN(TAKES_DERIVED, "programs that move data without reducing them"),
      .help = "derived datatype, as long as the message; FILE has lines of "
              "DISPLACEMENT,LENGTH in elements",
      .fallback = "none; vect: 8:4", .kind = OPTION_SPECIAL,
      .choices = derived_words, .parse = parse_derived, .json = "derived" },
    { 'c', "validation", "log[:DIR]", .optional = true, .group = OPTIONS_DATA,
      .common = true, CHECKED,
      .help = "print a Validation column; data are verified even without it, "
              "outside the timed iterations; -clog also writes errors to "
              "DIR/log-RANK.log; DIR must be new, and is validation_output if "
              "it is not given",
      .kind = OPTION_SPECIAL, .parse = parse_check },
    { 0, "verify", "N|all|soak:TIME", .group = OPTIONS_DATA, VERIFIED,
      .help = "verify this many iterations of each row, and go on after wrong "
              "data; all: -i or OMB's number; soak: as many as fit into TIME, "
              "shared by all rows",
      .fallback = "1; with -c all", .kind = OPTION_SPECIAL,
      .parse = parse_verify },
    { 0, "no-verify", NULL, .group = OPTIONS_DATA, VERIFIED,
      .help = "the same as --verify=0", .kind = OPTION_SPECIAL, .missing = "0",
      .parse = parse_verify },

    { 'i', "iterations", "N", .group = OPTIONS_TIME, .common = true, TIMED,
      .help = "timed iterations per row; without -x, OMB's warm-up precedes "
              "them; SIZE:N:N is for sizes up to SIZE and beyond; "
              "SIZE:N,SIZE:N,... is for more sizes, and the last N for all "
              "beyond",
      .fallback = "until precise", .kind = OPTION_COUNT, FIELD(laps), .min = 1,
      .max = 1e9 },
    { 'x', "warmup", "N", .group = OPTIONS_TIME, .common = true, TIMED,
      .help = "warm-up iterations per row; by size as in -i; without -i, OMB's "
              "number of timed iterations follows",
      .fallback = "until steady", .kind = OPTION_COUNT, FIELD(warmup),
      .max = 1e9 },
    { 0, "precision", "PERCENT", .group = OPTIONS_TIME, .common = true, TIMED,
      .help = "target for the 95% interval of the median; a row ends when "
              "the half-width is below PERCENT; below 1% --budget is 10s",
      .fallback = "1%", .kind = OPTION_PERCENT, FIELD(precision),
      MOOT_IF_FIXED },
    { 0, "budget", "TIME", .group = OPTIONS_TIME, .common = true, TIMED,
      .help = "end a row after this time; the first 20 iterations may take "
              "three times as long; by default 1,000 in 5ms are enough; "
              "suffixes us, ms, s, m, h",
      .fallback = "50ms", .kind = OPTION_SECONDS, FIELD(budget_s), .min = 1e-6,
      MOOT_IF_FIXED },
    { 0, "total", "TIME", .group = OPTIONS_TIME, TIMED,
      .help = "start no further row after this time; a line after the table "
              "names the rows left out",
      .fallback = "no limit", .kind = OPTION_SECONDS, FIELD(total_s),
      .min = 1e-6 },
    { 0, "disturbed", "HOW", .group = OPTIONS_TIME, TIMED,
      .help = "what becomes of a batch of iterations in which the kernel took "
              "the CPU from a rank",
      .fallback = "leave-out", .kind = OPTION_CHOICE, FIELD(disturbed),
      .choices = settings_disturbed_words, .moot = leaves_out,
      .moot_because = "-i, -x or --protocol=omb was given" },
    { 0, "protocol", "NAME", .group = OPTIONS_TIME, TIMED,
      .help = "way of measuring; omb continues old series: OMB's numbers of "
              "iterations and warm-ups, MPI_Barrier, MPI_Wtime, one receive "
              "buffer for a window, reductions of mpi_char",
      .fallback = "alidade", .kind = OPTION_CHOICE, FIELD(protocol),
      .choices = settings_protocol_words },
    { 0, "start", "HOW", .group = OPTIONS_TIME, TIMED,
      .help =
          "how ranks are synchronized: before each iteration in collectives, "
          "before each batch of iterations in programs of one pair",
      .fallback = "dissemination", .kind = OPTION_CHOICE, FIELD(start),
      .choices = settings_start_words },
    { 0, "clock", "KIND", .group = OPTIONS_TIME, TIMED,
      .help = "clock that times iterations", .fallback = "auto",
      .kind = OPTION_CHOICE, FIELD(clock), .choices = settings_clock_words,
      .json = "clock" },

    { 'W', "window-size", "N", .group = OPTIONS_FLIGHT, .common = true,
      TAKEN(TAKES_WINDOW, "programs for bandwidth"),
      .help = "messages in flight", .fallback = "64", .kind = OPTION_INT,
      FIELD(window), .min = 1, .max = 1 << 24 },
    { 'V', "vary-window", NULL, .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"),
      .help = "print a column for each window of 1, 2, 4, ... 128 messages; "
              "-c, -z and --columns then go to --json and --csv only",
      .kind = OPTION_FLAG, FIELD(vary_window) },
    { 'b', "buffer-num", "KIND", .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_BUFFERS, "programs for bandwidth between ranks"),
      .help = "buffers of a window; single by default with --protocol=omb",
      .fallback = "auto", .kind = OPTION_CHOICE, FIELD(slots),
      .choices = settings_buffer_words, .json = "send_buffers" },
    { 'p', "num-pairs", "N", .group = OPTIONS_FLIGHT, .common = true,
      TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"), .help = "communicating pairs",
      .fallback = "half the ranks", .kind = OPTION_INT, FIELD(pairs), .min = 1,
      .max = 1 << 30 },
    { 0, "pairs", "HOW", .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_PAIRING, "programs that measure many pairs of ranks"),
      .help = "which ranks are partners", .fallback = "auto",
      .kind = OPTION_SPECIAL, .choices = pairing_words, .parse = parse_pairing,
      .json = "pairing", .absent = "auto" },
    { 'R', "print-rate", "0|1", .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"),
      .help = "print the message rate: 1 yes, 0 no", .fallback = "1",
      .kind = OPTION_INT, FIELD(print_rate), .max = 1 },

    { 'l', "in-place", NULL, .group = OPTIONS_COLLECTIVE,
      TAKEN(TAKES_IN_PLACE, "collectives that can work in place"),
      .help = "use MPI_IN_PLACE; with a root on the root alone",
      .kind = OPTION_FLAG, FIELD(in_place), .json = "in_place" },
    { 'k', "root-rank", "fixed:R|rotate", .group = OPTIONS_COLLECTIVE,
      .common = true, TAKEN(TAKES_ROOT, "collectives with a root"),
      .help = "root of the collective", .fallback = "fixed:0",
      .kind = OPTION_SPECIAL, .choices = settings_root_words,
      .parse = parse_root, .json = "root", .record = record_root },

    { 'u', "validation-warmup", "N", .group = OPTIONS_COMPATIBLE, CHECKED,
      .help = "ignored: verification needs no warm-up (0 to 10)",
      .kind = OPTION_INT, FIELD(validation_warmup), .max = 10, .moot = always,
      .moot_because = "verification needs no warm-up" },
    { 'f', "full", NULL, .group = OPTIONS_OUTPUT,
      .help = "also print the minimum and maximum over the ranks' means, or "
              "the parts of the value",
      .kind = OPTION_FLAG, FIELD(full) },
    { 'z', "tail-lat", "P[,P...]", .optional = true, .group = OPTIONS_OUTPUT,
      TIMED, .help = "percentile columns over iterations",
      .fallback = "off; P: 50,90,99", .missing = "50,90,99",
      .kind = OPTION_SPECIAL, .parse = parse_percentiles, MOOT_WITH_WINDOWS },
    { 0, "columns", "NAME[,NAME...]", .group = OPTIONS_OUTPUT, .common = true,
      TIMED,
      .help = "more columns: median, ci_low, ci_high, ...; -z has the "
              "percentiles",
      .kind = OPTION_LIST, .add = add_column, MOOT_WITH_WINDOWS },
    { 0, "json", "FILE", .group = OPTIONS_OUTPUT, .common = true,
      .help = "write results and environment as JSON; -: to standard output, "
              "instead of the table",
      .kind = OPTION_TEXT, FIELD(json), MOOT_IN_PLAN },
    { 0, "csv", "FILE", .group = OPTIONS_OUTPUT, .common = true,
      .help = "write the rows as CSV; -: likewise", .kind = OPTION_TEXT,
      FIELD(csv), MOOT_IN_PLAN },
    { 0, "raw", NULL, .group = OPTIONS_OUTPUT, TIMED,
      .help = "with --json: also write the samples, up to 131,072 per row",
      .kind = OPTION_FLAG, FIELD(raw) },
    { 'G', "graph", "KIND[,KIND...]", .group = OPTIONS_OUTPUT, TIMED,
      .help = "plot values against size, and the samples of each row; "
              "requires gnuplot; writes to the current directory; repeatable",
      .kind = OPTION_LIST, .choices = settings_graph_words, .add = add_graph,
      MOOT_IN_PLAN },
    { 'P', "papi", "EVENT[,EVENT...][:FILE]", .group = OPTIONS_OUTPUT, TIMED,
      .help = "count PAPI events on every rank during the timed iterations; "
              "repeatable; after a native event FILE is - or has a . or a /",
      .fallback = "off; FILE: papi_output.out", .kind = OPTION_SPECIAL,
      .parse = parse_events },

    { 'd', "accelerator", "KIND", .group = OPTIONS_MEMORY, .common = true,
      .help = "initialize the GPU before MPI", .fallback = "host",
      .kind = OPTION_CHOICE, FIELD(device), .choices = settings_gpu_words },
    { 'M', "mem-limit", "BYTES", .group = OPTIONS_MEMORY,
      TAKEN(TAKES_SIZES | TAKES_MEMORY_LIMIT, "programs with message sizes"),
      .help = "skip sizes that need more than this many bytes per rank",
      .fallback = "free memory", .kind = OPTION_SIZE, FIELD(memory_limit),
      .min = 1 },
    { 0, "gpu-map", "HOW", .group = OPTIONS_MEMORY,
      .help = "the GPU of each rank", .fallback = "auto",
      .kind = OPTION_SPECIAL, .choices = gpu_map_words,
      .parse = parse_gpu_map },
    { 0, "buffers", "WHICH", .group = OPTIONS_MEMORY,
      TAKEN(TAKES_ROTATION, "programs whose operations can change buffers"),
      .help = "buffers of successive iterations", .fallback = "reuse",
      .kind = OPTION_SPECIAL, .choices = settings_use_words,
      .parse = parse_use },
    { 0, "touch", NULL, .group = OPTIONS_MEMORY,
      TAKEN(TAKES_TOUCH, "programs whose operations can change buffers, and "
                         "that post no receive ahead"),
      .help = "before each iteration, untimed, write the data to send and read "
              "the data received",
      .kind = OPTION_FLAG, FIELD(touch) },

    { 'I', "session", NULL, .group = OPTIONS_RUN,
      .help = "start MPI with MPI_Session_init (MPI-4)", .kind = OPTION_FLAG,
      FIELD(session) },
    { 0, "timeout", "TIME", .group = OPTIONS_RUN,
      .help = "abort a run without progress for this long; MPI_Init gets at "
              "least 30s; 0: never",
      .fallback = "60s", .kind = OPTION_SECONDS, FIELD(timeout_s) },
    { 0, "expect", "KEY=VALUE", .group = OPTIONS_RUN, .common = true,
      .help =
          "stop (E35) if the header line differs; for example "
          "path=inter-node, mpi=OpenMPI-5, device=mlx5, gpu=own, init=none; "
          "repeatable",
      .kind = OPTION_SPECIAL, .parse = parse_expect, MOOT_IN_PLAN },
    { 0, "dry-run", NULL, .group = OPTIONS_RUN, .common = true,
      .help = "print the plan without measuring; sizes and memory; works "
              "without mpirun",
      .kind = OPTION_FLAG, FIELD(dry_run) },
    { 0, "ranks", "N", .group = OPTIONS_RUN,
      .help = "with --dry-run: number of ranks", .fallback = "as launched",
      .kind = OPTION_INT, FIELD(ranks), .min = 1, .max = 1 << 30 },
    { EVENT_USAGE, "usage", NULL, .group = OPTIONS_RUN,
      .help = "print a short help", .kind = OPTION_EVENT },
    { EVENT_HELP, "help", NULL, .group = OPTIONS_RUN, .help = "print this help",
      .kind = OPTION_EVENT },
    { EVENT_VERSION, "version", NULL, .group = OPTIONS_RUN,
      .help = "print the version", .kind = OPTION_EVENT },

    /* Families have rows of their own with these letters. */
    { 'a', "array-size", "N", .group = OPTIONS_COMPATIBLE,
      TAKEN(TAKES_IDLE, "collectives, without effect"),
      .help = "size of the array in OMB's computation on a GPU" },
    { 'r', "cuda-target", "WHAT", .group = OPTIONS_COMPATIBLE,
      TAKEN(TAKES_IDLE, "collectives; of effect in non-blocking ones"),
      .help = "what computes during the operation" },
    { 't', "num-test-calls", "N", .group = OPTIONS_COMPATIBLE,
      TAKEN(TAKES_IDLE, "programs that compute, of threads or of processes"),
      .help = "MPI_Test calls during the computation" },
    { 0 },
};

void settings_fit(struct option_row *row, const struct bench *b,
                  const struct settings *s)
{
    switch (row->key) {
    case 'T':
        if (b->takes & TAKES_INTEGER_TYPE)
            row->choices = settings_whole_type_words;
        row->fallback = choice_word(settings_type_words, 1 << bench_element(b));
        break;
    case 'k':
        if (b->loop & BINDS_BUFFERS) {
            row->argument = "fixed:R";
            row->choices = settings_fixed_root_words;
            row->parse = parse_fixed_root;
        }
        break;
    case 'f':
        if (report_has_full(b->report))
            break;
        if (b->takes & TAKES_STEPS)
            row->help = "also print the steps of the start-up";
        else {
            row->group = OPTIONS_COMPATIBLE;
            row->help = row->moot_because = "this program has no more columns";
            row->moot = always;
        }
        break;
    case 'z':
        if (b->report->is_rate)
            row->help = "percentile columns: P% of the iterations reach this "
                        "bandwidth";
        else if (b->timed != TIMED_RANK_0)
            row->help = "percentile columns over iterations, of the slowest "
                        "rank in each";
        break;
    case 'd':
        if (bench_has_sides(b, s))
            row->help =
                "use GPU memory: cuda or rocm; SRC DST name the buffers in it, "
                "such as D D or MD MD";
        else if (bench_is_sized(b) && b->flow->sides == SIDES_NONE)
            row->help = "memory type of all buffers";
        break;
    case 'M':
        if (b->takes & TAKES_MEMORY_LIMIT)
            row->help = "refuse to start if it needs more than this many bytes "
                        "per rank";
        break;
    default:
        break;
    }
}
