/* SPDX-License-Identifier: BSD-3-Clause */
/* Every option of every program: one row each, before it what reads its value. */
#include "settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "bench.h"

/* --- Words of rows ----------------------------------------------------------------- */

static const struct choice protocol_words[] = {
    { "alidade", PROTOCOL_ALIDADE, "until precise, as the other options say" },
    { "omb", PROTOCOL_OMB, "OMB's counts, barriers, clock and buffers" },
    { 0 },
};
static const struct choice clock_words[] = {
    { "auto", CLOCK_AUTO, "tsc if all kernels use it, or posix; mpi with --protocol=omb" },
    { "tsc", CLOCK_TSC, "time stamp counter of the processor" },
    { "posix", CLOCK_POSIX, "clock_gettime" },
    { "mpi", CLOCK_MPI, "MPI_Wtime" },
    { 0 },
};
#define FIXED_ROOT "fixed:R", ROOT_FIXED, "rank R in every iteration"
static const struct choice fixed_root_words[] = { { FIXED_ROOT }, { 0 } };
static const struct choice root_words[] = {
    { FIXED_ROOT },
    { "rotate", ROOT_ROTATES, "the next rank in each iteration" },
    { 0 },
};
static const struct choice buffer_words[] = {
    { "auto", SLOTS_AUTO, "one for all messages to send, one for each to receive, up to 1GiB" },
    { "single", SLOTS_SINGLE, "one for all messages, as in OMB" },
    { "multiple", SLOTS_MULTIPLE, "one for each message" },
    { 0 },
};
static const struct choice gpu_words[] = {
    { "host", DEVICE_HOST, "no GPU memory" },
    { "cuda", DEVICE_CUDA, "CUDA device memory" },
    { "rocm", DEVICE_ROCM, "device memory of an AMD GPU" },
    { "managed", DEVICE_MANAGED, "managed memory of a GPU" },
    { 0 },
};

static const struct choice derived_words[] = {
    { "cont", 0, "contiguous" },
    { "vect:STRIDE:BLOCK", 0, "BLOCK elements of each STRIDE" },
    { "indx:FILE", 0, "the blocks listed in FILE" },
    { 0 },
};

/* --- Values that are more than a word or a number ---------------------------------- */

static const char *parse_check(void *settings, const char *text)
{
    struct settings *s = settings;

    s->check = true;
    if (text == NULL)
        return NULL;
    s->log = strcmp(text, "log") == 0                           ? "validation_output"
             : strncmp(text, "log:", 4) == 0 && text[4] != '\0' ? text + 4
                                                                : NULL;
    if (s->log != NULL && strcmp(s->log, "-") == 0)
        return "names a folder, and standard output is none";
    return s->log == NULL ? "is not log or log:DIR (attached: -clog)" : NULL;
}

static const char *parse_verify(void *settings, const char *text)
{
    struct verification *v = &((struct settings *)settings)->verify;

    *v = (struct verification){ .given = true, .all = strcmp(text, "all") == 0 };
    if (strncmp(text, "soak:", 5) == 0)
        return option_seconds(text + 5, &v->soak_s) == NULL && v->soak_s > 0
                   ? NULL
                   : "has no time after soak: (example: soak:10m)";
    return v->all || number_is(text, 0, 1000000000, &v->n)
               ? NULL
               : "is not a number of iterations up to 1000000000, all or soak:TIME (example: 1000)";
}

static const char *add_types(void *settings, int types)
{
    struct settings *s = settings;

    for (int i = 0; i < s->ntypes; i++) {
        if (types == 1 << s->types[i])
            return "names a type twice";
        types &= ~(1 << s->types[i]); /* all: the others */
    }
    for (int type = 0; type < ELEMENT_COUNT; type++)
        if ((types & 1 << type) != 0)
            s->types[s->ntypes++] = (enum element)type;
    return NULL;
}

static const char *parse_derived(void *field, const char *text)
{
    struct typemap_spec *const spec = field;
    long part[2];

    *spec = (struct typemap_spec){ .kind = TYPEMAP_CONT, .text = text };
    if (strcasecmp(text, "cont") == 0)
        return NULL;
    if (strncasecmp(text, "indx:", 5) == 0 && text[5] != '\0') {
        spec->kind = TYPEMAP_INDX;
        spec->path = text + 5;
        return NULL;
    }
    spec->kind = TYPEMAP_VECT;
    spec->stride = 8;
    spec->block = 4;
    if (strcasecmp(text, "vect") == 0)
        return NULL;
    if (strncasecmp(text, "vect:", 5) != 0 || !number_pair(text + 5, ':', part))
        return "is not cont, vect:STRIDE:BLOCK or indx:FILE";
    if (part[1] < 1 || part[0] > INT_MAX)
        return "has no block of at least one element, or a stride above 2147483647";
    if (part[1] > part[0])
        return "has blocks longer than their stride, so that they overlap";
    spec->stride = (size_t)part[0];
    spec->block = (size_t)part[1];
    return NULL;
}

/* No list, and none in a file. */
static void forget_list(struct sizes *sizes)
{
    free(sizes->list);
    sizes->list = NULL;
    sizes->file = NULL;
}

/* What is left out, NULL or empty, gives way to the other. */
static const char *parse_range(const char *min, const char *max, struct sizes *sizes)
{
    const bool low = min != NULL && *min != '\0';
    const bool high = min == NULL || *max != '\0';
    const char *why = NULL;

    if (!low && !high)
        return "names neither a smallest nor a largest size";
    if (low)
        why = sizes_parse_one(min, &sizes->min);
    if (why == NULL && high)
        why = sizes_parse_one(max, &sizes->max);
    if (why != NULL || sizes->min <= sizes->max)
        return why;
    if (low && high)
        return "has a smallest size above the largest";
    if (low)
        sizes->max = sizes->min;
    else
        sizes->min = sizes->max;
    return NULL;
}

/* MAX, MIN:MAX, MIN:, :MAX or MIN:MAX:FACTOR, over the defaults of what is left out.  A single
   value is the maximum, as in OMB; a default minimum above it is lowered to it. */
static const char *parse_sizes(void *field, const char *text)
{
    struct sizes *const sizes = field;
    char copy[80], *part[3] = { copy, NULL, NULL };
    int n = 1;
    const char *end;

    if (strlen(text) >= sizeof copy)
        return "is larger than this machine can address";
    strcpy(copy, text);
    for (char *colon; n < 3 && (colon = strchr(part[n - 1], ':')) != NULL;) {
        *colon = '\0';
        part[n++] = colon + 1;
    }
    forget_list(sizes);
    sizes->named = (n > 1 && *copy != '\0') || n == 3;
    sizes->factor = n == 3 ? number_real(part[2], &end) : 0;
    if (n == 3 && (*end != '\0' || !(sizes->factor > 1 && sizes->factor <= MiB)))
        return "has a factor that is not a number above 1 (example: 1:4M:4)";
    return n == 1 ? parse_range(NULL, copy, sizes) : parse_range(copy, part[1], sizes);
}

static int ascending(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* Words of a list into an array of their own; n counts them, and line the lines. */
static const char *parse_words(char *text, struct sizes *sizes, int *line)
{
    char *rest = NULL, *row, *word;
    const char *why = NULL;

    sizes->list = malloc((strlen(text) / 2 + 1) * sizeof *sizes->list);
    sizes->n = 0;
    if (sizes->list == NULL)
        return "needs more memory than there is";
    for (; why == NULL && (row = strsep(&text, "\n")) != NULL; ++*line)
        for (; why == NULL && (word = strtok_r(row, ", \t\r", &rest)) != NULL; row = NULL)
            why = sizes_parse_one(word, &sizes->list[sizes->n++]);
    *line = why != NULL ? *line : 0;
    return why != NULL || sizes->n > 0 ? why : "names no size";
}

const char *settings_take_sizes(const char *text, struct sizes *sizes, int *line)
{
    char *words = strdup(text);
    const char *why;

    *line = 0;
    forget_list(sizes);
    sizes->named = true;
    if (words == NULL)
        return "needs more memory than there is";
    why = parse_words(words, sizes, line);
    free(words);
    if (why != NULL)
        return why;
    qsort(sizes->list, sizes->n, sizeof *sizes->list, ascending);
    for (size_t i = 1; i < sizes->n; i++)
        if (sizes->list[i] == sizes->list[i - 1])
            return "names a size twice";
    sizes->min = sizes->list[0];
    sizes->max = sizes->list[sizes->n - 1];
    return NULL;
}

/* SIZE,SIZE,... or @FILE, whose text is read when MPI runs. */
static const char *parse_size_list(void *field, const char *text)
{
    struct sizes *const sizes = field;
    int line;

    if (text[0] != '@')
        return settings_take_sizes(text, sizes, &line);
    forget_list(sizes);
    sizes->file = text + 1;
    return NULL;
}

static const char *parse_order(void *settings, const char *text)
{
    struct settings *s = settings;

    s->seed = 0;
    return settings_parse_order(text, &s->order, &s->seed);
}

static const char *parse_use(void *settings, const char *text)
{
    struct settings *s = settings;
    const char *bytes, *why;
    const struct choice *use = choice_before_colon(settings_use_words, text, &bytes);

    if (use == NULL || (bytes != NULL && use->value != BUFFERS_ROTATE))
        return choice_none;
    s->use = (enum buffer_use)use->value;
    s->pool = 0;
    why = bytes != NULL ? sizes_parse_one(bytes, &s->pool) : NULL;
    return why == NULL && bytes != NULL && s->pool == 0 ? "has a pool of 0 bytes" : why;
}

static const char *parse_fixed_root(void *root, const char *text)
{
    long rank;

    if (strncasecmp(text, "fixed:", 6) != 0)
        return choice_none;
    if (!number_is(text + 6, 0, INT_MAX - 1, &rank))
        return "has no rank after fixed:";
    *(int *)root = (int)rank;
    return NULL;
}

static const char *parse_root(void *root, const char *text)
{
    if (strcasecmp(text, "rotate") != 0)
        return parse_fixed_root(root, text);
    *(int *)root = ROOT_ROTATES;
    return NULL;
}

static const char *parse_percentiles(void *settings, const char *list)
{
    struct settings *s = settings;
    const char *word;
    size_t n;

    s->npercentiles = 0;
    while (option_next(&list, &word, &n)) {
        const char *end;
        const double p = number_real(word, &end);

        if (n == 0 || end != word + n)
            return "is not a list of percentiles (example: -z50,99.9; the list is attached to -z)";
        if (!(p >= 0 && p <= 100))
            return "has a percentile outside 0 to 100";
        for (int i = 0; i < s->npercentiles; i++)
            if (s->percentiles[i] == p)
                return "names a percentile twice";
        if (s->npercentiles == PERCENTILES_MAX)
            return "has more than 16 percentiles";
        s->percentiles[s->npercentiles++] = p;
    }
    return s->npercentiles > 0 ? NULL : "is empty";
}

static const char *add_column(void *settings, int number)
{
    struct settings *s = settings;

    for (int i = 0; i < s->ncolumns; i++)
        if (s->columns[i] == number)
            return "names a column twice";
    s->columns[s->ncolumns++] = number;
    return NULL;
}

static const char *parse_parameter(void *settings, const char *list)
{
    struct settings *s = settings;

    if (strcmp(list, "all") == 0) {
        s->nparameters = 1;
        s->parameter[0] = PARAMETER_OWN;
        return NULL;
    }
    return option_numbers(list, s->parameter, &s->nparameters);
}

/* --- Options that others leave without effect ------------------------------------ */

#define MOOT_IF_FIXED .moot = settings_fixed, .moot_because = "-i, -x or --protocol=omb was given"
#define MOOT_WITH_WINDOWS                                                                          \
    .moot = shows_windows, .moot_because = "the table of -V has other columns, and there is no "   \
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

static bool shows_windows(const struct settings *s)
{
    return s->vary_window && !settings_named(s, "json") && !settings_named(s, "csv");
}

/* --- Rows -------------------------------------------------------------------------- */

#define FIELD(name) .offset = offsetof(struct settings, name)
#define MOVING      TAKEN(TAKES_SIZES, "programs with message sizes")
#define CHECKED     TAKEN(TAKES_CHECK, "programs that verify data")
#define VERIFIED    TAKEN(TAKES_VERIFY, "programs that verify data, barriers")

/* Some say more of a program that is known: fit. */
static const struct option_row core_rows[] = {
    { 'm', "message-size", "[MIN:]MAX", .group = OPTIONS_DATA, MOVING, .common = true,
      .help = "message sizes in bytes, doubling; also MIN:, :MAX and MIN:MAX:FACTOR; suffixes K, "
              "M, G are powers of 1024, and 2^20 is a power",
      .kind = OPTION_SPECIAL, .parse = parse_sizes, FIELD(sizes), .moot = has_list,
      .moot_because = "--sizes lists the sizes" },
    { 0, "sizes", "SIZE[,SIZE...]|@FILE", .group = OPTIONS_DATA, MOVING,
      .help = "these sizes instead of -m; FILE lists them, and rank 0 reads it",
      .kind = OPTION_SPECIAL, .parse = parse_size_list, FIELD(sizes), .moot = has_no_list,
      .moot_because = "-m follows it" },
    { 0, "order", "HOW", .group = OPTIONS_DATA, MOVING, .help = "order of the sizes",
      .fallback = "up", .kind = OPTION_SPECIAL, .choices = settings_order_words,
      .parse = parse_order },
    { 'T', "type", "TYPE[,TYPE...]", .group = OPTIONS_DATA,
      TAKEN(TAKES_TYPE | TAKES_INTEGER_TYPE, "programs that send elements"),
      .help = "element types; repeatable", .kind = OPTION_LIST, .choices = settings_type_words,
      .add = add_types },
    { 'D', "ddt", "KIND", .group = OPTIONS_DATA,
      TAKEN(TAKES_DERIVED, "programs that move data without reducing them"),
      .help = "derived datatype, as long as the message; FILE has lines of "
              "DISPLACEMENT,LENGTH in elements",
      .fallback = "none; vect: 8:4", .kind = OPTION_SPECIAL, .choices = derived_words,
      .parse = parse_derived, FIELD(derived), .json = "derived" },
    { 'c', "validation", "log[:DIR]", .optional = true, .group = OPTIONS_DATA, .common = true,
      CHECKED,
      .help = "print a Validation column; data are verified even without it, outside the timed "
              "iterations; -clog also writes errors to DIR/log-RANK.log; DIR must be new, and is "
              "validation_output if it is not given",
      .kind = OPTION_SPECIAL, .parse = parse_check },
    { 0, "verify", "N|all|soak:TIME", .group = OPTIONS_DATA, VERIFIED,
      .help = "verify this many iterations of each row, and go on after wrong data; all: -i or "
              "OMB's number; soak: as many as fit into TIME, shared by all rows",
      .fallback = "1; with -c all", .kind = OPTION_SPECIAL, .parse = parse_verify },
    { 0, "no-verify", NULL, .group = OPTIONS_DATA, VERIFIED, .help = "the same as --verify=0",
      .kind = OPTION_SPECIAL, .missing = "0", .parse = parse_verify },

    { 'i', "iterations", "N", .group = OPTIONS_TIME, .common = true, TIMED,
      .help = "timed iterations per row; without -x, OMB's warm-up precedes them; SIZE:N:N is for "
              "sizes up to SIZE and beyond; SIZE:N,SIZE:N,... is for more sizes, and the last N "
              "for all beyond",
      .fallback = "until precise", .kind = OPTION_COUNT, FIELD(iterations), .min = 1, .max = 1e9 },
    { 'x', "warmup", "N", .group = OPTIONS_TIME, .common = true, TIMED,
      .help = "warm-up iterations per row; by size as in -i; without -i, OMB's "
              "number of timed iterations follows",
      .fallback = "until steady", .kind = OPTION_COUNT, FIELD(warmup), .max = 1e9 },
    { 0, "precision", "PERCENT", .group = OPTIONS_TIME, .common = true, TIMED,
      .help = "target for the 95% interval of the median; a row ends when "
              "the half-width is below PERCENT; below 1% --budget is 10s",
      .fallback = "1%", .kind = OPTION_PERCENT, FIELD(precision), MOOT_IF_FIXED },
    { 0, "budget", "TIME", .group = OPTIONS_TIME, .common = true,
      TAKEN(TAKES_ITERATIONS, "programs that time iterations, noise"),
      .help = "end a row after this time; the first 20 iterations may take half as long again; by "
              "default 1,000 in 2.5ms are enough; suffixes us, ms, s, m, h",
      .fallback = "50ms", .kind = OPTION_SECONDS, FIELD(budget_s), .min = 1e-6, MOOT_IF_FIXED },
    { 0, "total", "TIME", .group = OPTIONS_TIME, TIMED,
      .help = "start no further row after this time; a line after the table "
              "names the rows left out",
      .fallback = "no limit", .kind = OPTION_SECONDS, FIELD(total_s), .min = 1e-6 },
    { 0, "disturbed", "HOW", .group = OPTIONS_TIME, TIMED,
      .help = "what becomes of a batch of iterations in which the kernel took the CPU from a rank",
      .fallback = "leave-out", .kind = OPTION_CHOICE, FIELD(disturbed),
      .choices = settings_disturbed_words, .moot = leaves_out,
      .moot_because = "-i, -x or --protocol=omb was given" },
    { 0, "protocol", "NAME", .group = OPTIONS_TIME, TIMED,
      .help = "way of measuring; omb continues old series: OMB's numbers of "
              "iterations and warm-ups, MPI_Barrier, MPI_Wtime, one receive "
              "buffer for a window, reductions of mpi_char",
      .fallback = "alidade", .kind = OPTION_CHOICE, FIELD(protocol), .choices = protocol_words },
    { 0, "start", "HOW", .group = OPTIONS_TIME, TIMED,
      .help = "how ranks are synchronized: before each iteration; where iterations "
              "follow without a pause, as in latency, before each batch",
      .fallback = "dissemination", .kind = OPTION_CHOICE, FIELD(start),
      .choices = settings_start_words },
    { 0, "clock", "KIND", .group = OPTIONS_TIME, TIMED, .help = "clock that times iterations",
      .fallback = "auto", .kind = OPTION_CHOICE, FIELD(clock), .choices = clock_words,
      .json = "clock" },

    { 'W', "window-size", "N", .group = OPTIONS_FLIGHT, .common = true,
      TAKEN(TAKES_WINDOW, "programs for bandwidth"), .help = "messages in flight", .fallback = "64",
      .kind = OPTION_INT, FIELD(window), .min = 1, .max = 1 << 24 },
    { 'V', "vary-window", NULL, .group = OPTIONS_FLIGHT, TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"),
      .help = "print a column for each window of 1, 2, 4, ... 128 messages; "
              "-c, -z and --columns then go to --json and --csv only",
      .kind = OPTION_FLAG, FIELD(vary_window) },
    { 'b', "buffer-num", "KIND", .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_BUFFERS, "programs for bandwidth between ranks"),
      .help = "buffers of a window; single by default with --protocol=omb", .fallback = "auto",
      .kind = OPTION_CHOICE, FIELD(slots), .choices = buffer_words, .json = "send_buffers" },
    { 'p', "num-pairs", "N", .group = OPTIONS_FLIGHT, .common = true,
      TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"), .help = "communicating pairs",
      .fallback = "half the ranks", .kind = OPTION_INT, FIELD(pairs), .min = 1, .max = 1 << 30 },
    { 0, "pairs", "HOW", .group = OPTIONS_FLIGHT,
      TAKEN(TAKES_PAIRING, "programs that measure many pairs of ranks"),
      .help = "which ranks are partners", .fallback = "auto", .kind = OPTION_SPECIAL,
      .choices = pairing_words, .parse = pairing_parse, FIELD(pairing), .json = "pairing",
      .given = "auto" },
    { 'R', "print-rate", "0|1", .group = OPTIONS_FLIGHT, TAKEN(TAKES_PAIRS, "mbw_mr, mbibw_mr"),
      .help = "print the message rate: 1 yes, 0 no", .fallback = "1", .kind = OPTION_INT,
      FIELD(print_rate), .max = 1 },

    { 'l', "in-place", NULL, .group = OPTIONS_COLLECTIVE,
      TAKEN(TAKES_IN_PLACE, "collectives that can work in place"),
      .help = "use MPI_IN_PLACE; with a root on the root alone", .kind = OPTION_FLAG,
      FIELD(in_place), .json = "in_place" },
    { 'k', "root-rank", "fixed:R|rotate", .group = OPTIONS_COLLECTIVE, .common = true,
      TAKEN(TAKES_ROOT, "collectives with a root"), .help = "root of the collective",
      .fallback = "fixed:0", .kind = OPTION_INT, .choices = root_words, .parse = parse_root,
      FIELD(root), .json = "root" },

    { 'u', "validation-warmup", "N", .group = OPTIONS_COMPATIBLE, CHECKED,
      .help = "ignored: verification needs no warm-up (0 to 10)", .kind = OPTION_INT,
      FIELD(validation_warmup), .max = 10, .moot = always,
      .moot_because = "verification needs no warm-up" },
    { 'f', "full", NULL, .group = OPTIONS_OUTPUT,
      .help = "also print the minimum and maximum over the ranks' means, or the parts of the value",
      .kind = OPTION_FLAG, FIELD(full) },
    { 'z', "tail-lat", "P[,P...]", .optional = true, .group = OPTIONS_OUTPUT, TIMED,
      .help = "percentile columns over iterations", .fallback = "off; P: 50,90,99",
      .missing = "50,90,99", .kind = OPTION_SPECIAL, .parse = parse_percentiles,
      MOOT_WITH_WINDOWS },
    { 0, "columns", "NAME[,NAME...]", .group = OPTIONS_OUTPUT, .common = true, TIMED,
      .help = "more columns: median, ci_low, ci_high, ...; -z has the percentiles",
      .kind = OPTION_LIST, .add = add_column, MOOT_WITH_WINDOWS },
    { 'd', "accelerator", "KIND", .group = OPTIONS_MEMORY, .common = true,
      .help = "initialize the GPU before MPI", .fallback = "host", .kind = OPTION_CHOICE,
      FIELD(device), .choices = gpu_words },
    { 'M', "mem-limit", "BYTES", .group = OPTIONS_MEMORY,
      TAKEN(TAKES_SIZES | TAKES_MEMORY_LIMIT, "programs with several message sizes, is, ft"),
      .help = "skip sizes that need more than this many bytes per rank", .fallback = "free memory",
      .kind = OPTION_SIZE, FIELD(memory_limit), .min = 1 },
    { 'I', "session", NULL, .group = OPTIONS_RUN, .help = "start MPI with MPI_Session_init (MPI-4)",
      .kind = OPTION_FLAG, FIELD(session) },
    { 0 },
};

/* They stand below those of watch_options, and --help is in this order. */
static const struct option_row last_rows[] = {
    { 0, "buffers", "WHICH", .group = OPTIONS_MEMORY,
      TAKEN(TAKES_ROTATION, "programs whose operations can change buffers"),
      .help = "buffers of successive iterations", .fallback = "reuse", .kind = OPTION_SPECIAL,
      .choices = settings_use_words, .parse = parse_use },
    { 0, "touch", NULL, .group = OPTIONS_MEMORY,
      TAKEN(TAKES_TOUCH, "programs whose operations can change buffers, and "
                         "that post no receive ahead"),
      .help = "before each iteration, untimed, write the data to send and read the data received",
      .kind = OPTION_FLAG, FIELD(touch) },

    { EVENT_USAGE, "usage", NULL, .group = OPTIONS_RUN, .help = "print a short help",
      .kind = OPTION_EVENT },
    { EVENT_HELP, "help", NULL, .group = OPTIONS_RUN, .help = "print this help",
      .kind = OPTION_EVENT },
    { EVENT_VERSION, "version", NULL, .group = OPTIONS_RUN, .help = "print the version",
      .kind = OPTION_EVENT },

    /* Families have rows of their own with these letters. */
    { 'a', "array-size", "N", .group = OPTIONS_COMPATIBLE,
      TAKEN(TAKES_IDLE, "no program; collectives accept it"),
      .help = "size of the array in OMB's computation on a GPU" },
    { 'r', "cuda-target", "WHAT", .group = OPTIONS_COMPATIBLE,
      TAKEN(TAKES_IDLE, "non-blocking collectives"), .help = "what computes during the operation" },
    { 't', "num-test-calls", "N", .group = OPTIONS_COMPATIBLE,
      TAKEN(TAKES_IDLE, "programs that compute, of threads or of processes"),
      .help = "MPI_Test calls during the computation" },
    { 0 },
};

/* Has the report columns that -f adds? */
static bool has_full(const struct report *r)
{
    const struct report_column *c = r->headline;

    while (report_is_column(c) && !c->full)
        c++;
    return report_is_column(c);
}

static void fit(struct option_row *row, const struct bench *b, const struct settings *s)
{
    if (row->add == add_column)
        row->choices = s->column_words;
    switch (row->key) {
    case 'm':
        row->fallback = s->own_sizes;
        break;
    case 'T':
        if (b->takes & TAKES_INTEGER_TYPE)
            row->choices = settings_whole_type_words;
        row->fallback = choice_word(settings_type_words, 1 << bench_element(b));
        break;
    case 'k':
        if (b->loop & BINDS_BUFFERS) {
            row->argument = "fixed:R";
            row->choices = fixed_root_words;
            row->parse = parse_fixed_root;
        }
        break;
    case 'f':
        if (has_full(b->report))
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
            row->help = "percentile columns: P% of the iterations reach this bandwidth";
        else if (b->timed != TIMED_RANK_0)
            row->help = "percentile columns over iterations, of the slowest rank in each";
        break;
    case 'd':
        if (bench_has_sides(b, s))
            row->help = "use GPU memory: cuda or rocm; SRC DST name the buffers in it, "
                        "such as D D or MD MD";
        else if (bench_is_sized(b) && b->flow->sides == SIDES_NONE)
            row->help = "memory type of all buffers";
        break;
    case 'M':
        if (b->takes & TAKES_MEMORY_LIMIT)
            row->help = "refuse to start if it needs more than this many bytes per rank";
        break;
    default:
        break;
    }
}

/* --- The rows of a program --------------------------------------------------------- */

/* Groups of options that the program takes: its own, and those that follow from what it does. */
static unsigned takes_of(const struct bench *b)
{
    const bool sum = b->flow->sum, elements = b->takes & TAKES_TYPE,
               rotates = b->takes & TAKES_SIZES && !(b->loop & BINDS_BUFFERS),
               moves = elements && !sum && !b->flow->elsewhere && b->needs != NEEDS_PARTITIONED;

    return b->takes | (b->flow->blocks != BLOCKS_EQUAL ? TAKES_COUNTS : 0) |
           (b->takes & TAKES_CHECK || b->flow->synchronizes ? TAKES_VERIFY : 0) |
           (moves ? TAKES_DERIVED : 0) | (elements && sum ? TAKES_SUMS : 0) |
           (rotates ? TAKES_ROTATION : 0) | (rotates && !(b->loop & POSTS_AHEAD) ? TAKES_TOUCH : 0);
}

/* Does OMB take that letter in this program, where it has no effect? */
static bool is_idle(const struct bench *b, const struct option_row *row)
{
    const bool computes = b->takes & TAKES_ITERATIONS && has_full(b->report);

    return option_has_letter(row) && ((b->idle != NULL && strchr(b->idle, row->key) != NULL) ||
                                      (computes && strchr("ar", row->key) != NULL));
}

/* The row of the option that names values of a parameter. */
static struct option_row parameter_row(const struct parameter *p, struct settings *s)
{
    return (struct option_row){ .key = p->letter,
                                .name = p->option,
                                .argument = p->argument,
                                .group = p->group != 0 ? p->group : OPTIONS_FLIGHT,
                                .common = true,
                                .help = p->help,
                                .fallback = p->fallback,
                                .kind = OPTION_SPECIAL,
                                .parse = parse_parameter,
                                .taken = true,
                                .base = s };
}

/* Are they one option: of one letter, or without a letter of one name? */
static bool is_alike(const struct option_row *a, const struct option_row *b)
{
    return a->key == b->key && (a->key != 0 || strcmp(a->name, b->name) == 0);
}

/* Of rows that are alike one stays: the first that the program takes, or else the first. */
static void add_row(struct settings *s, int *n, const struct option_row *row)
{
    int i = 0;

    while (i < *n && !is_alike(&s->rows[i], row))
        i++;
    if (i < *n) {
        if (s->rows[i].taken || !row->taken)
            return;
        memmove(&s->rows[i], &s->rows[i + 1], (size_t)(--*n - i) * sizeof *s->rows);
    }
    if (*n < OPTION_ROWS - 1)
        s->rows[(*n)++] = *row;
}

/* Those of one origin, which write into base. */
static void add_rows(struct settings *s, int *n, const struct bench *b,
                     const struct option_row *more, void *base)
{
    const unsigned takes = takes_of(b);

    for (; more != NULL && more->name != NULL; more++) {
        struct option_row row = *more;

        row.base = base;
        row.taken = row.takers == 0 || (row.takers & takes) != 0;
        row.idle = !row.taken && is_idle(b, &row);
        if (base == s)
            fit(&row, b, s);
        add_row(s, n, &row);
    }
}

/* The core's, those of watch_options, the family's and that of the parameter. */
static void collect_rows(const struct bench *b, struct settings *s)
{
    const struct plan plan = bench_plan(b, s);
    const struct parameter *parameter = plan.swept != NULL ? plan.swept : &b->parameter;
    int n = 0;

    add_rows(s, &n, b, core_rows, s);
    for (int i = 0; watch_options[i] != NULL; i++)
        add_rows(s, &n, b, watch_options[i]->rows, s->asked[i]);
    add_rows(s, &n, b, last_rows, s);
    add_rows(s, &n, b, bench_family(b)->options, s->family);
    if (parameter->option != NULL) {
        const struct option_row row = parameter_row(parameter, s);

        add_row(s, &n, &row);
    }
}

/* What the rows of the family and of watch_options write into; false: there is no memory. */
static bool begin_parts(struct settings *s, const struct bench *b)
{
    const struct family *family = bench_family(b);
    int n = 0;

    s->family = family->settings > 0 ? malloc(family->settings) : NULL;
    if (s->family == NULL && family->settings > 0)
        return false;
    if (s->family != NULL)
        memcpy(s->family, family->defaults, family->settings);
    while (watch_options[n] != NULL)
        n++;
    s->asked = calloc((size_t)n + 1, sizeof *s->asked);
    for (int i = 0; i < n && s->asked != NULL; i++) {
        s->asked[i] = calloc(1, watch_options[i]->size);
        if (s->asked[i] == NULL)
            return false;
        if (watch_options[i]->begin != NULL)
            watch_options[i]->begin(s->asked[i], b, s);
    }
    return s->asked != NULL;
}

/* "4:1M". */
static void print_range(size_t least, size_t most, char text[SIZES_ROOM])
{
    static const char suffix[] = "\0KM";
    int at[2] = { 0, 0 };
    size_t size[2] = { least, most };

    for (int i = 0; i < 2; i++)
        for (; size[i] > 0 && size[i] % KiB == 0 && at[i] < 2; size[i] /= KiB)
            at[i]++;
    snprintf(text, SIZES_ROOM, "%zu%.1s:%zu%.1s", size[0], &suffix[at[0]], size[1], &suffix[at[1]]);
}

void settings_begin(struct settings *s, const struct bench *b)
{
    const size_t element = element_size(bench_element(b));

    *s = (struct settings){
        .sizes = b->sizes,
        .precision = USUAL_PRECISION,
        .window = 64,
        .print_rate = 1,
        .of_omb = bench_is_of_omb(b),
    };
    s->rows = calloc(OPTION_ROWS, sizeof *s->rows);
    if (s->rows == NULL || !begin_parts(s, b)) {
        settings_release(s);
        return;
    }
    print_range(b->sizes.min > element ? b->sizes.min : element, b->sizes.max, s->own_sizes);
    collect_rows(b, s);
}
