/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command lines of the programs as they are, and what becomes of each: settings that differ
 * from those of an empty line, or the sentence that refuses it.  And what -h and --help print,
 * against golden files: ALIDADE_UPDATE=1 rewrites them.
 */
#include "unit_parse.h"

#include "counters/counters.h"
#include "drawings/graph.h"
#include "dry_run/dry_run.h"
#include "expect/expect.h"
#include "gpu/gpu.h"
#include "groups/groups.h"
#include "hang/hang.h"
#include "job/world.h"
#include "neighbors/neighbors.h"
#include "options/settings_rows.c"
#include "overlap/overlap.h"
#include "partitions/partitions.h"
#include "processes/processes.h"
#include "record/record.h"
#include "rma/rma.h"
#include "run/run.h"
#include "suite.h"
#include "threads/threads.h"

BEFORE_TESTS
{
    programs_load();
}

static const struct bench *bench_of(const char *name)
{
    for (const struct program *p = programs; p->path != NULL; p++)
        if (strcmp(p->bench->name, name) == 0)
            return p->bench;
    fail_msg("no program %s", name);
    return NULL;
}

/* --- Settings in words ----------------------------------------------------------- */

enum { ROOM = 400 };

static const char *of_start(const struct settings *s)
{
    return choice_word(settings_start_words,
                       s->start != START_UNSET ? (int)s->start : START_DISSEMINATION);
}

static void tell_counts(const char *name, const struct sizes_count *count, FILE *to)
{
    fprintf(to, "\n%s=", name);
    for (int i = 0; i < count->steps; i++)
        fprintf(to, "%ld ", count->step[i].n);
}

static void tell_lists(const struct bench *b, const struct settings *s, FILE *to)
{
    const size_t element = element_size(bench_element(b));
    char name[40];

    tell_counts("iterations", &s->iterations, to);
    tell_counts("warmup", &s->warmup, to);
    fprintf(to, "\nsizes=%zu:%zu ",
            s->sizes.min > 0 && s->sizes.min < element ? element : s->sizes.min, s->sizes.max);
    for (size_t i = 0; s->sizes.list != NULL && i < s->sizes.n; i++)
        fprintf(to, "%zu ", s->sizes.list[i]);
    fputs("\ntypes=", to);
    for (int i = 0; i < s->ntypes || i == 0; i++)
        fprintf(to, "%s ",
                choice_word(settings_type_words,
                            1 << (s->ntypes > 0 ? s->types[i] : bench_element(b))));
    fputs("\npercentiles=", to);
    for (int i = 0; i < s->npercentiles; i++)
        fprintf(to, "%g ", s->percentiles[i]);
    fputs("\ncolumns=", to);
    for (int i = 0; i < s->ncolumns; i++)
        fprintf(to, "%s ", choice_word(s->column_words, s->columns[i]));
    fputs("\nvalues=", to);
    for (int i = 0; i < s->nparameters; i++)
        fprintf(to, "%ld ", s->parameter[i]);
    fputs("\nevents=", to);
    for (int i = 0; i < ASKED(counters, s)->n; i++)
        fprintf(to, "%s ", ASKED(counters, s)->event[i]);
    fputs("\nignored=", to);
    for (const struct option_row *row = NULL; (row = option_moot(s, row)) != NULL;)
        fprintf(to, "%s ", option_spelling(row, name));
    fprintf(to, "\nstray=%s", s->stray);
}

/* Times and shares as numbers, since 100us is not exactly 1e-4; all else as it is. */
static void tell_bytes(const struct bench *b, const struct settings *s, FILE *to)
{
    const size_t size = bench_family(b)->settings;
    unsigned char at[4096];

    assert_in_range(size, 0, sizeof at);
    fputs("\nfamily=", to);
    for (size_t i = 0; i < size; i++)
        at[i] = ((const unsigned char *)s->family)[i];
    for (const struct option_row *row = s->rows; row->name; row++)
        if (row->base == s->family &&
            (row->kind == OPTION_SECONDS || row->kind == OPTION_PERCENT)) {
            double number;

            memcpy(&number, at + row->offset, sizeof number);
            memset(at + row->offset, 0, sizeof number);
            fprintf(to, "%g,", number);
        }
    for (size_t i = 0; i < size; i++)
        fprintf(to, "%02x", at[i]);
}

static void tell_family(const struct bench *b, const struct settings *s, FILE *to)
{
    const int *const two = s->family; /* of these, numbers alone */

    if (b->family == &rma_family)
        fprintf(to, "\nsync=%s\nwin=%s\ntarget=%d",
                choice_word(rma_sync_words, (int)rma_sync_of(b, s)),
                choice_word(rma_window_words, (int)rma_window_kind(b, s)), rma_settings(s)->target);
    else if (b->family == &overlap_family)
        fprintf(to, "\ntests=%d\ntarget=%d", overlap_settings(s)->tests,
                (int)overlap_settings(s)->target);
    else if (b->family == &partitions_family)
        fprintf(to, "\npartitions=%d\nready=%d:%lu\nthreads=%d", partitions_settings(s)->n,
                (int)partitions_settings(s)->order, partitions_settings(s)->seed,
                partitions_settings(s)->threads);
    else if (strcmp(bench_family(b)->name != NULL ? b->family->name : "", neighbors_family.name) ==
             0)
        fprintf(to, "\ntests=%d\ntarget=%d\ntopology=%s", overlap_settings(s)->tests,
                (int)overlap_settings(s)->target, neighbors_settings(s)->topology);
    else if (b->family == &threads_family || b->family == &processes_family)
        fprintf(to, "\nsides=%d:%d", two[0], two[1]);
    else if (b->family == &groups_family)
        fprintf(to, "\ngroups=%d", two[0]);
    else
        tell_bytes(b, s, to);
}

/* "NAME=VALUE" of all that options set, a line each; to be freed. */
static char *tell(const struct bench *b, const struct settings *s)
{
    struct unit_text out;

    unit_text_open(&out);
    fprintf(out.to, "until=%g/%gs\nfixed=%d\ntotal=%g\ntimeout=%g\nstart=%s", s->precision,
            settings_budget(s), settings_fixed(s), s->total_s, ASKED(hang, s)->timeout_s,
            of_start(s));
    fprintf(out.to, "\nprotocol=%d\nclock=%d\ndisturbed=%d\norder=%d:%lu", (int)s->protocol,
            (int)s->clock, (int)s->disturbed, (int)s->order, s->seed);
    fprintf(out.to, "\nwindow=%d\nvary=%d\nbuffers=%d\npairs=%d:%d\nrate=%d", s->window,
            s->vary_window, s->slots, s->pairs, (int)s->pairing.kind, s->print_rate);
    fprintf(out.to, "\nin_place=%d\nroot=%d\nfull=%d\ncheck=%d\nlog=%s", s->in_place, s->root,
            s->full, s->check, s->log != NULL ? s->log : "");
    fprintf(out.to, "\nno_verify=%d\nu=%d\nraw=%d\nplan=%d\nranks=%d", !settings_verifies(s),
            s->validation_warmup, ASKED(record, s)->raw, ASKED(dry_run, s)->wanted,
            ASKED(dry_run, s)->ranks);
    fprintf(out.to, "\nverify=%d:%d:%ld:%g", s->verify.given, s->verify.all, s->verify.n,
            s->verify.soak_s);
    fprintf(out.to, "\njson=%s\ncsv=%s\ngraphs=%u\nevents_file=%s",
            ASKED(record, s)->json != NULL ? ASKED(record, s)->json : "",
            ASKED(record, s)->csv != NULL ? ASKED(record, s)->csv : "", ASKED(graph, s)->forms,
            ASKED(counters, s)->file);
    fprintf(out.to, "\ndevice=%d\nmemory=%d-%d,%d\ngpu_map=%d\nlimit=%zu", (int)s->device,
            (int)s->memory[0], (int)s->memory[1], s->nwords, (int)ASKED(gpu, s)->policy,
            s->memory_limit);
    fprintf(out.to, "\npool=%d:%zu\ntouch=%d\nderived=%d\nexpect=%d\nsession=%d", (int)s->use,
            s->pool, s->touch, (int)s->derived.kind, ASKED(expect, s)->n, s->session);
    tell_lists(b, s, out.to);
    tell_family(b, s, out.to);
    return unit_text_close(&out);
}

/* "iterations=5; fixed=1": what differs from the settings without options. */
static void describe(const struct bench *b, const struct settings *s, char text[ROOM])
{
    struct unit_parsed without;
    char *plain, *told, *a, *c, *rest_a, *rest_c;
    int n = 0;

    unit_parse_of(&without, b, "");
    plain = tell(b, &without.settings);
    told = tell(b, s);
    text[0] = '\0';
    a = strtok_r(plain, "\n", &rest_a);
    for (c = strtok_r(told, "\n", &rest_c); c != NULL; c = strtok_r(NULL, "\n", &rest_c)) {
        const int blank = c[strlen(c) - 1] == ' ';

        if (strcmp(a, c) != 0)
            n += snprintf(text + n, (size_t)(ROOM - n), "%s%.*s", n > 0 ? "; " : "",
                          (int)strlen(c) - blank, c);
        a = strtok_r(NULL, "\n", &rest_a);
    }
    free(plain);
    free(told);
    settings_release(&without.settings);
}

/* --- Command lines --------------------------------------------------------------- */

#define NOT_A_SIZE                                                                                 \
    "is not a size (examples: 8, 64K, 2^20, 1:4M, :64K, 8:8; a list of "                           \
    "sizes: --sizes=1,2,4)"
#define NOT_A_COLUMN                                                                               \
    "is not one of median, ci_low, ci_high, half_width, tau, n_eff, min, max, stddev, "            \
    "completion, iterations, samples, stop, disturbed, outliers, drift, slowest_rank, "            \
    "global, skew, late, residual, speed"
#define NOT_A_TYPE                                                                                 \
    "is not one of mpi_char, mpi_int, mpi_float, mpi_double, mpi_int64, all, "                     \
    "mpi_uint8, mpi_uint64, mpi_complex, mpi_float16, mpi_bfloat16"
#define NOT_A_LIST                                                                                 \
    "is not a list of percentiles (example: -z50,99.9; the list is attached "                      \
    "to -z)"
#define NOT_A_TIME    "is not a time (examples: 0.5, 50ms, 10s, 2m)"
#define NOT_A_PERCENT "is not a percentage (examples: 0.5%, 1, 5%)"
#define NOT_WITHIN    "is not above 0% and below 100%"
#define STRAY_NUMBER                                                                               \
    "; iterations are set with -i N, sizes with -m MIN:MAX; a list has "                           \
    "commas and no blanks: --sizes=8,16, -z50,99"
#define STRAY_WORD                                                                                 \
    "; without an option only SRC DST are allowed, each H, HH, HP, D, F, M, "                      \
    "MD or MH"
#define NOT_AN_ORDER "is not one of up, down, random, random:SEED"
#define NOT_A_COUNT                                                                                \
    "is not a number of iterations, nor up to 16 by size (examples: 100, "                         \
    "8192:1000:100, 8192:1000,1M:100,0:10)"
#define NOT_A_SEED      "has a seed that is not a whole number above 0"
#define NOT_A_USE       "is not one of reuse, rotate, rotate:BYTES"
#define MOVING_PROGRAMS "programs with message sizes"

/* clang-format off */
static const struct line {
    const char *line, *program;
    const char *becomes;
    int ranks; /* 0: not yet known */
} lines[] = {
    /* Accepted. */
    { "-i 5", "bw", "fixed=1; iterations=5" },
    { "--iterations 5", "bw", "fixed=1; iterations=5" },
    { "--iterations=1000000000", "bw", "fixed=1; iterations=1000000000" },
    { "-x 0", "bw", "fixed=1; warmup=0" },
    { "-i 5 -i 6", "bw", "fixed=1; iterations=6" },
    { "-i 8:5:3 -i 6", "bw", "fixed=1; iterations=6" },
    { "-x 8192:5:0", "bw", "fixed=1; warmup=5 0" },
    { "-W 1", "bw", "window=1" },
    { "-W 16777216", "bw", "window=16777216" },
    { "--window 8", "bw", "window=8" },
    { "-b multiple", "bw", "buffers=2" },
    { "-p 3", "mbw_mr", "pairs=3:0" },
    { "-R 0", "mbw_mr", "rate=0" },
    { "-l", "allreduce", "in_place=1" },
    { "-k fixed:12", "reduce", "root=12" },
    { "-k ROTATE", "reduce", "root=-1" },
    { "-k rotate -k fixed:0", "reduce", "" },
    { "-t 100", "iallreduce", "tests=100" },
    { "-t 3", "latency_mt", "sides=1:3" },
    { "-t 2:128", "latency_mt", "sides=2:128" },
    { "-t 2:3 -t 4", "latency_mt", "sides=1:4" },
    { "-t 4", "latency_mp", "sides=4:4" },
    { "--num-processes 0:3", "latency_mp", "sides=0:3" },
    { "-q 5", "partitioned_latency", "partitions=5" },
    { "--pready-order random:9", "partitioned_latency", "ready=2:9" },
    { "--pready-threads 3", "partitioned_latency", "threads=3" },
    { "--pready-order Down", "partitioned_latency", "ready=1:1" },
    { "-V", "mbw_mr", "vary=1" },
    { "--groups 4", "bw_fan_in", "groups=4" },
    { "-s lock", "put_latency", "sync=lock" },
    { "-s flush", "put_latency", "" },
    { "-s PSCW", "put_latency", "sync=pscw" },
    { "-w Dynamic", "put_latency", "win=dynamic" },
    { "-s fence", "put_bibw", "sync=fence" },
    { "-f", "latency", "full=1; ignored=-f" },
    { "-f", "barrier", "full=1" },
    { "-fc", "bw", "full=1; check=1; ignored=-f" },
    /* As OMB: -f takes no value. */
    { "-x 1000 -f 1000 5", "allreduce", "fixed=1; full=1; warmup=1000; stray=1000 5" },
    { "--validation", "bw", "check=1" },
    { "-c -u 10", "bw", "check=1; u=10; ignored=-u" },
    { "--no-verify", "bw", "no_verify=1; verify=1:0:0:0" },
    { "--verify=5", "ibarrier", "verify=1:0:5:0" },
    { "--verify=0", "bw", "no_verify=1; verify=1:0:0:0" },
    { "--verify=all", "bw", "verify=1:1:0:0" },
    { "--verify=all --verify soak:2m", "bw", "verify=1:0:0:120" },
    { "--dry-run", "bw", "plan=1" },
    { "--start library", "bw", "start=library" },
    { "--start=Dissemination", "bw", "" },
    { "-d cuda", "latency", "device=1" },
    { "-dROCM", "latency", "device=2" },
    { "-i 5 D D", "latency", "fixed=1; memory=3-3,2; iterations=5" },
    { "D D -i 5", "latency", "fixed=1; memory=3-3,2; iterations=5" },
    { "M H", "latency", "memory=5-0,2" },
    { "MD MH", "latency", "memory=6-7,2" },
    { "H hh", "latency", "memory=0-1,2" },
    { "-- D H", "latency", "memory=3-0,2" },
    { "--budget 250us", "bw", "until=0.01/0.00025s" },
    { "--total 2m", "bw", "total=120" },
    { "--timeout 0", "bw", "timeout=0" },
    { "--timeout 3", "init", "timeout=3" },
    { "-M 64M", "bw", "limit=67108864" },
    { "--start clock", "barrier", "start=clock" },
    { "--clock TSC", "barrier", "clock=1" },
    { "--clock mpi", "bw", "clock=3" },
    { "--order Down", "bw", "order=1:0" },
    { "--order random:17", "bw", "order=2:17" },
    { "--order random:17 --order random", "bw", "order=2:0" },
    { "--buffers rotate", "bw", "pool=1:0" },
    { "--buffers=rotate:2M", "bw", "pool=1:2097152" },
    { "--buffers rotate:2M --buffers rotate", "bw", "pool=1:0" },
    { "-G png,PDF --graph=svg", "bw", "graphs=14" },
    { "-P PAPI_TOT_INS,perf::CYCLES --papi=a:b:x.out", "bw",
      "events_file=x.out; events=PAPI_TOT_INS perf::CYCLES a:b" },
    { "-P perf::CYCLES,a:b:-", "bw", "events_file=/dev/stdout; events=perf::CYCLES a:b" },
    { "-Gtty", "barrier", "graphs=1" },
    { "", "latency", "" },
    { "--precision 0.5%", "latency", "until=0.005/10s" },
    { "--precision 5%", "latency", "until=0.05/0.05s" },
    { "--precision 0.5% --budget 2s", "latency", "until=0.005/2s" },
    { "--budget 2s --precision 0.5%", "latency", "until=0.005/2s" },
    { "--budget 1ms", "latency", "until=0.01/0.001s" },
    { "-z", "latency", "percentiles=50 90 99" },
    { "-z50,99", "latency", "percentiles=50 99" },
    { "-z99.9", "latency", "percentiles=99.9" },
    { "-z99,50,", "latency", "percentiles=99 50" },
    { "-z1 -z2,3", "latency", "percentiles=2 3" },
    { "--tail-lat=95", "latency", "percentiles=95" },
    { "-z -i 5", "latency", "fixed=1; iterations=5; percentiles=50 90 99" },
    { "-z1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "latency", "percentiles=1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16" },
    { "-T mpi_Float", "latency", "types=mpi_float" },
    { "-T mpi_double,mpi_int64", "latency", "types=mpi_double mpi_int64" },
    { "-T MPI_INT64_T", "latency", "types=mpi_int64" },
    { "-T mpi_float -T mpi_int", "latency", "types=mpi_float mpi_int" },
    { "-T ALL", "latency", "types=mpi_char mpi_int mpi_float mpi_double mpi_int64" },
    { "-T mpi_float,all", "latency", "types=mpi_float mpi_char mpi_int mpi_double mpi_int64" },
    { "--columns stop,median,ci_low", "latency", "columns=stop median ci_low" },
    { "--columns min --columns max", "latency", "columns=min max" },
    { "-m 8", "latency", "sizes=1:8" },
    { "-m 8:8", "latency", "sizes=8:8" },
    { "-m :16384", "latency", "sizes=1:16384" },
    { "--message-size=64k:1g", "latency", "sizes=65536:1073741824" },
    { "-i 5 --message-size 0:0", "latency", "fixed=1; iterations=5; sizes=0:0" },
    { "--queue-depth 2,4,8", "bw_queue", "values=2 4 8" },
    { "--compute 50,0", "overlap_bw", "values=50 0" },
    { "--peers all", "hotspot_send", "values=-1" },
    { "-h", "barrier", "usage" },
    { "--help", "barrier", "help" },
    { "--usage", "barrier", "usage" },
    { "-v", "barrier", "version" },
    { "--version", "barrier", "version" },
    { "-i 5 -h", "barrier", "usage" },
    { "-h --foo", "barrier", "usage" },
    { "-fh", "barrier", "usage" },
    { "--vers", "barrier", "version" },
    { "foo -h", "barrier", "usage" },
    { "--raw --json a", "latency", "raw=1; json=a" },
    { "--ranks 4 --dry-run", "latency", "plan=1; ranks=4" },
    { "--json a,b.json --csv=x -N graph:f", "neighbor_alltoall", "json=a,b.json; csv=x; topology=graph:f" },

    /* No option at all. */
    { "-Q", "latency", "unknown option '-Q'" },
    { "--foo", "latency", "unknown option '--foo'" },
    /* It may be a slip: of an option that the program takes, at most one for three letters. */
    { "--iteratoins=5", "latency", "unknown option '--iteratoins=5' (did you mean --iterations?)" },
    { "--warmpu 5", "latency", "unknown option '--warmpu' (did you mean --warmup?)" },
    { "--windwo-size 5", "bw", "unknown option '--windwo-size' (did you mean --window-size?)" },
    { "--windwo-size 5", "latency", "unknown option '--windwo-size'" },
    { "-G tty,pgn", "bw", "-G 'tty,pgn' is not one of tty, png, pdf, svg (did you mean png?)" },
    { "--foo=5", "latency", "unknown option '--foo=5'" },
    { "-fQ", "latency", "unknown option '-fQ'" },
    { "-Qf", "latency", "unknown option '-Qf'" },
    /* The same behind others: it is the unknown one that is named. */
    { "-i 5 --foo -c", "latency", "unknown option '--foo'" },
    { "D D --foo", "latency", "unknown option '--foo'" },
    /* Which of several beginnings alike is meant? */
    { "--val", "latency", "unknown option '--val'" },
    /* An option of other programs: who takes it. */
    { "-W 8", "latency", "does not take -W (--window-size); of use in: programs for bandwidth" },
    { "-b single", "allreduce", "does not take -b (--buffer-num); of use in: programs for bandwidth between ranks" },
    { "-p 2", "bw", "does not take -p (--num-pairs); of use in: mbw_mr, mbibw_mr" },
    { "-l", "latency", "does not take -l (--in-place); of use in: collectives that can work in place" },
    { "-k fixed:7", "latency", "does not take -k (--root-rank); of use in: collectives with a root" },
    { "-a 8", "latency", "does not take -a (--array-size); of use in: no program; collectives accept it" },
    { "-r cpu", "latency",
      "does not take -r (--cuda-target); of use in: non-blocking collectives" },
    { "-m 8", "comm_create", "does not take -m (--message-size); of use in: " MOVING_PROGRAMS },
    { "-c", "barrier", "does not take -c (--validation); of use in: programs that verify data" },
    { "--verify=-1", "latency",
      "--verify '-1' is not a number of iterations up to 1000000000, all or soak:TIME (example: 1000)" },
    { "--verify=soak:", "latency", "--verify 'soak:' has no time after soak: (example: soak:10m)" },
    { "--verify=soak:0", "latency",
      "--verify 'soak:0' has no time after soak: (example: soak:10m)" },
    { "--verify=1000000001", "latency",
      "--verify '1000000001' is not a number of iterations up to 1000000000, all or soak:TIME (example: 1000)" },
    { "--verify=soak:1e300", "latency",
      "--verify 'soak:1e300' has no time after soak: (example: soak:10m)" },
    { "--timeout=1e300", "latency", "--timeout '1e300' is longer than 1000000000s" },
    { "--budget=300000h", "latency", "--budget '300000h' is longer than 1000000000s" },
    { "-T mpi_int,mpi_int", "latency", "-T 'mpi_int,mpi_int' names a type twice" },
    { "-T all,mpi_int", "latency", "-T 'all,mpi_int' names a type twice" },
    { "--peers 8,2,8,4,2", "hotspot_send", "--peers '8,2,8,4,2' names a number twice" },
    { "--sizes=8,4,1K,1024", "latency", "--sizes '8,4,1K,1024' names a size twice" },
    { "--exchange=packed,packed", "halo", "--exchange 'packed,packed' names a way twice" },
    { "--victim=ring,bw,ring", "impact", "--victim 'ring,bw,ring' names a victim twice" },
    { "-clog:-", "latency", "-c 'log:-' names a folder, and standard output is none" },
    { "--verify=5", "hello", "does not take --verify; of use in: programs that verify data, barriers" },
    { "--sizes=random:0", "latency", "--sizes 'random:0' " NOT_A_SIZE },
    { "-i 5", "is", "does not take -i (--iterations); of use in: programs that time iterations" },
    { "-T mpi_int", "put_latency", "does not take -T (--type); of use in: programs that send elements" },
    /* An option of a family that the program does not belong to. */
    { "-t 3", "allreduce", "does not take -t (--num-test-calls); of use in: programs that compute, "
      "of threads or of processes" },
    { "-N cart:2:1", "allreduce", "unknown option '-N'" },
    /* A value is missing, or one too many. */
    { "-W", "bw", "-W needs a value: N" },
    { "--window-size", "bw", "--window-size needs a value: N" },
    { "-m", "bw", "-m needs a value: [MIN:]MAX" },
    { "-i 5 --json", "bw", "--json needs a value: FILE" },
    { "--wind", "bw", "--wind needs a value: N" },
    { "-fW", "bw", "-fW needs a value: N" },
    { "--full=5", "bw", "--full=5 takes no value" },
    { "--json ''", "bw", "--json '' is empty" },
    /* Lists. */
    { "--columns median,median", "bw", "--columns 'median,median' names a column twice" },
    /* Numbers. */
    { "-i abc", "bw", "-i 'abc' " NOT_A_COUNT },
    { "-i 1.5", "bw", "-i '1.5' " NOT_A_COUNT },
    { "-i 8:5", "bw", "-i '8:5' " NOT_A_COUNT },
    { "-i 8:5:0", "bw", "-i '8:5:0' is too small; the smallest is 1" },
    { "-x 8:5,0:-1", "bw", "-x '8:5,0:-1' is too small; the smallest is 0" },
    { "-i 0", "bw", "-i '0' is too small; the smallest is 1" },
    { "-i 1000000001", "bw", "-i '1000000001' is too large; the largest is 1000000000" },
    { "-i 99999999999999999999", "bw", "-i '99999999999999999999' is too large; the largest is 1000000000" },
    { "-x -1", "bw", "-x '-1' is too small; the smallest is 0" },
    { "-W 0", "bw", "-W '0' is too small; the smallest is 1" },
    { "-W 16777217", "bw", "-W '16777217' is too large; the largest is 16777216" },
    { "-W 64K", "bw", "-W '64K' is not a whole number" },
    { "-k 1", "reduce", "-k '1' is not one of fixed:R, rotate" },
    { "-k rotate:1", "reduce", "-k 'rotate:1' is not one of fixed:R, rotate (did you mean rotate?)" },
    { "-k fixed:", "reduce", "-k 'fixed:' has no rank after fixed:" },
    { "-k fixed:-1", "reduce", "-k 'fixed:-1' has no rank after fixed:" },
    { "-k fixed:1", "allreduce", "does not take -k (--root-rank); of use in: collectives with a root" },
    { "-R 2", "mbw_mr", "-R '2' is too large; the largest is 1" },
    { "-t 0", "latency_mt", "-t '0' is too small; the smallest is 1" },
    { "-t 2:", "latency_mt", "-t '2:' is not a number, or two as in 2:4, sender and receiver" },
    { "-t 2:3x", "latency_mp", "-t '2:3x' is not a number, or two as in 2:4, sender and receiver" },
    { "-t 1025", "latency_mp", "-t '1025' is too large; the largest is 1024" },
    { "--num-test-calls 3", "latency_mt", "unknown option '--num-test-calls'" },
    { "-t -1", "iallreduce", "-t '-1' is too small; the smallest is 0" },
    { "-u 11", "bw", "-u '11' is too large; the largest is 10" },
    { "-u -1", "bw", "-u '-1' is too small; the smallest is 0" },
    { "--ranks 0", "bw", "--ranks '0' is too small; the smallest is 1" },
    { "-M 0", "bw", "-M '0' is too small; the smallest is 1" },
    { "-M lots", "bw", "-M 'lots' " NOT_A_SIZE },
    /* Sizes. */
    { "-m abc", "bw", "-m 'abc' " NOT_A_SIZE },
    { "-m 8:4", "bw", "-m '8:4' has a smallest size above the largest" },
    /* Times and percentages. */
    { "--budget soon", "bw", "--budget 'soon' " NOT_A_TIME },
    { "--budget nan", "bw", "--budget 'nan' " NOT_A_TIME },
    { "--budget 0", "bw", "--budget '0' is too small; the smallest is 1e-06" },
    { "--timeout=-1", "bw", "--timeout '-1' is too small; the smallest is 0" },
    { "--precision x", "bw", "--precision 'x' " NOT_A_PERCENT },
    { "--precision 1%%", "bw", "--precision '1%%' " NOT_A_PERCENT },
    { "--precision 0", "bw", "--precision '0' " NOT_WITHIN },
    { "--precision 100", "bw", "--precision '100' " NOT_WITHIN },
    { "--precision nan", "bw", "--precision 'nan' " NOT_A_PERCENT },
    { "--budget 1e999", "bw", "--budget '1e999' " NOT_A_TIME },
    { "-W +5", "bw", "-W '+5' is not a whole number" },
    { "-W 4294967297", "bw", "-W '4294967297' is too large; the largest is 16777216" },
    { "-k fixed:4294967297", "gather", "-k 'fixed:4294967297' has no rank after fixed:" },
    { "--pairs 0-4294967297", "multi_lat", "--pairs '0-4294967297' is not one of auto, cyclic, 0-4,1-5,..." },
    { "--split 4294967298", "allreduce", "--split '4294967298' does not begin with a number of groups" },
    { "--grid 4294967297x2", "halo", "--grid '4294967297x2' is none of 2, 3, PxQ and PxQxR (example: 4x2)" },
    /* Words out of a list. */
    { "-b none", "bw", "-b 'none' is not one of auto, single, multiple" },
    { "-s never", "put_latency", "-s 'never' is not one of lock, flush, flush_local, lock_all, pscw, fence" },
    { "-s lock", "put_bibw", "-s 'lock' is not one of pscw, fence" },
    { "-T mpi_double", "cas_latency", "-T 'mpi_double' is not one of mpi_char, mpi_int, mpi_int64, all" },
    { "--start never", "bw", "--start 'never' is not one of dissemination, library, clock, none" },
    { "-T int", "bw", "-T 'int' " NOT_A_TYPE },
    { "-T mpi_int,mpi_long", "bw", "-T 'mpi_int,mpi_long' " NOT_A_TYPE },
    { "-T mpi_in", "bw", "-T 'mpi_in' " NOT_A_TYPE " (did you mean mpi_int?)" },
    { "-T ''", "bw", "-T '' is empty" },
    { "--columns velocity", "bw", "--columns 'velocity' " NOT_A_COLUMN },
    { "--columns stop,medain", "bw",
      "--columns 'stop,medain' " NOT_A_COLUMN " (did you mean median?)" },
    { "--columns median,med", "bw", "--columns 'median,med' " NOT_A_COLUMN },
    { "-P :x.out", "bw", "-P ':x.out' is empty" },
    { "-P PAPI_TOT_INS:", "bw", "-P 'PAPI_TOT_INS:' names no file after the colon" },
    { "-P a::b,c,a::b", "bw", "-P 'a::b,c,a::b' names an event twice" },
    { "-P 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "bw",
      "-P '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17' has more than 16 events" },
    { "-G jpg", "bw", "-G 'jpg' is not one of tty, png, pdf, svg" },
    { "-G ''", "bw", "-G '' is empty" },
    { "--columns ''", "bw", "--columns '' is empty" },
    /* Which sizes, in what order, and which memory. */
    { "--order sideways", "bw", "--order 'sideways' " NOT_AN_ORDER },
    { "--order rand", "bw", "--order 'rand' " NOT_AN_ORDER },
    { "--order up:5", "bw", "--order 'up:5' " NOT_AN_ORDER },
    { "--order random:", "bw", "--order 'random:' " NOT_A_SEED },
    { "--order random:0", "bw", "--order 'random:0' " NOT_A_SEED },
    { "--order random:-1", "bw", "--order 'random:-1' " NOT_A_SEED },
    { "--order random:9223372036854775808", "bw", "--order 'random:9223372036854775808' " NOT_A_SEED },
    { "--buffers cold", "bw", "--buffers 'cold' " NOT_A_USE },
    { "--buffers reuse:8", "bw", "--buffers 'reuse:8' " NOT_A_USE " (did you mean reuse?)" },
    { "--buffers rotate:", "bw", "--buffers 'rotate:' " NOT_A_SIZE },
    { "--buffers rotate:0", "bw", "--buffers 'rotate:0' has a pool of 0 bytes" },
    { "--touch=no", "bw", "--touch=no takes no value" },
    { "--order up", "barrier", "does not take --order; of use in: " MOVING_PROGRAMS },
    { "--buffers rotate", "barrier",
      "does not take --buffers; of use in: programs whose operations can change buffers" },
    { "-k rotate", "reduce_persistent", "-k 'rotate' is not one of fixed:R" },
    { "--clock mpi", "init", "does not take --clock; of use in: programs that time iterations" },
    /* Percentiles. */
    { "-z1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "bw",
      "-z '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17' has more than 16 percentiles" },
    { "-z50;99", "bw", "-z '50;99' " NOT_A_LIST },
    { "-z50,,99", "bw", "-z '50,,99' " NOT_A_LIST },
    { "-zmost", "bw", "-z 'most' " NOT_A_LIST },
    { "-z101", "bw", "-z '101' has a percentile outside 0 to 100" },
    { "-z-1", "bw", "-z '-1' has a percentile outside 0 to 100" },
    { "--tail-lat=", "bw", "-z '' is empty" },
    /* Words without an option. */
    { "-i 5 1024", "hotspot_send", "unexpected word '1024'" STRAY_NUMBER },
    { "-z 50", "hotspot_send", "unexpected word '50'" STRAY_NUMBER },
    { "8,16", "bw", "unexpected word '8,16'" STRAY_NUMBER },
    { "host", "bw", "unexpected word 'host'" STRAY_WORD },
    { "D D D", "bw", "unexpected word 'D'" STRAY_WORD },
    { "DH", "bw", "unexpected word 'DH'" STRAY_WORD },
    { "-- -i", "bw", "unexpected word '-i'" STRAY_WORD },

    /* What does not fit together, or not this program. */
    { "-c --no-verify", "latency", "-c and --verify=0 (--no-verify) exclude each other" },
    { "--raw", "latency", "--raw requires --json FILE" },
    { "--ranks 4", "latency", "--ranks requires --dry-run" },
    { "--timeout 0.05", "latency", "--timeout must be 0 (never) or between 0.1 s and 1e6 s" },
    { "-V -W 8", "mbw_mr", "-V and -W exclude each other: -V sets the windows" },
    { "-V --order=down", "mbw_mr", "-V excludes --order: it prints a line for each size" },
    { "-p 1 --pairs 0-1", "mbw_mr", "-p and a list of --pairs exclude each other" },
    { "H", "latency", "SRC and DST are both needed, for example D D" },
    { "D H", "allreduce", "all buffers of this program have one memory type, which cannot be HH: SRC and DST must be alike, or left out" },
    { "HH HH", "allreduce", "all buffers of this program have one memory type, which cannot be HH: SRC and DST must be alike, or left out" },
    { "-l", "bcast", "does not take -l (--in-place); of use in: collectives that can work in place" },
    { "--buffers=rotate", "put_latency",
      "does not take --buffers; of use in: programs whose operations can change buffers" },
    { "--touch --dry-run", "bcast_persistent",
      "does not take --touch; of use in: programs whose operations can change buffers, and that post no receive ahead" },
    { "--touch", "bw",
      "does not take --touch; of use in: programs whose operations can change buffers, and that post no receive ahead" },
    { "-r moon", "iallreduce", "-r 'moon' is not one of cpu, gpu, both" },
    { "-t 3", "allreduce_persistent", "-t needs --compute: without it there is no computation to call MPI_Test in" },
    { "-cfoo", "latency", "-c 'foo' is not log or log:DIR (attached: -clog)" },
    { "-clog:", "latency", "-c 'log:' is not log or log:DIR (attached: -clog)" },
    { "-i 5 -", "latency",
      "unexpected word '-'; without an option only SRC DST are allowed, each H, HH, HP, D, F, M, MD or MH" },

    /* So many ranks. */
    { "-p 3", "mbw_mr", "-p 3 needs 6 ranks; given: 4", 4 },
    { "-k fixed:4", "reduce", "-k fixed:4 needs at least 5 ranks; given: 4 (0 to 3)", 4 },
    { "--pairs 0-1,2-4", "mbw_mr", "--pairs names rank 4; given: 4", 4 },
    { "--peers 4", "hotspot_send", "--peers 4 is too large; the most is 3 with this number of ranks", 4 },
    { "--peers 0", "hotspot_send", "--peers 0 is too small; the least is 1", 4 },
    { "--peers 3", "hotspot_send", "values=3", 4 },
    { "--queue-depth 65", "bw_queue", "--queue-depth 65 is too large; the most is 64 with this -W", 2 },
    { "--groups 7", "bw_fan_in", "groups must be of equal size; ranks=3; groups=7;", 3 },
    { "--groups 100000 -W 42960", "bw_fan_in", "-W: more messages to all groups than MPI can count", 200000 },
    { "--groups 100000 -W 10000", "bw_fan_in", "window=10000; groups=100000", 200000 },
    { "-t 256 -W 16777216 -m 1:1", "mbw_mr_mt", "-t and -W: more messages of all threads than can be counted", 2 },
    { "-t 64 -W 16777215 -m 1:1", "mbw_mr_mt", "window=16777215; sizes=1:1; values=64", 2 },
};
/* clang-format on */

/* What becomes of it: a sentence, an event, or settings. */
static void outcome(const struct line *row, char text[ROOM])
{
    const struct bench *const b = bench_of(row->program);
    struct refusal kept = { .why = "" };
    enum exit_code code;
    struct unit_parsed p;
    struct settings s;

    unit_parse_of(&p, b, row->line);
    describe(b, &p.settings, text);
    if (p.event != 0) {
        snprintf(text, ROOM, "%s",
                 p.event == EVENT_USAGE  ? "usage"
                 : p.event == EVENT_HELP ? "help"
                                         : "version");
    } else {
        message_kept = &kept;
        if (command_line_read(b, p.argc, p.argv, &s, &code) && row->ranks > 0)
            command_line_check_ranks(b, &s, row->ranks, MPI_COMM_NULL, true);
        message_kept = NULL;
        settings_release(&s);
        if (kept.why[0] != '\0')
            snprintf(text, ROOM, "%.*s", ROOM - 1, kept.why);
        assert_true(p.refusal.why[0] == '\0' ||
                    kept.id ==
                        (strncmp(kept.why, "does not take", 13) == 0 ? E43_NOT_TAKEN : E12_USAGE));
    }
    settings_release(&p.settings);
}

TEST_ROWS(lines, becomes)
{
    char text[ROOM];

    outcome(row, text);
    if (strcmp(text, row->becomes) != 0)
        fail_msg("%s %s: '%s', not '%s'", row->program, row->line, text, row->becomes);
}

/* --- Every option of every program ------------------------------------------------ */

/* It must be accepted; what then differs from no option at all into text. */
static void accept(const struct bench *b, const char *line, char text[ROOM])
{
    struct unit_parsed p;

    unit_parse_of(&p, b, line);
    if (p.refusal.why[0] != '\0')
        fail_msg("%s %s: %s", b->name, line, p.refusal.why);
    describe(b, &p.settings, text);
    settings_release(&p.settings);
}

/* Defaults with a blank describe what no value says. */
TEST(a_default_that_is_named_changes_nothing)
{
    int n = 0;

    for (const struct program *p = programs; p->path != NULL; p++) {
        struct unit_parsed of;
        char line[120], text[ROOM];

        unit_parse_of(&of, p->bench, "");
        for (const struct option_row *row = of.settings.rows; row->name; row++) {
            /* A family may note "all" as it likes. */
            if (!row->taken || row->fallback == NULL || row->argument == NULL ||
                row->parse == parse_parameter ||
                (row->base == of.settings.family && row->kind == OPTION_LIST) ||
                strpbrk(row->fallback, " ,.") != NULL)
                continue;
            snprintf(line, sizeof line, "--%s=%s", row->name, row->fallback);
            accept(p->bench, line, text);
            /* Others may leave it without effect. */
            if (text[0] != '\0' && row->moot == NULL)
                fail_msg("%s %s: %s", p->bench->name, line, text);
            n++;
        }
        settings_release(&of.settings);
    }
    assert_in_range(n, 1000, 10000);
}

/* A table has room for the columns of every report. */
TEST(columns_have_room)
{
    int most = 0;

    for (const struct program *p = programs; p->path != NULL; p++) {
        const struct report_column *const first = p->bench->report->headline;
        int n = 0;

        while (report_is_column(first + n))
            n++;
        if (n > most)
            most = n;
    }
    assert_in_range(most, 1, REPORT_OWN);
}

/* Whatever --help names is accepted when it is typed back. */
TEST(what_help_names_is_accepted)
{
    int n = 0;

    for (const struct program *p = programs; p->path != NULL; p++) {
        struct unit_parsed of;
        char line[120], text[ROOM];

        unit_parse_of(&of, p->bench, "");
        for (const struct option_row *row = of.settings.rows; row->name; row++)
            for (const struct choice *c = row->taken ? row->choices : NULL;
                 c != NULL && c->word != NULL; c++) {
                snprintf(line, sizeof line, "--%s=%s", row->name, c->word);
                if (strpbrk(line, ":,") != NULL) /* a form, as random:SEED */
                    continue;
                accept(p->bench, line, text);
                n++;
            }
        settings_release(&of.settings);
    }
    assert_in_range(n, 3000, 20000);
}

/* What one program asked for is no default of the next. */
TEST(defaults_of_families_stay)
{
    const struct bench *const put = bench_of("put_latency"), *const both = bench_of("put_bibw");
    struct unit_parsed p;

    unit_parse_of(&p, put, "-s lock -w dynamic");
    assert_int_equal(rma_sync_of(put, &p.settings), RMA_LOCK);
    settings_release(&p.settings);
    unit_parse_of(&p, put, "");
    assert_int_equal(rma_sync_of(put, &p.settings), RMA_FLUSH);
    assert_int_equal(rma_sync_of(both, &p.settings), RMA_PSCW);
    assert_int_equal(rma_window_kind(put, &p.settings), WINDOW_ALLOCATE);
    settings_release(&p.settings);
}

/* A sentence longer than its room is cut, never written beyond. */
TEST(why_stays_within_its_room)
{
    char name[] = "program", word[2 * sizeof(struct refusal)];
    char *argv[] = { name, word, NULL };
    struct refusal refusal = { .why = "" };
    struct unit_parsed p;

    memset(word, 'u', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    unit_parse_of(&p, bench_of("latency"), "");
    assert_int_equal(option_parse(&p.settings, 2, argv, &refusal), 0);
    assert_int_equal(strlen(refusal.why), sizeof refusal.why - 1);
    settings_release(&p.settings);
}

/* --- Help ----------------------------------------------------------------- */

/* What -h and --help print, against golden files; doc/options.md has what they say
   of every option of every program. ALIDADE_UPDATE=1 rewrites them: look at the
   difference before it is committed. */

static const struct help_row {
    const char *golden, *program, *option;
} help_rows[] = {
    { "tests/unit/golden/is.help", "is", "--help" },
    { "tests/unit/golden/latency.usage", "latency", "-h" },
};

/* What a program says on stdout to one option, before MPI; to be freed. */
static char *said(const struct bench *b, const char *option)
{
    char program[32], word[32], *argv[] = { program, word, NULL };
    const struct unit_catch caught = unit_catch(STDOUT_FILENO);
    enum exit_code code = EXIT_RUN;
    struct settings s;
    bool proceed;
    char *text;

    snprintf(program, sizeof program, "%s", b->name);
    snprintf(word, sizeof word, "%s", option);
    proceed = command_line_read(b, 2, argv, &s, &code);
    text = unit_caught(&caught);
    settings_release(&s);
    assert_false(proceed);
    assert_int_equal(code, EXIT_OK);
    return text;
}

static void update(const char *golden, const char *text)
{
    char path[4096];
    FILE *to;

    snprintf(path, sizeof path, "%s/%s",
             getenv("ALIDADE_SOURCE") != NULL ? getenv("ALIDADE_SOURCE") : ".", golden);
    to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
}

/* Write other for word in the text; it is no longer than that. */
static void replace(char *text, const char *word, const char *other)
{
    const size_t n = strlen(word), less = strlen(other);

    for (char *at = text; n > 0 && (at = strstr(at, word)) != NULL; at += less) {
        memmove(at + less, at + n, strlen(at + n) + 1);
        memcpy(at, other, less);
    }
}

/* Launcher and command are those of the build, and the user perhaps root: "mpirun" and "alidade"
   in the golden files. */
static void without_launcher(char *text)
{
    replace(text, BUILD_COMMAND " explain", "alidade explain");
    replace(text, launch_root(), "");
    replace(text, launch_name(), "mpirun");
}

TEST_ROWS(help_rows, help_is_golden)
{
    char *got = said(bench_of(row->program), row->option);
    char *expected;

    without_launcher(got);

    if (getenv("ALIDADE_UPDATE") != NULL)
        update(row->golden, got);
    expected = unit_source_file(row->golden);
    if (expected == NULL)
        fail_msg("%s is not there", row->golden);
    assert_string_equal(got, expected);
    free(expected);
    free(got);
}

/* Fits into a terminal, whatever a row's help says. */
TEST(help_is_80_columns_wide)
{
    for (const struct program *p = programs; p->path != NULL; p++)
        for (int brief = 0; brief <= 1; brief++) {
            char *got = said(p->bench, brief ? "-h" : "--help"), *rest;
            int n = 0;

            without_launcher(got);
            for (char *line = strtok_r(got, "\n", &rest); line != NULL;
                 line = strtok_r(NULL, "\n", &rest), n++)
                if (strlen(line) >= 80 || strchr(line, '\t') != NULL)
                    fail_msg("%s: %s", p->path, line);
            assert_in_range(n, 10, brief ? 35 : 300);
            free(got);
        }
}

TEST(version_names_the_suite_it_is_not)
{
    char *got = said(bench_of("mbw_mr"), "-v");

    assert_ptr_equal(strstr(got, "mbw_mr (Alidade) "), got);
    assert_non_null(strstr(got, "OSU Micro-Benchmarks 7.4; not affiliated "
                                "with OSU; report bugs to "));
    free(got);
}

/* --- Check identity ------------------------------------------------------- */

/* The values of --expect, against the header line. */

#define HEADER_LINE                                                                                \
    "Alidade 0.1: ranks=2; nodes=1; path=same-numa; mem=H-D; bound=core; "                         \
    "mpi=OpenMPI-4.1.4; gpu=own; device=mlx5_0+mlx5_12;"

static const struct text_row {
    const char *name, *text;
    bool holds;
} text_rows[] = {
    { "a number", "ranks=2", true },
    { "its beginning is not it", "ranks=20", false },
    { "nor its end", "nodes=11", false },
    { "a word", "path=same-numa", true },
    { "the beginning of a word", "path=same", false },
    { "another word", "path=inter-node", false },
    { "memory", "mem=H-D", true },
    { "memory of one side", "mem=H", false },
    { "a library", "mpi=OpenMPI-4.1.4", true },
    { "any version", "mpi=OpenMPI", true },
    { "any of a series", "mpi=OpenMPI-4.1", true },
    { "another series", "mpi=OpenMPI-4.10", false },
    { "another library", "mpi=MPICH", false },
    { "the last of the line", "gpu=own", true },
    { "devices", "device=mlx5_0+mlx5_12", true },
    { "devices of a kind", "device=mlx5", true },
    { "one of two devices", "device=mlx5_0", false },
    { "the other of two devices", "device=mlx5_1", false },
    { "another device", "device=eth", false },
    { "no device, though there is one", "device=none", false },
    { "what the line has not", "init=none", true },
    { "what the line should have", "init=session", false },
    { "the start that the line leaves out", "start=dissemination", true },
    { "another start", "start=library", false },
    { "a start that is called none", "start=none", false },
};

TEST_ROWS(text_rows, text_holds_or_not)
{
    char words[200];

    assert_null(identity_wrong(row->text, NULL));
    assert_int_equal(identity_unmet(HEADER_LINE, &row->text, 1, words, sizeof words),
                     row->holds ? 0 : 1);
    assert_int_equal(words[0] == '\0', row->holds);
}

/* What of several does not hold, in words. */
/* clang-format off */
static const struct unmet_row {
    const char *name, *line, *text[3];
    int unmet;
    const char *words;
} unmet_rows[] = {
    { "two of three", HEADER_LINE, { "path=inter-node", "ranks=2", "init=session" }, 2,
      "expected path=inter-node; found path=same-numa; "
      "expected init=session; found init=none;" },
    { "a number of a device is not cut", "Alidade 0.1: device=mlx5_10;",
      { "device=mlx5_1", "device=mlx5_10", "device=mlx5_" }, 1,
      "expected device=mlx5_1; found device=mlx5_10;" },
    /* Without a probe, or where counters do not tell. */
    { "an unknown device is none", "Alidade 0.1: ranks=2;",
      { "device=n", "device=none", "device=eth0" }, 2,
      "expected device=n; found device=none; expected device=eth0; found device=none;" },
};
/* clang-format on */

TEST_ROWS(unmet_rows, words_name_what_does_not_hold)
{
    char words[200];

    assert_int_equal(identity_unmet(row->line, row->text, 3, words, sizeof words), row->unmet);
    assert_string_equal(words, row->words);
    /* Too little room cuts, and does not overrun. */
    assert_int_equal(identity_unmet(row->line, row->text, 3, words, 10), row->unmet);
    assert_int_equal(strlen(words), 9);
}

/* As such, and where a family has keys of its own. */
TEST(wrong_texts_are_told)
{
    static const char *const own[] = { "shm", "quota", NULL };
    static const struct {
        const char *text;
        bool wrong[2];
    } rows[] = {
        { "path", { true, true } },
        { "path=", { true, true } },
        { "", { true, true } },
        { "=2", { true, true } },
        { "pat=same-numa", { true, true } },
        { "paths=same-numa", { true, true } },
        { "path=same-numa", { false, false } },
        { "shm=ok", { true, false } },
        { "quotas=none", { true, true } },
        { "shm=", { true, true } },
    };

    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int owns = 0; owns < 2; owns++)
            if ((identity_wrong(rows[i].text, owns ? own : NULL) != NULL) != rows[i].wrong[owns])
                fail_msg("%s, %d", rows[i].text, owns);
    assert_string_equal(identity_wrong("path", NULL), "is not KEY=VALUE");
}
