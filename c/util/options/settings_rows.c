/* SPDX-License-Identifier: BSD-3-Clause */
/* Every option of every program: one row each. */
#include "settings.h"
#include "settings_parse.h"

enum {
    BUDGET = 310,
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
    READY,
    READY_THREADS,
    GROUPS,
    CLASS,
    QUEUE,
    OTHERS,
    SCHEME,
    REUSE,
    COMPUTE,
    STRIPE,
    CHUNK,
    EXPECT
};

enum group {
    G_DATA,
    G_TIME,
    G_FLIGHT,
    G_SIDES,
    G_COLLECTIVE,
    G_RMA,
    G_OUTPUT,
    G_MEMORY,
    G_RUN
};

const char *const settings_groups[] = {
    [G_DATA] = "Sizes and data:",
    [G_TIME] = "How long to measure:",
    [G_FLIGHT] = "Messages in flight:",
    [G_SIDES] = "Threads and processes:",
    [G_COLLECTIVE] = "Collectives:",
    [G_RMA] = "One-sided:",
    [G_OUTPUT] = "What is printed:",
    [G_MEMORY] = "Memory:",
    [G_RUN] = "Running:",
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

#define FIELD(name)        .offset = offsetof(struct settings, name)
#define TAKEN(bits, names) .takers = (bits), .programs = (names)
#define TIMED              TAKEN(TAKES_LAPS, "programs that measure laps")
#define MOVING                                                                 \
    TAKEN(TAKES_SIZES, "programs that move messages of a chosen size")

const struct option_row settings_rows[] = {
    { 'm', "message-size", "[MIN:]MAX", .group = G_DATA, MOVING,
      .help = "message sizes in bytes, doubled from MIN to MAX; also MIN:, "
              ":MAX; suffixes K, M, G are powers of 1024",
      .kind = OPTION_SPECIAL, .parse = parse_sizes },
    { AROUND, "around", NULL, .group = G_DATA, MOVING,
      .help = "also one element less and one more than each size from 4 on: "
              "powers of two are special cases of memory and of algorithms",
      .kind = OPTION_FLAG, FIELD(around) },
    { REFINE, "refine", "N", .optional = true, .group = G_DATA, MOVING,
      .help = "behind the sweep, up to N rows more that bisect where the curve "
              "jumps (a change of protocol or algorithm)",
      .fallback = "16, if given without N", .kind = OPTION_SPECIAL,
      .parse = parse_refine },
    { ORDER, "order", "HOW", .group = G_DATA, MOVING,
      .help = "order of the sizes: up, down, random or random:SEED; the seed "
              "is kept in the JSON",
      .fallback = "up", .kind = OPTION_SPECIAL, .parse = parse_order },
    { 'T', "type", "TYPE[,TYPE...]", .group = G_DATA,
      TAKEN(TAKES_TYPE, "programs whose messages are made of elements"),
      .help = "element type, repeatable: mpi_char, mpi_int, mpi_float, "
              "mpi_double, mpi_int64, all; mpi_char becomes MPI_SIGNED_CHAR "
              "in reductions",
      .fallback = "mpi_char; mpi_float in reductions", .kind = OPTION_SPECIAL,
      .parse = parse_types },
    { 'T', "type", "TYPE[,TYPE...]", .group = G_DATA,
      TAKEN(TAKES_WHOLE, "cas_latency"),
      .help = "element type, repeatable: mpi_char, mpi_int, mpi_int64, all; "
              "MPI compares and swaps no floating point numbers; mpi_char "
              "becomes MPI_SIGNED_CHAR",
      .fallback = "mpi_int", .kind = OPTION_SPECIAL,
      .parse = parse_whole_types },
    { 'D', "ddt", "KIND", .group = G_DATA,
      TAKEN(TAKES_DERIVED, "programs that move data between buffers"),
      .help = "a derived type as long as the message: cont, contiguous; "
              "vect:STRIDE:BLOCK, the first BLOCK of every STRIDE elements; "
              "indx:FILE, the blocks of a file with lines "
              "DISPLACEMENT,LENGTH in elements",
      .fallback = "none; of vect 8:4", .kind = OPTION_SPECIAL,
      .parse = parse_derived },
    { CLASS, "class", "CLASS", .group = G_DATA, TAKEN(TAKES_CLASS, "is, ft"),
      .help = "size of the problem, a class of the NAS specification: S is for "
              "tests (milliseconds), W small, A, B and C each some four times "
              "as large as the one before, or more",
      .fallback = "B in is, A in ft: some seconds on two cores",
      .kind = OPTION_CHOICE, FIELD(class), .choices = settings_class_words },
    { 'c', "validation", "log[:DIR]", .optional = true, .group = G_DATA,
      TAKEN(TAKES_CHECK, "programs that move data"),
      .help = "print a Validation column; data is verified with or without it, "
              "in a call of its own that is not timed; -clog: also "
              "write what is wrong to DIR/log-RANK.log; DIR must be new",
      .fallback = "validation_output, if given without DIR",
      .kind = OPTION_SPECIAL, .parse = parse_check },
    { 'u', "validation-warmup", "N", .group = G_DATA,
      TAKEN(TAKES_CHECK, "programs that move data"),
      .help = "accepted for OMB's sake (0 to 10): verification runs apart from "
              "the timed laps and needs no warm-up",
      .kind = OPTION_SPECIAL, .parse = parse_validation_warmup },
    { NO_VERIFY, "no-verify", NULL, .group = G_DATA,
      TAKEN(TAKES_CHECK, "programs that move data"),
      .help = "do not verify data", .kind = OPTION_FLAG, FIELD(verify_off) },

    { 'i', "iterations", "N", .group = G_TIME, TIMED,
      .help = "laps of each row, and OMB's warm-up unless -x names one",
      .fallback = "until precise", .kind = OPTION_LONG, FIELD(laps), .min = 1,
      .max = 1e9 },
    { 'x', "warmup", "N", .group = G_TIME, TIMED,
      .help = "untimed laps before each row, and OMB's laps unless -i names "
              "them",
      .fallback = "until settled", .kind = OPTION_LONG, FIELD(warmup),
      .max = 1e9 },
    { PRECISION, "precision", "PERCENT", .group = G_TIME, TIMED,
      .help = "stop a row when the 95 % confidence interval of its median is "
              "this narrow, on either side; raises the budget to 10s",
      .fallback = "1%", .kind = OPTION_PERCENT, FIELD(precision) },
    { BUDGET, "budget", "TIME", .group = G_TIME, TIMED,
      .help = "stop a row after this time, but not before 20 laps (or 10 s of "
              "slower ones); seconds, or with ms, s, m",
      .fallback = "50ms", .kind = OPTION_SECONDS, FIELD(budget_s),
      .min = 1e-6 },
    { TOTAL, "total", "TIME", .group = G_TIME, TIMED,
      .help = "start no further row after this time", .fallback = "no limit",
      .kind = OPTION_SECONDS, FIELD(total_s), .min = 1e-6 },
    { START, "start", "HOW", .group = G_TIME, TIMED,
      .help =
          "how ranks are brought together before a lap: a barrier of our "
          "own, the library's, or a moment of the synchronised clock; none: "
          "back to back, of which the mean alone counts",
      .fallback = "own", .kind = OPTION_CHOICE, FIELD(start),
      .choices = settings_start_words },

    { CLOCK, "clock", "KIND", .group = G_TIME, TIMED,
      .help = "what times laps: the processor's time stamp counter, "
              "clock_gettime, or MPI_Wtime; auto: tsc where every kernel keeps "
              "time by it, else posix",
      .fallback = "auto", .kind = OPTION_CHOICE, FIELD(clock),
      .choices = settings_clock_words },

    { 'W', "window-size", "N", .group = G_FLIGHT,
      TAKEN(TAKES_WINDOW, "programs for bandwidth"),
      .help = "messages in flight", .fallback = "64", .kind = OPTION_INT,
      FIELD(window), .min = 1, .max = 1 << 24 },
    { 'V', "vary-window", NULL, .group = G_FLIGHT,
      TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"),
      .help = "a column for each of eight windows, 1, 2, 4, ... 128 messages; "
              "-c, -z and --columns then go to --json and --csv only",
      .kind = OPTION_FLAG, FIELD(vary_window) },
    { 'q', "partitions", "N", .group = G_FLIGHT,
      TAKEN(TAKES_PARTITIONS, "partitioned_latency"),
      .help = "partitions of a message; sizes that cannot be divided into as "
              "many of whole elements are left out",
      .fallback = "8", .kind = OPTION_INT, FIELD(partitions), .min = 1,
      .max = 1 << 20 },
    { READY, "pready-order", "HOW", .group = G_FLIGHT,
      TAKEN(TAKES_PARTITIONS, "partitioned_latency"),
      .help = "order in which partitions are marked ready: up, down, random or "
              "random:SEED (random is random:1)",
      .fallback = "up", .kind = OPTION_SPECIAL, .parse = parse_ready },
    { READY_THREADS, "pready-threads", "N", .group = G_FLIGHT,
      TAKEN(TAKES_PARTITIONS, "partitioned_latency"),
      .help = "threads of each rank that mark partitions ready, the main one "
              "among them; each has a run of the order",
      .fallback = "1", .kind = OPTION_INT, FIELD(ready_threads), .min = 1,
      .max = SIDES_MOST },
    { QUEUE, "queue-depth", "N[,N...]", .group = G_FLIGHT,
      TAKEN(TAKES_QUEUE, "bw_queue"),
      .help =
          "messages outstanding at most, each a block of rows: even numbers "
          "up to the window",
      .fallback = "2,4,8,16,32,64, as far as the window goes",
      .kind = OPTION_SPECIAL, .parse = parse_levels },
    { OTHERS, "others", "N[,N...]", .group = G_FLIGHT,
      TAKEN(TAKES_OTHERS, "programs for hot spots"),
      .help = "ranks that the hot spot talks to, each number a block of rows",
      .fallback = "1,2,4,... and all", .kind = OPTION_SPECIAL,
      .parse = parse_levels },
    { SCHEME, "scheme", "HOW", .group = G_FLIGHT,
      TAKEN(TAKES_REUSE, "buffer_reuse_latency, buffer_reuse_bw"),
      .help =
          "fifo: as many buffers as --reuse says, in turn; percent: so many "
          "of a hundred messages use one and the same, the others 512 in "
          "turn",
      .fallback = "fifo", .kind = OPTION_CHOICE, FIELD(scheme),
      .choices = settings_scheme_words },
    { REUSE, "reuse", "N[,N...]", .group = G_FLIGHT,
      TAKEN(TAKES_REUSE, "buffer_reuse_latency, buffer_reuse_bw"),
      .help = "buffers, or percent of the messages; each a block of rows",
      .fallback = "1,2,4,...,512; 0,25,50,75,90,100", .kind = OPTION_SPECIAL,
      .parse = parse_levels },
    { COMPUTE, "compute", "PERCENT[,...]", .group = G_FLIGHT,
      TAKEN(TAKES_COMPUTE, "overlap_bw"),
      .help = "computation, in percent of a window without it; each a block of "
              "rows",
      .fallback = "0,10,20,...,100", .kind = OPTION_SPECIAL,
      .parse = parse_levels },
    { STRIPE, "stripe-threshold", "SIZE", .group = G_FLIGHT,
      TAKEN(TAKES_STRIPES, "stripe_bw, stripe_bibw"),
      .help = "largest message that goes whole between the first pair; larger "
              "ones are cut into a stripe for each",
      .fallback = "8K", .kind = OPTION_SIZE, FIELD(stripe_threshold) },
    { CHUNK, "chunk", "SIZE", .group = G_FLIGHT,
      TAKEN(TAKES_STAGING, "staged_latency, staged_bw"),
      .help = "pipelined: larger messages are copied and sent in chunks of so "
              "many bytes, the copy of one beside the way of others",
      .fallback = "256K", .kind = OPTION_SIZE, .min = 1024, .max = 1 << 30,
      FIELD(chunk) },
    { 'b', "buffer-num", "KIND", .group = G_FLIGHT,
      TAKEN(TAKES_BUFFERS, "programs for bandwidth between ranks"),
      .help = "send buffers of a window: one for all messages, or one for "
              "each; receive buffers are always one for each",
      .fallback = "single", .kind = OPTION_CHOICE, FIELD(buffers),
      .choices = buffer_words },
    { 'p', "num-pairs", "N", .group = G_FLIGHT,
      TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"),
      .help = "pairs of ranks that communicate", .fallback = "half the ranks",
      .kind = OPTION_INT, FIELD(pairs), .min = 1, .max = 1 << 30 },
    { 'R', "print-rate", "0|1", .group = G_FLIGHT,
      TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"), .help = "print the message rate",
      .fallback = "1", .kind = OPTION_INT, FIELD(print_rate), .max = 1 },

    { GROUPS, "groups", "N", .group = G_FLIGHT,
      TAKEN(TAKES_GROUPS, "programs for congestion"),
      .help = "groups of ranks, in blocks, instead of nodes; the first of them "
              "talks to all others",
      .fallback = "nodes", .kind = OPTION_INT, FIELD(groups), .min = 2,
      .max = 1 << 30 },

    { 'l', "in-place", NULL, .group = G_COLLECTIVE,
      TAKEN(TAKES_IN_PLACE, "collectives that can work in place"),
      .help = "MPI_IN_PLACE instead of a send buffer; with a root on the root "
              "alone, in scatter instead of its receive buffer",
      .kind = OPTION_FLAG, FIELD(in_place) },
    { 'k', "root-rank", "fixed:R|rotate", .group = G_COLLECTIVE,
      TAKEN(TAKES_ROOT, "collectives with a root"),
      .help =
          "the root: rank R in every lap, or the next rank in each lap (not "
          "persistent)",
      .fallback = "fixed:0", .kind = OPTION_SPECIAL, .parse = parse_root },
    { 't', "num-test-calls", "N", .group = G_COLLECTIVE,
      TAKEN(TAKES_TESTS, "non-blocking collectives"),
      .help = "calls of MPI_Test spread over the computation", .fallback = "0",
      .kind = OPTION_INT, FIELD(tests), .max = 1 << 20 },
    { 'a', "array-size", "N", .group = G_COLLECTIVE,
      TAKEN(TAKES_TESTS, "non-blocking collectives"),
      .help = "accepted for OMB's sake: the size of a GPU's array to compute "
              "on; here computation has no array, and is calibrated by its "
              "duration",
      .kind = OPTION_INT, FIELD(array), .min = 1, .max = 1 << 30 },
    { 'r', "cuda-target", "WHAT", .group = G_COLLECTIVE,
      TAKEN(TAKES_TESTS, "non-blocking collectives"),
      .help = "what computes beside the operation", .fallback = "cpu",
      .kind = OPTION_CHOICE, FIELD(target), .choices = settings_target_words },
    { 't', "num-threads", "[S:]R", .group = G_SIDES,
      TAKEN(TAKES_THREADS, "latency_mt"),
      .help = "threads of the sender and of the receiver, 1 to 1024",
      .fallback = "1:2", .kind = OPTION_SPECIAL, .parse = parse_threads },
    { 't', "num-processes", "[S:]R", .group = G_SIDES,
      TAKEN(TAKES_PROCESSES, "latency_mp"),
      .help = "processes that the sender and the receiver fork, or one number "
              "for both: 0 to 1024",
      .fallback = "2", .kind = OPTION_SPECIAL, .parse = parse_processes },
    { 'N', "nhbr", "cart:D:R|graph:FILE", .group = G_COLLECTIVE,
      TAKEN(TAKES_TOPOLOGY, "neighbourhood collectives"),
      .help = "neighbourhood: all ranks within radius R of a periodic "
              "Cartesian grid of D dimensions, or the edges of a file with "
              "lines SRC,DST",
      .fallback = "cart:1:1", .kind = OPTION_TEXT, FIELD(topology) },

    { 's', "sync-option", "HOW", .group = G_RMA,
      TAKEN(TAKES_RMA, "one-sided programs"), .help = "synchronisation",
      .fallback = "flush", .kind = OPTION_CHOICE, FIELD(sync),
      .choices = settings_sync_words },
    { 's', "sync-option", "HOW", .group = G_RMA,
      TAKEN(TAKES_ACTIVE, "put_bibw"),
      .help = "synchronisation; both ranks are targets, so both take part in "
              "it",
      .fallback = "pscw", .kind = OPTION_CHOICE, FIELD(sync),
      .choices = settings_active_words },
    { 's', "sync-option", "HOW", .group = G_RMA,
      TAKEN(TAKES_PASSIVE, "hotspot_get, hotspot_put"),
      .help = "synchronisation; the hot spot takes no part in it",
      .fallback = "flush", .kind = OPTION_CHOICE, FIELD(sync),
      .choices = settings_passive_words },
    { 'w', "win-options", "KIND", .group = G_RMA,
      TAKEN(TAKES_RMA | TAKES_ACTIVE | TAKES_PASSIVE | TAKES_CREATION,
            "one-sided programs, completion"),
      .help = "window creation; allocate_shared: on one node only",
      .fallback = "allocate", .kind = OPTION_CHOICE, FIELD(window_kind),
      .choices = settings_window_words },

    { 'f', "full", NULL, .group = G_OUTPUT,
      .help = "OMB's further columns of collectives: minimum and maximum over "
              "the ranks' means, number of laps",
      .kind = OPTION_FLAG, FIELD(full) },
    { 'z', "tail-lat", "P[,P...]", .optional = true, .group = G_OUTPUT, TIMED,
      .help = "percentile columns over laps; of several ranks the slowest of "
              "each lap counts; of bandwidths the low tail is shown",
      .fallback = "50,90,99", .kind = OPTION_SPECIAL,
      .parse = parse_percentiles },
    { COLUMNS, "columns", "NAME[,NAME...]", .group = G_OUTPUT, TIMED,
      .help = "further columns; --list names them", .kind = OPTION_SPECIAL,
      .parse = parse_columns },
    { JSON, "json", "FILE", .group = G_OUTPUT,
      .help = "everything, with the environment, as one JSON document",
      .kind = OPTION_TEXT, FIELD(json) },
    { CSV, "csv", "FILE", .group = G_OUTPUT, .help = "the rows as CSV",
      .kind = OPTION_TEXT, FIELD(csv) },
    { RAW, "raw", NULL, .group = G_OUTPUT, TIMED,
      .help = "with --json: every sample too, of a row the first 131,072",
      .kind = OPTION_FLAG, FIELD(raw) },
    { 'G', "graph", "KIND[,KIND...]", .group = G_OUTPUT, TIMED,
      .help = "draw by gnuplot, into files of the current directory, the "
              "figure against size and the samples of each row (tty: the "
              "first of these, behind the table); repeatable",
      .kind = OPTION_SPECIAL, .choices = settings_graph_words,
      .parse = parse_graphs },
    { 'P', "papi", "EVENT[,EVENT...][:FILE]", .group = G_OUTPUT, TIMED,
      .help = "count these events of PAPI on every rank over the timed batches "
              "of a row, and write them to FILE; repeatable. Behind a native "
              "event FILE needs a dot or a slash",
      .fallback = "papi_output.out", .kind = OPTION_SPECIAL,
      .parse = parse_events },

    { 'd', "accelerator", "KIND", .group = G_MEMORY,
      .help = "kind of GPU buffers: of both sides of a collective; where there "
              "are SRC DST, these say which are on a GPU",
      .fallback = "host", .kind = OPTION_CHOICE, FIELD(device),
      .choices = device_words },
    { 'M', "mem-limit", "BYTES", .group = G_MEMORY, MOVING,
      .help = "leave out sizes whose buffers need more than this per rank",
      .fallback = "the memory that is free", .kind = OPTION_SIZE,
      FIELD(memory_limit), .min = 1 },
    { 'M', "mem-limit", "BYTES", .group = G_MEMORY,
      TAKEN(TAKES_CLASS, "is, ft"),
      .help = "refuse a class that needs more than this per rank",
      .fallback = "the memory that is free", .kind = OPTION_SIZE,
      FIELD(memory_limit), .min = 1 },
    { ALIGN, "align-offset", "BYTES", .group = G_MEMORY, MOVING,
      .help = "begin buffers this far behind a page boundary", .fallback = "0",
      .kind = OPTION_SIZE, FIELD(align_offset) },
    { GPU_MAP, "gpu-map", "HOW", .group = G_MEMORY,
      .help = "which GPU of its node a rank uses: auto, by its number on the "
              "node, or the only one it sees; strict, by its number, never "
              "another; modulo, some share one; a list of devices for 0, 1, "
              "...; none, what the environment chose",
      .fallback = "auto", .kind = OPTION_SPECIAL, .parse = parse_gpu_map },
    { USE, "buffers", "WHICH", .group = G_MEMORY, MOVING,
      .help = "from lap to lap: reuse, the same buffers; rotate[:BYTES], the "
              "next ones of a pool of BYTES in each direction, so that they "
              "are not in the cache (not one-sided and persistent)",
      .fallback = "reuse; a pool of twice the last-level cache",
      .kind = OPTION_SPECIAL, .parse = parse_use },
    { TOUCH, "touch", NULL, .group = G_MEMORY, MOVING,
      .help = "before each lap, untimed, write what is sent and read what was "
              "received, as applications do (not one-sided and persistent, "
              "nor bw, which posts receives a lap ahead)",
      .kind = OPTION_FLAG, FIELD(touch) },

    { 'I', "session", NULL, .group = G_RUN,
      .help = "start MPI by a session (MPI-4) in place of MPI_Init",
      .kind = OPTION_FLAG, FIELD(session) },
    { TIMEOUT, "timeout", "TIME", .group = G_RUN,
      .help = "end the job when no lap has ended for this long; 0: never",
      .fallback = "60s", .kind = OPTION_SECONDS, FIELD(timeout_s) },
    { EXPECT, "expect", "KEY=VALUE", .group = G_RUN,
      .help =
          "end with E35, and measure nothing, unless the first line says so: "
          "path=inter-node, mpi=OpenMPI-5, gpu=own, init=none; may be given "
          "several times",
      .kind = OPTION_SPECIAL, .parse = parse_expect },
    { DRY_RUN, "dry-run", NULL, .group = G_RUN,
      .help =
          "print the sizes, the memory each needs on a rank, how many ranks "
          "fit here, and the time the rows take, and measure nothing; "
          "works without mpirun",
      .kind = OPTION_FLAG, FIELD(dry_run) },
    { RANKS, "ranks", "N", .group = G_RUN,
      .help = "with --dry-run: for this number of ranks",
      .fallback = "as launched", .kind = OPTION_INT, FIELD(ranks), .min = 1,
      .max = 1 << 30 },
    { EVENT_LIST, "list", NULL, .group = G_RUN,
      .help = "print the names that options take", .kind = OPTION_EVENT },
    { EVENT_MAN, "man", NULL, .group = G_RUN,
      .help = "print the manual page (roff)", .kind = OPTION_EVENT },
    { EVENT_VERSION, "version", NULL, .group = G_RUN,
      .help = "print the version", .kind = OPTION_EVENT },
    { EVENT_HELP, "help", NULL, .group = G_RUN, .help = "print this help",
      .kind = OPTION_EVENT },
    { 0 },
};
