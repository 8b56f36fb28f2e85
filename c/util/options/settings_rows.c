/* SPDX-License-Identifier: BSD-3-Clause */
/* Every option of every program: one row each. */
#include "settings_rows.h"

#include "settings.h"
#include "settings_parse.h"

enum {
    BUDGET = OPTION_CORE,
    TOTAL,
    PRECISION,
    TIMEOUT,
    START,
    JSON,
    CSV,
    RAW,
    COLUMNS,
    DRY_RUN,
    RANKS,
    NO_VERIFY,
    ALIGN,
    GPU_MAP,
    CLOCK,
    ORDER,
    AROUND,
    REFINE,
    USE,
    TOUCH,
    EXPECT
};

const char *const settings_groups[] = {
    [OPTIONS_DATA] = "Sizes and data:",
    [OPTIONS_TIME] = "How long to measure:",
    [OPTIONS_FLIGHT] = "Messages in flight:",
    [OPTIONS_SIDES] = "Threads and processes:",
    [OPTIONS_COLLECTIVE] = "Collectives:",
    [OPTIONS_RMA] = "One-sided:",
    [OPTIONS_OUTPUT] = "What is printed:",
    [OPTIONS_MEMORY] = "Memory:",
    [OPTIONS_RUN] = "Running:",
    NULL,
};

static const struct choice buffer_words[] = {
    { "single", 0 },
    { "multiple", 1 },
    { NULL, 0 },
};
static const struct choice device_words[] = {
    { "host", DEVICE_HOST },       { "cuda", DEVICE_CUDA },
    { "managed", DEVICE_MANAGED }, { "openacc", DEVICE_OPENACC },
    { "rocm", DEVICE_ROCM },       { NULL, 0 },
};

static void record_order(struct fields to, const char *name, const void *s)
{
    const enum order order = ((const struct settings *)s)->order;

    fields_text(to, name, settings_word_of(settings_order_words, (int)order));
}

static void record_derived(struct fields to, const char *name, const void *s)
{
    const struct typemap_spec *spec = &((const struct settings *)s)->derived;

    if (spec->kind != TYPEMAP_WHOLE)
        fields_text(to, name, spec->text);
}

static void record_root(struct fields to, const char *name, const void *s)
{
    const int root = ((const struct settings *)s)->root;

    if (root == ROOT_ROTATES)
        fields_text(to, name, "rotate");
    else
        fields_int(to, name, root);
}

static void record_use(struct fields to, const char *name, const void *s)
{
    const enum buffer_use use = ((const struct settings *)s)->use;

    fields_text(to, name, settings_word_of(settings_use_words, (int)use));
}

#define FIELD(name)        .offset = offsetof(struct settings, name)
#define TAKEN(bits, names) .takers = (bits), .programs = (names)
#define TIMED              TAKEN(TAKES_LAPS, "programs that measure laps")
#define MOVING                                                                 \
    TAKEN(TAKES_SIZES, "programs that move messages of a chosen size")

const struct option_row settings_rows[] = {
    { 'm', "message-size", "[MIN:]MAX", .group = OPTIONS_DATA, MOVING,
      .help = "message sizes in bytes, doubled from MIN to MAX; also MIN:, "
              ":MAX; suffixes K, M, G are powers of 1024",
      .kind = OPTION_SPECIAL, .parse = parse_sizes },
    { AROUND, "around", NULL, .group = OPTIONS_DATA, MOVING,
      .help = "also one element less and one more than each size from 4 on: "
              "powers of two are special cases of memory and of algorithms",
      .kind = OPTION_FLAG, FIELD(around) },
    { REFINE, "refine", "N", .optional = true, .group = OPTIONS_DATA, MOVING,
      .help = "behind the sweep, up to N rows more that bisect where the curve "
              "jumps (a change of protocol or algorithm)",
      .fallback = "16, if given without N", .kind = OPTION_SPECIAL,
      .parse = parse_refine },
    { ORDER, "order", "HOW", .group = OPTIONS_DATA, MOVING,
      .help = "order of the sizes: up, down, random or random:SEED; the seed "
              "is kept in the JSON",
      .fallback = "up", .kind = OPTION_SPECIAL, .parse = parse_order,
      .json = "order", .record = record_order },
    { 'T', "type", "TYPE[,TYPE...]", .group = OPTIONS_DATA,
      TAKEN(TAKES_TYPE, "programs whose messages are made of elements"),
      .help = "element type, repeatable: mpi_char, mpi_int, mpi_float, "
              "mpi_double, mpi_int64, all; mpi_char becomes MPI_SIGNED_CHAR "
              "in reductions",
      .fallback = "mpi_char; mpi_float in reductions", .kind = OPTION_SPECIAL,
      .parse = parse_types },
    { 'T', "type", "TYPE[,TYPE...]", .group = OPTIONS_DATA,
      TAKEN(TAKES_INTEGER_TYPE, "cas_latency"),
      .help = "element type, repeatable: mpi_char, mpi_int, mpi_int64, all; "
              "MPI compares and swaps no floating point numbers; mpi_char "
              "becomes MPI_SIGNED_CHAR",
      .fallback = "mpi_int", .kind = OPTION_SPECIAL,
      .parse = parse_whole_types },
    { 'D', "ddt", "KIND", .group = OPTIONS_DATA,
      TAKEN(TAKES_DERIVED, "programs that move data between buffers"),
      .help = "a derived type as long as the message: cont, contiguous; "
              "vect:STRIDE:BLOCK, the first BLOCK of every STRIDE elements; "
              "indx:FILE, the blocks of a file with lines "
              "DISPLACEMENT,LENGTH in elements",
      .fallback = "none; of vect 8:4", .kind = OPTION_SPECIAL,
      .parse = parse_derived, .json = "derived", .record = record_derived },
    { 'c', "validation", "log[:DIR]", .optional = true, .group = OPTIONS_DATA,
      TAKEN(TAKES_CHECK, "programs that move data"),
      .help = "print a Validation column; data is verified with or without it, "
              "in a call of its own that is not timed; -clog: also "
              "write what is wrong to DIR/log-RANK.log; DIR must be new",
      .fallback = "validation_output, if given without DIR",
      .kind = OPTION_SPECIAL, .parse = parse_check },
    { 'u', "validation-warmup", "N", .group = OPTIONS_DATA,
      TAKEN(TAKES_CHECK, "programs that move data"),
      .help = "accepted for OMB's sake (0 to 10): verification runs apart from "
              "the timed laps and needs no warm-up",
      .kind = OPTION_INT, FIELD(validation_warmup), .max = 10 },
    { NO_VERIFY, "no-verify", NULL, .group = OPTIONS_DATA,
      TAKEN(TAKES_CHECK, "programs that move data"),
      .help = "do not verify data", .kind = OPTION_FLAG, FIELD(verify_off) },

    { 'i', "iterations", "N", .group = OPTIONS_TIME, TIMED,
      .help = "laps of each row, and OMB's warm-up unless -x names one",
      .fallback = "until precise", .kind = OPTION_LONG, FIELD(laps), .min = 1,
      .max = 1e9 },
    { 'x', "warmup", "N", .group = OPTIONS_TIME, TIMED,
      .help = "untimed laps before each row, and OMB's laps unless -i names "
              "them",
      .fallback = "until settled", .kind = OPTION_LONG, FIELD(warmup),
      .max = 1e9 },
    { PRECISION, "precision", "PERCENT", .group = OPTIONS_TIME, TIMED,
      .help = "stop a row when the 95 % confidence interval of its median is "
              "this narrow, on either side; raises the budget to 10s",
      .fallback = "1%", .kind = OPTION_PERCENT, FIELD(precision) },
    { BUDGET, "budget", "TIME", .group = OPTIONS_TIME, TIMED,
      .help = "stop a row after this time, but not before 20 laps (or 10 s of "
              "slower ones); seconds, or with ms, s, m",
      .fallback = "50ms", .kind = OPTION_SECONDS, FIELD(budget_s),
      .min = 1e-6 },
    { TOTAL, "total", "TIME", .group = OPTIONS_TIME, TIMED,
      .help = "start no further row after this time", .fallback = "no limit",
      .kind = OPTION_SECONDS, FIELD(total_s), .min = 1e-6 },
    { START, "start", "HOW", .group = OPTIONS_TIME, TIMED,
      .help =
          "how ranks are brought together before a lap: a barrier of our "
          "own, the library's, or a moment of the synchronised clock; none: "
          "back to back, of which the mean alone counts",
      .fallback = "own", .kind = OPTION_CHOICE, FIELD(start),
      .choices = settings_start_words },

    { CLOCK, "clock", "KIND", .group = OPTIONS_TIME, TIMED,
      .help = "what times laps: the processor's time stamp counter, "
              "clock_gettime, or MPI_Wtime; auto: tsc where every kernel keeps "
              "time by it, else posix",
      .fallback = "auto", .kind = OPTION_CHOICE, FIELD(clock),
      .choices = settings_clock_words, .json = "clock" },

    { 'W', "window-size", "N", .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_WINDOW, "programs for bandwidth"),
      .help = "messages in flight", .fallback = "64", .kind = OPTION_INT,
      FIELD(window), .min = 1, .max = 1 << 24 },
    { 'V', "vary-window", NULL, .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"),
      .help = "a column for each of eight windows, 1, 2, 4, ... 128 messages; "
              "-c, -z and --columns then go to --json and --csv only",
      .kind = OPTION_FLAG, FIELD(vary_window) },
    { 'b', "buffer-num", "KIND", .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_BUFFERS, "programs for bandwidth between ranks"),
      .help = "send buffers of a window: one for all messages, or one for "
              "each; receive buffers are always one for each",
      .fallback = "single", .kind = OPTION_CHOICE, FIELD(buffers),
      .choices = buffer_words, .json = "send_buffers" },
    { 'p', "num-pairs", "N", .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"),
      .help = "pairs of ranks that communicate", .fallback = "half the ranks",
      .kind = OPTION_INT, FIELD(pairs), .min = 1, .max = 1 << 30 },
    { 'R', "print-rate", "0|1", .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"), .help = "print the message rate",
      .fallback = "1", .kind = OPTION_INT, FIELD(print_rate), .max = 1 },

    { 'l', "in-place", NULL, .group = OPTIONS_COLLECTIVE,
      TAKEN(TAKES_IN_PLACE, "collectives that can work in place"),
      .help = "MPI_IN_PLACE instead of a send buffer; with a root on the root "
              "alone, in scatter instead of its receive buffer",
      .kind = OPTION_FLAG, FIELD(in_place), .json = "in_place" },
    { 'k', "root-rank", "fixed:R|rotate", .group = OPTIONS_COLLECTIVE,
      TAKEN(TAKES_ROOT, "collectives with a root"),
      .help =
          "the root: rank R in every lap, or the next rank in each lap (not "
          "persistent)",
      .fallback = "fixed:0", .kind = OPTION_SPECIAL, .parse = parse_root,
      .json = "root", .record = record_root },

    { 'f', "full", NULL, .group = OPTIONS_OUTPUT,
      .help = "OMB's further columns of collectives: minimum and maximum over "
              "the ranks' means, number of laps",
      .kind = OPTION_FLAG, FIELD(full) },
    { 'z', "tail-lat", "P[,P...]", .optional = true, .group = OPTIONS_OUTPUT,
      TIMED,
      .help = "percentile columns over laps; of several ranks the slowest of "
              "each lap counts; of bandwidths the low tail is shown",
      .fallback = "50,90,99", .kind = OPTION_SPECIAL,
      .parse = parse_percentiles },
    { COLUMNS, "columns", "NAME[,NAME...]", .group = OPTIONS_OUTPUT, TIMED,
      .help = "further columns; --list names them", .kind = OPTION_SPECIAL,
      .parse = parse_columns },
    { JSON, "json", "FILE", .group = OPTIONS_OUTPUT,
      .help = "everything, with the environment, as one JSON document",
      .kind = OPTION_TEXT, FIELD(json) },
    { CSV, "csv", "FILE", .group = OPTIONS_OUTPUT, .help = "the rows as CSV",
      .kind = OPTION_TEXT, FIELD(csv) },
    { RAW, "raw", NULL, .group = OPTIONS_OUTPUT, TIMED,
      .help = "with --json: every sample too, of a row the first 131,072",
      .kind = OPTION_FLAG, FIELD(raw) },
    { 'G', "graph", "KIND[,KIND...]", .group = OPTIONS_OUTPUT, TIMED,
      .help = "draw by gnuplot, into files of the current directory, the "
              "figure against size and the samples of each row (tty: the "
              "first of these, behind the table); repeatable",
      .kind = OPTION_SPECIAL, .choices = settings_graph_words,
      .parse = parse_graphs },
    { 'P', "papi", "EVENT[,EVENT...][:FILE]", .group = OPTIONS_OUTPUT, TIMED,
      .help = "count these events of PAPI on every rank over the timed batches "
              "of a row, and write them to FILE; repeatable. Behind a native "
              "event FILE needs a dot or a slash",
      .fallback = "papi_output.out", .kind = OPTION_SPECIAL,
      .parse = parse_events },

    { 'd', "accelerator", "KIND", .group = OPTIONS_MEMORY,
      .help = "kind of GPU buffers: of both sides of a collective; where there "
              "are SRC DST, these say which are on a GPU",
      .fallback = "host", .kind = OPTION_CHOICE, FIELD(device),
      .choices = device_words },
    { 'M', "mem-limit", "BYTES", .group = OPTIONS_MEMORY, MOVING,
      .help = "leave out sizes whose buffers need more than this per rank",
      .fallback = "the memory that is free", .kind = OPTION_SIZE,
      FIELD(memory_limit), .min = 1 },
    { 'M', "mem-limit", "BYTES", .group = OPTIONS_MEMORY,
      TAKEN(TAKES_MEMORY_LIMIT, "is, ft"),
      .help = "refuse what needs more than this per rank",
      .fallback = "the memory that is free", .kind = OPTION_SIZE,
      FIELD(memory_limit), .min = 1 },
    { ALIGN, "align-offset", "BYTES", .group = OPTIONS_MEMORY, MOVING,
      .help = "begin buffers this far behind a page boundary", .fallback = "0",
      .kind = OPTION_SIZE, FIELD(align_offset) },
    { GPU_MAP, "gpu-map", "HOW", .group = OPTIONS_MEMORY,
      .help = "which GPU of its node a rank uses: auto, by its number on the "
              "node, or the only one it sees; strict, by its number, never "
              "another; modulo, some share one; a list of devices for 0, 1, "
              "...; none, what the environment chose",
      .fallback = "auto", .kind = OPTION_SPECIAL, .parse = parse_gpu_map },
    { USE, "buffers", "WHICH", .group = OPTIONS_MEMORY, MOVING,
      .help = "from lap to lap: reuse, the same buffers; rotate[:BYTES], the "
              "next ones of a pool of BYTES in each direction, so that they "
              "are not in the cache (not one-sided and persistent)",
      .fallback = "reuse; a pool of twice the last-level cache",
      .kind = OPTION_SPECIAL, .parse = parse_use, .json = "buffers",
      .record = record_use },
    { TOUCH, "touch", NULL, .group = OPTIONS_MEMORY, MOVING,
      .help = "before each lap, untimed, write what is sent and read what was "
              "received, as applications do (not one-sided and persistent, "
              "nor bw, which posts receives a lap ahead)",
      .kind = OPTION_FLAG, FIELD(touch), .json = "touch" },

    { 'I', "session", NULL, .group = OPTIONS_RUN,
      .help = "start MPI by a session (MPI-4) in place of MPI_Init",
      .kind = OPTION_FLAG, FIELD(session) },
    { TIMEOUT, "timeout", "TIME", .group = OPTIONS_RUN,
      .help = "end the job when no lap has ended for this long; 0: never",
      .fallback = "60s", .kind = OPTION_SECONDS, FIELD(timeout_s) },
    { EXPECT, "expect", "KEY=VALUE", .group = OPTIONS_RUN,
      .help =
          "end with E35, and measure nothing, unless the first line says so: "
          "path=inter-node, mpi=OpenMPI-5, gpu=own, init=none; may be given "
          "several times",
      .kind = OPTION_SPECIAL, .parse = parse_expect },
    { DRY_RUN, "dry-run", NULL, .group = OPTIONS_RUN,
      .help =
          "print the sizes, the memory each needs on a rank, how many ranks "
          "fit here, and the time the rows take, and measure nothing; "
          "works without mpirun",
      .kind = OPTION_FLAG, FIELD(dry_run) },
    { RANKS, "ranks", "N", .group = OPTIONS_RUN,
      .help = "with --dry-run: for this number of ranks",
      .fallback = "as launched", .kind = OPTION_INT, FIELD(ranks), .min = 1,
      .max = 1 << 30 },
    { EVENT_LIST, "list", NULL, .group = OPTIONS_RUN,
      .help = "print the names that options take", .kind = OPTION_EVENT },
    { EVENT_MAN, "man", NULL, .group = OPTIONS_RUN,
      .help = "print the manual page (roff)", .kind = OPTION_EVENT },
    { EVENT_VERSION, "version", NULL, .group = OPTIONS_RUN,
      .help = "print the version", .kind = OPTION_EVENT },
    { EVENT_HELP, "help", NULL, .group = OPTIONS_RUN, .help = "print this help",
      .kind = OPTION_EVENT },
    { 0 },
};
