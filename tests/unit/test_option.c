/* SPDX-License-Identifier: BSD-3-Clause */
/* Every refusal of a command line, word for word. */
#include "unit_parse.h"

#include "overlap/overlap.h"
#include "processes/processes.h"
#include "rma/rma.h"
#include "threads/threads.h"

#define SEE_HELP "; --help lists the options"
#define NOT_A_SIZE                                                             \
    "is not a size (examples: 8, 64K, 2^20, 1:4M, :64K, 8:8; a list of "       \
    "sizes: --sizes=1,2,4)"
#define NOT_A_TYPE                                                             \
    "is not one of mpi_char, mpi_int, mpi_float, mpi_double, mpi_int64, all, " \
    "mpi_uint8, mpi_uint64, mpi_complex, mpi_float16, mpi_bfloat16"
#define NOT_A_LIST                                                             \
    "is not a list of percentiles (example: -z50,99.9; the list is attached "  \
    "to -z)"
#define NOT_A_TIME    "is not a time (examples: 0.5, 50ms, 10s, 2m)"
#define NOT_A_PERCENT "is not a percentage (examples: 0.5%, 1, 5%)"
#define NOT_WITHIN    "is not between 0% and 100%"
#define STRAY_NUMBER                                                           \
    "; iterations are set with -i N, sizes with -m MIN:MAX; a list has "       \
    "commas and no blanks: --sizes=8,16, -z50,99"
#define STRAY_WORD                                                             \
    "; without an option only SRC DST are allowed, each H, HH, HP, D, M, MD "  \
    "or MH"
#define NOT_AN_ORDER "is not one of up, down, random, random:SEED"
#define NOT_A_COUNT                                                            \
    "is not a number of iterations, nor up to 16 by size (examples: 100, "     \
    "8192:1000:100, 8192:1000,1M:100,0:10)"
#define NOT_A_SEED      "has a seed that is not a whole number above 0"
#define NOT_A_USE       "is not one of reuse, rotate, rotate:BYTES"
#define MOVING_PROGRAMS "programs with message sizes"

static const struct refused {
    const char *line;
    unsigned takes;
    const char *why;
    const struct family *family;
} refusals[] = {
    /* No option at all. */
    { "-Q", TAKES_LATENCY, "unknown option '-Q'" SEE_HELP },
    { "--foo", TAKES_LATENCY, "unknown option '--foo'" SEE_HELP },
    { "--foo=5", TAKES_LATENCY, "unknown option '--foo=5'" SEE_HELP },
    { "-fQ", TAKES_LATENCY, "unknown option '-fQ'" SEE_HELP },
    { "-Qf", TAKES_LATENCY, "unknown option '-Qf'" SEE_HELP },
    /* The same behind others: it is the unknown one that is named. */
    { "-f -Q", TAKES_LATENCY, "unknown option '-Q'" SEE_HELP },
    { "-f -Qf", TAKES_LATENCY, "unknown option '-Qf'" SEE_HELP },
    { "-i 5 --foo", TAKES_LATENCY, "unknown option '--foo'" SEE_HELP },
    { "-i 5 --foo -c", TAKES_LATENCY, "unknown option '--foo'" SEE_HELP },
    { "--foo -i8", TAKES_LATENCY, "unknown option '--foo'" SEE_HELP },
    { "D D --foo", TAKES_LATENCY, "unknown option '--foo'" SEE_HELP },

    /* Which of several beginnings alike is meant? */
    { "--val", TAKES_LATENCY, "unknown option '--val'" SEE_HELP },
    { "--m", TAKES_LATENCY, "unknown option '--m'" SEE_HELP },

    /* An option of other programs: who takes it. */
    { "-W 8", TAKES_LATENCY,
      "does not take -W (--window-size); taken by: programs for bandwidth" },
    { "-b single", TAKES_LATENCY,
      "does not take -b (--buffer-num); taken by: programs for bandwidth "
      "between ranks" },
    { "-p 2", TAKES_BW,
      "does not take -p (--num-pairs); taken by: mbw_mr, mbibw_mr" },
    { "--print-rate 0", TAKES_BW,
      "does not take -R (--print-rate); taken by: mbw_mr, mbibw_mr" },
    { "-l", TAKES_LATENCY,
      "does not take -l (--in-place); taken by: collectives that can work "
      "in place" },
    { "-m 8", TAKES_BARRIER,
      "does not take -m (--message-size); taken by: " MOVING_PROGRAMS },
    { "-c", TAKES_BARRIER,
      "does not take -c (--validation); taken by: programs that verify data" },
    { "--no-verify", TAKES_BARRIER,
      "does not take --no-verify; taken by: programs that "
      "verify data" },
    { "-i 5", TAKES_INIT,
      "does not take -i (--iterations); taken by: programs that time iterations" },
    { "-T mpi_int", TAKES_SIZES | TAKES_LAPS | TAKES_CHECK | TAKES_RMA,
      "does not take -T (--type); taken by: programs that send elements",
      &rma_family },

    /* An option of a family that the program does not belong to. */
    { "-t 3", TAKES_ALLREDUCE,
      "does not take -t (--num-test-calls); taken by: programs that compute, "
      "of threads or of processes" },
    { "-N cart:2:1", TAKES_ALLREDUCE, "unknown option '-N'" SEE_HELP },
    { "-s flush", TAKES_LATENCY, "unknown option '-s'" SEE_HELP },
    { "-w create", TAKES_LATENCY, "unknown option '-w'" SEE_HELP },
    { "--scheme fifo", TAKES_LATENCY, "unknown option '--scheme'" SEE_HELP },
    { "-N cart:2:1", TAKES_ALLREDUCE, "unknown option '-N'" SEE_HELP,
      &overlap_family },
    { "--queue-depth 2", TAKES_LATENCY,
      "unknown option '--queue-depth'" SEE_HELP },

    /* A value is missing, or one too many. */
    { "-W", TAKES_BW, "-W needs a value: N" },
    { "--window-size", TAKES_BW, "--window-size needs a value: N" },
    { "-m", TAKES_BW, "-m needs a value: [MIN:]MAX" },
    { "--json", TAKES_BW, "--json needs a value: FILE" },
    { "-c -m", TAKES_BW, "-m needs a value: [MIN:]MAX" },
    { "-i 5 --json", TAKES_BW, "--json needs a value: FILE" },
    { "--wind", TAKES_BW, "--wind needs a value: N" },
    { "-fW", TAKES_BW, "-fW needs a value: N" },
    { "--full=5", TAKES_BW, "--full=5 takes no value" },
    { "-i 5 --full=5", TAKES_BW, "--full=5 takes no value" },
    { "--json ''", TAKES_BW, "--json '' is empty" },

    /* Lists. */
    { "--columns median,median", TAKES_BW,
      "--columns 'median,median' names a column twice" },
    { "-z101", TAKES_BW, "-z '101' has a percentile outside 0 to 100" },

    /* Numbers. */
    { "-i abc", TAKES_BW, "-i 'abc' " NOT_A_COUNT },
    { "-i 10x", TAKES_BW, "-i '10x' " NOT_A_COUNT },
    { "-i 1.5", TAKES_BW, "-i '1.5' " NOT_A_COUNT },
    { "-i ''", TAKES_BW, "-i '' " NOT_A_COUNT },
    { "-i 8:5", TAKES_BW, "-i '8:5' " NOT_A_COUNT },
    { "-i 8:5:0", TAKES_BW, "-i '8:5:0' is too small; the smallest is 1" },
    { "-x 8:5,0:-1", TAKES_BW,
      "-x '8:5,0:-1' is too small; the smallest is 0" },
    { "-i 0", TAKES_BW, "-i '0' is too small; the smallest is 1" },
    { "-i -5", TAKES_BW, "-i '-5' is too small; the smallest is 1" },
    { "-i 1000000001", TAKES_BW,
      "-i '1000000001' is too large; the largest is 1000000000" },
    { "-i 99999999999999999999", TAKES_BW,
      "-i '99999999999999999999' is too large; the largest is 1000000000" },
    { "-x -1", TAKES_BW, "-x '-1' is too small; the smallest is 0" },
    { "-W 0", TAKES_BW, "-W '0' is too small; the smallest is 1" },
    { "--window-size=0", TAKES_BW, "-W '0' is too small; the smallest is 1" },
    { "-W 16777217", TAKES_BW,
      "-W '16777217' is too large; the largest is 16777216" },
    { "-W 64K", TAKES_BW, "-W '64K' is not a whole number" },
    { "-p 0", TAKES_MBW_MR, "-p '0' is too small; the smallest is 1" },
    { "-k 1", TAKES_REDUCE, "-k '1' is not one of fixed:R, rotate" },
    { "-k rotate:1", TAKES_REDUCE,
      "-k 'rotate:1' is not one of fixed:R, rotate" },
    { "-k fixed:", TAKES_REDUCE, "-k 'fixed:' has no rank after fixed:" },
    { "-k fixed:-1", TAKES_REDUCE, "-k 'fixed:-1' has no rank after fixed:" },
    { "-k fixed:1x", TAKES_REDUCE, "-k 'fixed:1x' has no rank after fixed:" },
    { "-k fixed:1", TAKES_ALLREDUCE,
      "does not take -k (--root-rank); taken by: collectives with a root" },
    { "-R 2", TAKES_MBW_MR, "-R '2' is too large; the largest is 1" },
    { "-t 0", TAKES_LATENCY, "-t '0' is out of range", &threads_family },
    { "-t 2:", TAKES_LATENCY,
      "-t '2:' is not a number, or two as in 2:4, sender and receiver",
      &threads_family },
    { "-t 2:3x", TAKES_LATENCY,
      "-t '2:3x' is not a number, or two as in 2:4, sender and receiver",
      &processes_family },
    { "-t 1025", TAKES_LATENCY, "-t '1025' is out of range",
      &processes_family },
    { "--num-test-calls 3", TAKES_LATENCY,
      "unknown option '--num-test-calls'" SEE_HELP, &threads_family },
    { "-t -1", TAKES_ALLREDUCE, "-t '-1' is too small; the smallest is 0",
      &overlap_family },
    { "-u 11", TAKES_BW, "-u '11' is too large; the largest is 10" },
    { "-u -1", TAKES_BW, "-u '-1' is too small; the smallest is 0" },
    { "-u many", TAKES_BW, "-u 'many' is not a whole number" },
    { "--ranks 0", TAKES_BW, "--ranks '0' is too small; the smallest is 1" },
    { "-M 0", TAKES_BW, "-M '0' is too small; the smallest is 1" },
    { "-M lots", TAKES_BW, "-M 'lots' " NOT_A_SIZE },

    /* Sizes. */
    { "-m abc", TAKES_BW, "-m 'abc' " NOT_A_SIZE },
    { "-m ''", TAKES_BW, "-m '' " NOT_A_SIZE },
    { "-m 8:4", TAKES_BW, "-m '8:4' has a smallest size above the largest" },
    { "-m :", TAKES_BW, "-m ':' names neither a smallest nor a largest size" },
    { "-m 9999999999G", TAKES_BW,
      "-m '9999999999G' is larger than this machine can address" },

    /* Times and percentages. */
    { "--budget soon", TAKES_BW, "--budget 'soon' " NOT_A_TIME },
    { "--budget 5h", TAKES_BW, "--budget '5h' " NOT_A_TIME },
    { "--budget inf", TAKES_BW, "--budget 'inf' " NOT_A_TIME },
    { "--budget nan", TAKES_BW, "--budget 'nan' " NOT_A_TIME },
    { "--budget 0", TAKES_BW,
      "--budget '0' is too small; the smallest is 1e-06" },
    { "--timeout=-1", TAKES_BW,
      "--timeout '-1' is too small; the smallest is 0" },
    { "--precision x", TAKES_BW, "--precision 'x' " NOT_A_PERCENT },
    { "--precision 1%%", TAKES_BW, "--precision '1%%' " NOT_A_PERCENT },
    { "--precision 0", TAKES_BW, "--precision '0' " NOT_WITHIN },
    { "--precision 100", TAKES_BW, "--precision '100' " NOT_WITHIN },
    { "--precision nan", TAKES_BW, "--precision 'nan' " NOT_WITHIN },

    /* Words out of a list. */
    { "-b none", TAKES_BW, "-b 'none' is not one of single, multiple" },
    { "-s never", TAKES_RMA,
      "-s 'never' is not one of lock, flush, flush_local, lock_all, pscw, "
      "fence",
      &rma_family },
    { "-s lock", TAKES_ACTIVE, "-s 'lock' is not one of pscw, fence",
      &rma_family },
    { "--sync-opt=lock", TAKES_ACTIVE, "-s 'lock' is not one of pscw, fence",
      &rma_family },
    { "-T mpi_double", TAKES_INTEGER_TYPE,
      "-T 'mpi_double' is not one of mpi_char, mpi_int, mpi_int64, all" },
    { "-w any", TAKES_RMA,
      "-w 'any' is not one of create, allocate, dynamic, allocate_shared",
      &rma_family },
    { "-d gpu", TAKES_BW,
      "-d 'gpu' is not one of host, cuda, managed, openacc, rocm, sycl" },
    { "--start never", TAKES_BW,
      "--start 'never' is not one of dissemination, library, clock, none" },
    { "-T int", TAKES_BW, "-T 'int' " NOT_A_TYPE },
    { "-T mpi_int,mpi_long", TAKES_BW, "-T 'mpi_int,mpi_long' " NOT_A_TYPE },
    { "-T mpi_in", TAKES_BW, "-T 'mpi_in' " NOT_A_TYPE },
    { "-T ''", TAKES_BW, "-T '' is empty" },
    { "--columns velocity", TAKES_BW,
      "--columns 'velocity' names 'velocity', a column that this program does not have; "
      "--list explains its columns, and -z99 prints percentiles" },
    { "--columns med", TAKES_BW,
      "--columns 'med' names 'med', a column that this program does not have; "
      "--list explains its columns, and -z99 prints percentiles" },
    { "-P :x.out", TAKES_BW, "-P ':x.out' is empty" },
    { "-P PAPI_TOT_INS:", TAKES_BW,
      "-P 'PAPI_TOT_INS:' names no file after the colon" },
    { "-P a::b,c,a::b", TAKES_BW, "-P 'a::b,c,a::b' names an event twice" },
    { "-P 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", TAKES_BW,
      "-P '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17' has more than 16 "
      "events" },
    { "-G jpg", TAKES_BW, "-G 'jpg' is not one of tty, png, pdf, svg" },
    { "-G ''", TAKES_BW, "-G '' is empty" },
    { "--columns ''", TAKES_BW, "--columns '' is empty" },
    { "--columns min,max,min", TAKES_BW,
      "--columns 'min,max,min' names a column twice" },

    /* Which sizes, in what order, and which memory. */
    { "--order sideways", TAKES_BW, "--order 'sideways' " NOT_AN_ORDER },
    { "--order ''", TAKES_BW, "--order '' " NOT_AN_ORDER },
    { "--order rand", TAKES_BW, "--order 'rand' " NOT_AN_ORDER },
    { "--order up:5", TAKES_BW, "--order 'up:5' " NOT_AN_ORDER },
    { "--order random:", TAKES_BW, "--order 'random:' " NOT_A_SEED },
    { "--order random:0", TAKES_BW, "--order 'random:0' " NOT_A_SEED },
    { "--order random:-1", TAKES_BW, "--order 'random:-1' " NOT_A_SEED },
    { "--order random:+1", TAKES_BW, "--order 'random:+1' " NOT_A_SEED },
    { "--order random:1.5", TAKES_BW, "--order 'random:1.5' " NOT_A_SEED },
    { "--order random:9223372036854775808", TAKES_BW,
      "--order 'random:9223372036854775808' " NOT_A_SEED },
    { "--buffers cold", TAKES_BW, "--buffers 'cold' " NOT_A_USE },
    { "--buffers reuse:8", TAKES_BW, "--buffers 'reuse:8' " NOT_A_USE },
    { "--buffers rotate:", TAKES_BW, "--buffers 'rotate:' " NOT_A_SIZE },
    { "--buffers rotate:big", TAKES_BW, "--buffers 'rotate:big' " NOT_A_SIZE },
    { "--buffers rotate:0", TAKES_BW,
      "--buffers 'rotate:0' has a pool of 0 bytes" },
    { "--touch=no", TAKES_BW, "--touch=no takes no value" },
    { "--clock sun", TAKES_BW,
      "--clock 'sun' is not one of auto, tsc, posix, mpi" },
    { "--order up", TAKES_BARRIER,
      "does not take --order; taken by: " MOVING_PROGRAMS },
    { "--buffers rotate", TAKES_BARRIER,
      "does not take --buffers; taken by: programs whose "
      "operations can change buffers" },
    { "-k rotate", TAKES_FIXED_ROOT, "-k 'rotate' is not one of fixed:R" },
    { "--clock mpi", TAKES_INIT,
      "does not take --clock; taken by: programs that time iterations" },

    /* Percentiles. */
    { "-z1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", TAKES_BW,
      "-z '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17' has more than 16 "
      "percentiles" },
    { "-z50;99", TAKES_BW, "-z '50;99' " NOT_A_LIST },
    { "-z50,,99", TAKES_BW, "-z '50,,99' " NOT_A_LIST },
    { "-zmost", TAKES_BW, "-z 'most' " NOT_A_LIST },
    { "-z101", TAKES_BW, "-z '101' has a percentile outside 0 to 100" },
    { "-z-1", TAKES_BW, "-z '-1' has a percentile outside 0 to 100" },
    { "-znan", TAKES_BW, "-z 'nan' has a percentile outside 0 to 100" },
    { "--tail-lat=", TAKES_BW, "-z '' is empty" },

    /* Words without an option. */
    { "8", TAKES_BW, "unexpected word '8'" STRAY_NUMBER },
    { "-i 5 1024", TAKES_BW, "unexpected word '1024'" STRAY_NUMBER },
    { "-z 50", TAKES_BW, "unexpected word '50'" STRAY_NUMBER },
    { "-z 50,99.9", TAKES_BW, "unexpected word '50,99.9'" STRAY_NUMBER },
    { "host", TAKES_BW, "unexpected word 'host'" STRAY_WORD },
    { "D D D", TAKES_BW, "unexpected word 'D'" STRAY_WORD },
    { "DH", TAKES_BW, "unexpected word 'DH'" STRAY_WORD },
    { "-- -i", TAKES_BW, "unexpected word '-i'" STRAY_WORD },
};

static void is_refused(void **state)
{
    const struct refused *row = *state;
    struct unit_parsed p;

    unit_parse_of(&p,
                  &(struct bench){ .takes = row->takes, .family = row->family },
                  row->line);
    assert_string_equal(p.why, row->why);
    assert_int_equal(p.outcome, OPTION_REFUSED);
    settings_release(&p.settings);
}

/* A sentence longer than its room is cut, never written beyond. */
static void why_stays_within_its_room(void **state)
{
    const struct sizes sizes = { 1, 4 * MiB };
    struct settings s =
        settings_default(&sizes, &(struct parameter){ .name = NULL }, NULL);
    const struct option_set set = unit_set(TAKES_ALL, &s);
    char name[] = "program", word[] = "unexpected", why[12] = "...........";
    char *argv[] = { name, word, NULL };
    int event = 0;

    (void)state;
    assert_int_equal(option_parse(&set, 2, argv, &s, &event, why, 8),
                     OPTION_REFUSED);
    assert_memory_equal(why, "unexpec\0...", 11);
    settings_release(&s);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD_ROWS(&list, refusals, is_refused);
    UNIT_ADD(&list, why_stays_within_its_room);
    return unit_run("option", &list);
}
