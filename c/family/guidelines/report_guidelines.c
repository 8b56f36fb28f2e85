/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_guidelines.h"

#include <string.h>

#include "guidelines.h"
#include "report/report_kinds.h"
#include "stats/stats.h"

/* Too few rounds for an interval. */
static bool has_no_interval(const struct settings *s)
{
    const long rounds = settings_most_laps(s);
    size_t lower, upper;

    return !stats_ranks((size_t)rounds, 0.5, &lower, &upper);
}

static void explain(FILE *to, const struct bench_run *r,
                    const struct settings *s)
{
    collective_operation_line(to, r, s);
    fputs("# Times in us: median over iterations, of the slowest rank of each\n"
          "# Ratio: median over iterations of first column / fastest mock-up, "
          "with its 95% interval\n",
          to);
}

/* Names that need more than a column. */
enum { LONG = 26 };

#define TIME(key, operation, name, width)                                      \
    {                                                                          \
        { key, name, width },                                                  \
            COLUMN_US(struct guideline, judgement.time_s[operation])           \
    }
#define NATIVE(name)        TIME("native_us", 0, name, 0)
#define NATIVE_LONG(name)   TIME("native_us", 0, name, LONG)
#define MOCKUP_1(name)      TIME("mockup_1_us", 1, name, 0)
#define MOCKUP_2(name)      TIME("mockup_2_us", 2, name, 0)
#define MOCKUP_2_LONG(name) TIME("mockup_2_us", 2, name, LONG)
#define MOCKUP_3(name)      TIME("mockup_3_us", 3, name, 0)

#define TABLE(name, ...)                                                       \
    static const struct report_column name##_columns[] = {                     \
        __VA_ARGS__,                                                           \
        { { "ratio", "Ratio", 0 },                                             \
          COLUMN_OF(struct guideline, judgement.shown.median) },               \
        { { "ratio_low", "CI95 Low", 0 },                                      \
          COLUMN_OF(struct guideline, judgement.shown.low),                    \
          .empty = has_no_interval },                                          \
        { { "ratio_high", "CI95 High", 0 },                                    \
          COLUMN_OF(struct guideline, judgement.shown.high),                   \
          .empty = has_no_interval },                                          \
        { .value = NULL },                                                     \
    };                                                                         \
    const struct report report_##name##_guideline = {                          \
        .unit = "us",                                                          \
        .sample = "a call of the operation, and of each mock-up, on every "    \
                  "rank, in random order; all ranks are synchronized before "  \
                  "each",                                                      \
        .printed = "us of each, median over iterations of the slowest rank; "  \
                   "and the median over iterations of operation / mock-up, "   \
                   "for the mock-up where it is greatest, with its 95% "       \
                   "interval",                                                 \
        .headline = name##_columns,                                            \
        .preamble = explain,                                                   \
    }

TABLE(allgather, NATIVE("allgather"), MOCKUP_1("gather+bcast"),
      MOCKUP_2("allgatherv"));
TABLE(allreduce, NATIVE("allreduce"), MOCKUP_1("reduce+bcast"),
      MOCKUP_2_LONG("reduce_scatter+allgather"));
TABLE(alltoall, NATIVE("alltoall"), MOCKUP_1("alltoallv"));
TABLE(bcast, NATIVE("bcast"), MOCKUP_1("scatter+allgather"));
TABLE(gather, NATIVE("gather"), MOCKUP_1("gatherv"), MOCKUP_2("allgather"));
TABLE(reduce, NATIVE("reduce"), MOCKUP_1("allreduce"),
      MOCKUP_2_LONG("reduce_scatter+gather"));
TABLE(reduce_scatter_block, NATIVE_LONG("reduce_scatter_block"),
      MOCKUP_1("reduce+scatter"), MOCKUP_2("reduce_scatter"),
      MOCKUP_3("allreduce"));
TABLE(scan, NATIVE("scan"), MOCKUP_1("exscan"));
TABLE(scatter, NATIVE("scatter"), MOCKUP_1("scatterv"), MOCKUP_2("bcast"));

const char *report_guideline_name(const struct report *report, int i)
{
    const struct report_column *column = &report->headline[i];

    return strcmp(column->column.key, "ratio") != 0 ? column->column.heading
                                                    : NULL;
}
