/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Figures of results and the columns that are made of them, the list of rows, and what is said
 * of figures that cannot be or that say little.
 */
#include "unit.h"

#include <unistd.h>

#include "bench.h"
#include "job/interference.c"
#include "report/report.c"
#include "report/result.h"
#include "run/prepare.c"
#include "side_by_side/side_by_side.h"

/* --- Result --------------------------------------------------------------- */

/* Figures made of times: latencies and bandwidths, percentiles, and the columns of
   --columns. */

enum { N = 20, LATENCY = -1 };

/* Iterations of 1, 2, ... 20 us. */
static double iteration[N], ordered[N];
static struct series series = { .n = N, .kept = N, .value = iteration, .sorted = ordered };

static struct result row_of(double scale, double payload)
{
    struct result r = { .iterations = 1000,
                        .stop = STOP_BUDGET,
                        .scale = scale,
                        .is_rate = payload >= 0,
                        .payload = payload,
                        .series = &series };

    for (int i = 0; i < N; i++)
        iteration[i] = ordered[i] = 1e-6 * (i + 1);
    r.over_iterations = stats_of(iteration, N);
    r.mean = r.over_iterations.mean;
    return r;
}

/* MB is 10^6 bytes; the scale of latencies has no part in bandwidths. */
static const struct figure_row {
    const char *name;
    double scale, payload, seconds, figure;
} figure_rows[] = {
    { "a latency is in us", 1, LATENCY, 2.5e-6, 2.5 },
    { "and scaled", 0.5, LATENCY, 2.5e-6, 1.25 },
    { "a bandwidth is in MB/s", 0.5, 64 * 1024, 1e-3, 65.536 },
    { "one that moves nothing is no latency", 1, 0, 1e-3, 0 },
    { "one of no time is not infinite", 1, 1e6, 0, 0 },
};

TEST_ROWS(figure_rows, figure_is)
{
    const struct result r = row_of(row->scale, row->payload);

    assert_near(result_figure(&r, row->seconds), row->figure, 1e-12 * row->figure);
}

static const struct percentile_row {
    const char *name;
    double p, us;
} percentile_rows[] = {
    { "P0", 0, 1 },    { "P5", 5, 1 },    { "P50", 50, 10 },     { "P90", 90, 18 },
    { "P95", 95, 19 }, { "P99", 99, 20 }, { "P99.9", 99.9, 20 }, { "P100", 100, 20 },
};

TEST_ROWS(percentile_rows, percentile_is_a_iteration)
{
    const struct result time = row_of(1, LATENCY), rate = row_of(1, 1e6);

    assert_near(percentile(&time, row->p), row->us, 1e-9);
    /* The low tail: the rate of that same, long iteration. */
    assert_near(percentile(&rate, row->p), 1e6 / row->us, 1e-6);
}

static const struct bench bench_plain = { .report = &report_round_trip };

static struct cell extra_of(const struct result *r, const char *name)
{
    struct extra_column all[COLUMNS_MAX + 1];
    int i = 0;

    list_extras(&bench_plain, r, all);
    while (strcmp(all[i].name, name) != 0)
        i++;
    return all[i].value;
}

/* Of bandwidths (1 MB an iteration) low and high change places: ranks 6 and 15 of 20
   enclose the median. */
static const struct extra_row {
    const char *name;
    double us, mb_per_s;
} extra_rows[] = {
    { "median", 10, 1e6 / 10 },
    { "ci_low", 6, 1e6 / 15 },
    { "ci_high", 15, 1e6 / 6 },
    { "min", 1, 1e6 / 20 },
    { "max", 20, 1e6 / 1 },
    { "stddev", 56.343616902, 56.343616902 },
    { "completion", 10.5, 1e6 / 10.5 },
};

TEST_ROWS(extra_rows, extra_is)
{
    struct result time = row_of(1, LATENCY), rate = row_of(1, 1e6);
    struct cell cell;

    time.mean = rate.mean = 99; /* over ranks: in none of these */
    cell = extra_of(&time, row->name);
    assert_int_equal(cell.kind, CELL_REAL);
    assert_near(cell.real, row->us, 1e-6);
    cell = extra_of(&rate, row->name);
    assert_int_equal(cell.kind, CELL_REAL);
    assert_near(cell.real, row->mb_per_s, 1e-3);
}

/* The clock did not move: no rate is infinite. */
TEST(figures_of_no_time_are_finite)
{
    struct result rate = row_of(1, 1e6);

    rate.over_iterations = (struct stats){ .n = N, .tau = 1, .has_interval = true };
    assert_near(extra_of(&rate, "median").real, 0, 0);
    assert_int_equal(extra_of(&rate, "half_width").kind, CELL_WORD);
}

TEST(extra_counts)
{
    const struct result r = row_of(1, LATENCY);
    struct cell cell = extra_of(&r, "iterations");

    assert_int_equal(cell.kind, CELL_COUNT);
    assert_int_equal(cell.count, 1000);
    cell = extra_of(&r, "samples");
    assert_int_equal(cell.kind, CELL_COUNT);
    assert_int_equal(cell.count, N);
}

TEST(no_interval_is_a_dash)
{
    struct result r = row_of(1, LATENCY);

    r.over_iterations = stats_of(iteration, 5);
    assert_int_equal(extra_of(&r, "ci_low").kind, CELL_WORD);
    assert_string_equal(extra_of(&r, "ci_low").word, "-");
    assert_string_equal(extra_of(&r, "ci_high").word, "-");
}

TEST(words)
{
    struct result r = row_of(1, LATENCY);
    static const char *const stop[] = { [STOP_COUNT] = "count",
                                        [STOP_PRECISION] = "precision",
                                        [STOP_BUDGET] = "budget",
                                        [STOP_ENOUGH] = "enough" };

    for (int i = 0; i < (int)LENGTH(stop); i++) {
        r.stop = (enum stop_reason)i;
        assert_string_equal(result_stop_word(r.stop), stop[i]);
        assert_int_equal(extra_of(&r, "stop").kind, CELL_WORD);
        assert_string_equal(extra_of(&r, "stop").word, stop[i]);
    }
    r.verified = (struct verified){ .checked = 0 };
    assert_string_equal(result_verdict(&r, false), "-");
    r.verified.checked = 2;
    assert_string_equal(result_verdict(&r, false), "Pass");
    assert_string_equal(result_verdict(&r, true), "passed");
    r.verified.wrong = 1;
    assert_string_equal(result_verdict(&r, false), "Fail");
    assert_string_equal(result_verdict(&r, true), "failed");
}

/* Headings say the unit; a column of a bandwidth never says us, nor does
   "MB/s" stand in a table of latencies. */
TEST(headings_have_their_unit)
{
    struct extra_column all[COLUMNS_MAX + 1];

    list_extras(&bench_plain, NULL, all);
    for (const struct extra_column *c = all; c->name != NULL; c++) {
        assert_non_null(c->meaning);
        assert_true(strlen(c->latency) < TABLE_FIELD_WIDTH);
        assert_true(strlen(c->bandwidth) < TABLE_FIELD_WIDTH);
        assert_null(strstr(c->latency, "MB/s"));
        assert_null(strpbrk(c->name, ", \""));
        if (strcmp(c->name, "skew") == 0 || strcmp(c->name, "residual") == 0)
            continue; /* times, whatever the table shows */
        assert_null(strstr(c->bandwidth, "(us)"));
        assert_int_equal(strstr(c->latency, "(us)") != NULL,
                         strstr(c->bandwidth, "(MB/s)") != NULL);
    }
}

TEST(the_global_clock_must_be_trusted)
{
    struct result r = row_of(1, LATENCY);

    r.global = (struct global_times){ .synchronised = true,
                                      .measured = true,
                                      .completion_s = 7e-6,
                                      .skew_s = 2e-6,
                                      .residual_s = 3e-6 };
    assert_string_equal(extra_of(&r, "global").word, "-");
    assert_string_equal(extra_of(&r, "skew").word, "-");
    assert_near(extra_of(&r, "residual").real, 3, 1e-9);
    r.global.trusted = true;
    assert_near(extra_of(&r, "global").real, 7, 1e-9);
    assert_near(extra_of(&r, "skew").real, 2, 1e-9);
    r.global.synchronised = r.global.measured = false;
    assert_string_equal(extra_of(&r, "skew").word, "-");
    assert_string_equal(extra_of(&r, "residual").word, "-");
}

static const struct blame_row {
    const char *name;
    int rank;
    double share;
    int ranks;
    bool straggler;
    const char *word;
} blame_rows[] = {
    { "nobody", -1, 0, 4, false, "-" },
    { "by chance", 0, 0.27, 4, false, "0(27%)" },
    { "one of two, three times in five", 1, 0.60, 2, false, "1(60%)" },
    { "one of two, nine times in ten", 1, 0.90, 2, true, "1(90%)" },
    { "one of a thousand, half the time", 777, 0.51, 1000, true, "777(51%)" },
    { "always", 3, 1, 4, true, "3(100%)" },
    { "the only one", 0, 1, 1, false, "0(100%)" },
};

TEST_ROWS(blame_rows, straggler_is_more_than_chance)
{
    struct result r = row_of(1, LATENCY);

    r.slowest = (struct blame){ row->rank, row->share };
    assert_int_equal(result_is_straggler(&r.slowest, row->ranks), row->straggler);
    assert_string_equal(extra_of(&r, "slowest_rank").word, row->word);
}

TEST(shape_has_its_columns)
{
    struct result r = row_of(1, LATENCY);

    r.shape =
        (struct series_shape){ .outliers.share = 0.03, .drift = { .known = true, .ratio = 0.9 } };
    r.late = 12;
    r.steady.speed = 0.97;
    assert_near(extra_of(&r, "outliers").real, 3, 1e-9);
    assert_near(extra_of(&r, "drift").real, -10, 1e-9);
    assert_int_equal(extra_of(&r, "late").count, 12);
    assert_near(extra_of(&r, "speed").real, 97, 1e-9);
    r.shape.drift.known = false;
    assert_string_equal(extra_of(&r, "drift").word, "-");
}

/* --- Rows ----------------------------------------------------------------- */

/* The list of rows: it grows, and finds the rows of one size
   by rising parameter. */

enum { MANY = 1000 };

static void measure_all(struct rows *rows)
{
    rows_complete(rows);
    for (int i = 0; i < rows->n; i++)
        rows->result[i].mean = rows->result[i].scale = 1;
}

TEST(the_list_grows_and_keeps_its_rows)
{
    struct rows rows = { .row = NULL };

    for (int i = 0; i < MANY; i++) {
        rows_add(&rows, &(struct row){ .bytes = (size_t)i, .parameter = -i });
        assert_int_equal(rows.n, i + 1);
        assert_true(rows.room >= rows.n);
    }
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(rows.row[i].bytes, i);
        assert_int_equal(rows.row[i].parameter, -i);
    }
}

TEST(blocks_differ_by_type_operation_and_parameter)
{
    const struct row a = { .bytes = 1 }, size = { .bytes = 2 };
    const struct row type = { .element = ELEMENT_INT }, operation = { .operation = 1 },
                     parameter = { .parameter = 1 };

    assert_true(row_same_block(&a, &size));
    assert_false(row_same_block(&a, &type));
    assert_false(row_same_block(&a, &operation));
    assert_false(row_same_block(&a, &parameter));
}

/* Rows of two types, two sizes, two operations and several parameters, in no order; one was
   not measured. */
TEST(by_parameter_means_rising_and_measured)
{
    static const struct row in[] = {
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 16 },
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 2 },
        { .element = ELEMENT_CHAR, .bytes = 4, .parameter = 3 },
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 4 },
        { .element = ELEMENT_INT, .bytes = 8, .parameter = 5 },
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 8 },
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 1 },
        { .element = ELEMENT_CHAR, .bytes = 8, .parameter = 3, .operation = 1 },
    };
    enum { LEFT_OUT = 3 };
    static const long expected[] = { 1, 2, 8, 16 };
    const struct result *found[PARAMETER_MAX];
    struct rows rows = { .row = NULL };

    for (size_t i = 0; i < LENGTH(in); i++)
        rows_add(&rows, &in[i]);
    measure_all(&rows);
    rows.result[LEFT_OUT].mean = 0;
    /* Whichever of them it is asked for. */
    for (size_t like = 0; like < 2; like++) {
        assert_int_equal(rows_by_parameter(&rows, &rows.row[like], found), LENGTH(expected));
        for (size_t i = 0; i < LENGTH(expected); i++) {
            assert_int_equal(found[i]->row->parameter, expected[i]);
            assert_int_equal(found[i]->row->element, ELEMENT_CHAR);
            assert_int_equal(found[i]->row->bytes, 8);
        }
    }
    assert_int_equal(rows_by_parameter(&rows, &rows.row[4], found), 1);
    assert_ptr_equal(found[0], &rows.result[4]);
}

/* More than PARAMETER_MAX are never written. */
TEST(no_more_are_found_than_there_is_room)
{
    const struct result *found[PARAMETER_MAX + 1];
    struct rows rows = { .row = NULL };

    found[PARAMETER_MAX] = NULL;
    for (int i = 0; i < 2 * PARAMETER_MAX; i++)
        rows_add(&rows, &(struct row){ .parameter = i });
    measure_all(&rows);
    assert_int_equal(rows_by_parameter(&rows, &rows.row[0], found), PARAMETER_MAX);
    assert_null(found[PARAMETER_MAX]);
}

/* --- Plausible ------------------------------------------------------------ */

/* Figures that cannot be, and those that can. */

static const struct clock_facts clock_25ns = { "clock", 1e-9, 25e-9, 30e-9 };
static const struct clock_facts clock_1us = { "clock", 1e-6, 25e-9, 30e-9 };

static const struct doubt_row {
    const char *name;
    double iteration_us, payload; /* payload < 0: a latency of 1 MB */
    const struct clock_facts *clock;
    double copy, link; /* GB/s */
    unsigned suspect;
} doubt_rows[] = {
    { "an ordinary latency", 100, -1, &clock_25ns, 20, 0, 0 },
    { "an ordinary bandwidth", 100, 1e6, &clock_25ns, 20, 12.5, 0 },
    { "nothing is known of the machine", 1, 1e6, &clock_25ns, 0, 0, 0 },
    { "NaN", NAN, -1, &clock_25ns, 20, 0, SUSPECT_NO_NUMBER },
    { "infinite", HUGE_VAL, 1e6, &clock_25ns, 20, 0, SUSPECT_NO_NUMBER },
    { "negative", -3, -1, &clock_25ns, 20, 0, SUSPECT_NO_NUMBER },
    { "zero", 0, 1e6, &clock_25ns, 20, 0, SUSPECT_NO_NUMBER },
    { "one step of a coarse clock", 1, -1, &clock_1us, 0, 0, SUSPECT_CLOCK },
    { "many steps of it", 100, -1, &clock_1us, 0, 0, 0 },
    { "faster than the link", 60, 1e6, &clock_25ns, 20, 12.5, SUSPECT_LINK },
    { "a little faster: links have headroom", 70, 1e6, &clock_25ns, 20, 12.5, 0 },
    { "faster than memory", 30, 1e6, &clock_25ns, 20, 0, SUSPECT_MEMORY },
    { "a latency faster than both", 30, -1, &clock_25ns, 20, 12.5, SUSPECT_LINK | SUSPECT_MEMORY },
};

TEST_ROWS(doubt_rows, doubt_is)
{
    const struct plausible_limits limits = { 1e9 * row->copy, 1e9 * row->link, 0 };
    const struct result r = {
        .moved = 1000000,
        .mean = 1e-6 * row->iteration_us,
        .scale = 1,
        .is_rate = row->payload >= 0,
        .payload = row->payload,
        .stride = 1,
        .over_iterations = { .n = 10, .median = 1e-6 * row->iteration_us },
    };

    assert_int_equal(suspicions(&r, row->clock, &limits), row->suspect);
}

TEST(a_bandwidth_is_a_share_of_its_limit)
{
    const struct plausible_limits half = { .link = 25e9, .best = 12.5e9 };
    const struct plausible_limits none = { .link = 25e9 };
    /* 10 GB/s */
    struct result r = { .mean = 1e-4, .payload = 1e6, .is_rate = true };

    assert_near(share_of_limit(&r, &half), 0.8, 1e-12);
    assert_true(isnan(share_of_limit(&r, &none)));
    /* What is printed may be another than the mean. */
    r.own_headline = true;
    r.headline_s = 2e-4;
    assert_near(share_of_limit(&r, &half), 0.4, 1e-12);
    r.is_rate = false;
    assert_true(isnan(share_of_limit(&r, &half)));
}

/* Work that a GPU may still have to do, and a clock that may have stepped. */
static const struct other_row {
    const char *name;
    double mean;
    bool certain, stepped;
    unsigned suspect;
} other_rows[] = {
    { "work is pending, perhaps", 1e-6, false, false, 0 },
    { "work is pending", 1e-6, true, false, SUSPECT_UNFINISHED },
    { "the clock stepped", 1e-6, false, true, SUSPECT_STEP },
    { "and back", -1e-6, false, true, SUSPECT_STEP | SUSPECT_NO_NUMBER },
};

TEST_ROWS(other_rows, other_doubt_is)
{
    const struct plausible_limits none = { 0 };
    const struct result r = {
        .mean = row->mean, .scale = 1, .gpu = { true, 1e-3, row->certain }, .stepped = row->stepped
    };

    assert_int_equal(suspicions(&r, &clock_25ns, &none), row->suspect);
}

TEST(words_name_every_reason)
{
    char text[200];

    assert_string_equal(plausible_words(0, text, sizeof text), "");
    assert_string_equal(plausible_words(SUSPECT_CLOCK | SUSPECT_MEMORY, text, sizeof text),
                        "shorter than the clock can resolve, faster than the ranks can copy");
    /* Too little room cuts, and does not overrun. */
    plausible_words(15, text, 10);
    assert_int_equal(strlen(text), 9);
}

/* --- Doubt ---------------------------------------------------------------- */

/* Rows that say little of the machine, the line after the table, and stolen time. */

enum { DISTURBED = 1 << DOUBT_DISTURBED, FEW = 1 << DOUBT_FEW, SPEED = 1 << DOUBT_SPEED };

static const struct case_row {
    const char *name;
    double mean, median, speed;
    long found, left_out, iterations;
    enum stop_reason stop;
    unsigned doubts;
} doubted[] = {
    { "nothing is known against it", 1, 1, 1, 0, 0, 1000, STOP_PRECISION, 0 },
    { "a long tail, and nobody was disturbed", 2, 1, 1, 0, 0, 1000, STOP_BUDGET, 0 },
    { "all that was disturbed is left out", 2, 1, 1, 9, 9, 1000, STOP_BUDGET, 0 },
    { "disturbed, but as quick", 1.09, 1, 1, 9, 0, 1000, STOP_BUDGET, 0 },
    { "disturbed, and slower", 1.11, 1, 1, 9, 0, 1000, STOP_BUDGET, DISTURBED },
    { "disturbed, and some left out", 1.11, 1, 1, 9, 8, 1000, STOP_BUDGET, DISTURBED },
    { "too few", 1, 1, 1, 9, 9, 19, STOP_BUDGET, FEW },
    { "slow, and undisturbed", 1, 1, 1, 0, 0, 3, STOP_BUDGET, 0 },
    { "as many as asked for", 1, 1, 1, 0, 0, 3, STOP_COUNT, 0 },
    { "slower by the end", 1, 1, 0.89, 0, 0, 1000, STOP_BUDGET, SPEED },
    { "speed is not known", 1, 1, 0, 0, 0, 1000, STOP_BUDGET, 0 },
    { "all of it", 3, 1, 1.2, 5, 0, 3, STOP_BUDGET, DISTURBED | FEW | SPEED },
};

static struct result doubtful(const struct case_row *row)
{
    static const struct row of = { .bytes = 64 };

    return (struct result){
        .row = &of,
        .over_iterations = { .mean = row->mean, .median = row->median },
        .steady.speed = row->speed,
        .disturbed = { true, 10, row->found, row->left_out },
        .iterations = row->iterations,
        .stop = row->stop,
    };
}

TEST_ROWS(doubted, doubts_are)
{
    const struct result r = doubtful(row);

    assert_int_equal(doubt_of(&r), row->doubts);
}

/* The line of these doubted, two of each size, to be freed. */
static char *line_of(const char *const *name)
{
    enum { ROWS = 8 }; /* of them some are not measured */
    struct row row[ROWS];
    struct result result[ROWS] = { { .row = NULL } };
    const struct rows rows = { .row = row, .result = result, .n = ROWS };
    struct unit_text text;

    for (int n = 0; name[n] != NULL; n++)
        for (size_t i = 0; i < LENGTH(doubted); i++)
            if (strcmp(doubted[i].name, name[n]) == 0) {
                row[n] = (struct row){ .bytes = 64 + (size_t)n / 2 };
                result[n] = doubtful(&doubted[i]);
                result[n].row = &row[n];
            }
    unit_text_open(&text);
    for (int i = 0; i < DOUBTS; i++)
        print_doubt(text.to, &rows, i);
    fclose(text.to);
    return text.data;
}

TEST(a_line_says_each_reason_once)
{
    const char *const slow = doubted[4].name, *const few = doubted[6].name;
    const char *const good[] = { doubted[0].name, doubted[1].name, NULL };
    const char *const both[] = { doubted[0].name, slow, few, NULL };
    const char *const many[] = { slow, slow, slow, few, slow, slow, NULL };
    const char *const more[] = { slow, slow, slow, slow, slow, slow, slow, NULL };
    char *line = line_of(good);

    assert_string_equal(line, "");
    free(line);
    line = line_of(both);
    assert_string_equal(line,
                        " disturbed: 1 of 3 rows, at 64; the kernel took the CPU from a rank; "
                        "keep other work off these CPUs and run again, or read medians "
                        "(--columns=median); few iterations: 1 of 3 rows, at 65; fewer than 20 "
                        "were undisturbed before the time was over; raise --budget;");
    free(line);
    line = line_of(many);
    assert_non_null(strstr(line, " disturbed: 5 of 6 rows, at 64, 65, 66; "));
    assert_non_null(strstr(line, " few iterations: 1 of 6 rows, at 65; "));
    free(line);
    line = line_of(more);
    assert_non_null(strstr(line, " disturbed: 7 of 7 rows, at 64, 65, 66, ...; "));
    free(line);
}

/* The eighth number of a CPU's line, in ticks of the kernel. */
TEST(stolen_time_is_that_of_the_cpu)
{
    char folder[] = "/tmp/alidade-unit-XXXXXX", path[64];
    const double tick = 1 / (double)sysconf(_SC_CLK_TCK);
    FILE *file;

    assert_non_null(mkdtemp(folder));
    assert_true(stolen_from(folder, 1) == 0);
    snprintf(path, sizeof path, "%s/stat", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs("cpu  1 2 3 4 5 6 7 300 9 10\ncpu1 1 2 3 4 5 6 7 100 9 10\n"
          "cpu11 1 2 3 4 5 6 7 200 9 10\nintr 5\n",
          file);
    fclose(file);
    assert_near(stolen_from(folder, 1), 100 * tick, 1e-9);
    assert_near(stolen_from(folder, 11), 200 * tick, 1e-9);
    assert_true(stolen_from(folder, 2) == 0);
    remove(path);
    rmdir(folder);
}

TEST(time_that_is_over_at_once_is_looked_at_once)
{
    assert_int_equal(share_of(1e-9).polling, 0);
}
