/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures made of times: latencies and bandwidths, percentiles, and the
   columns of --columns. */
#include "unit.h"

#include "report/report.h"

enum { N = 20, LATENCY = -1 };

/* Laps of 1, 2, ... 20 us. */
static double lap[N], ordered[N];
static struct series series = {
    .n = N, .kept = N, .value = lap, .sorted = ordered
};

static struct result row_of(double scale, double payload)
{
    struct result r = { .laps = 1000,
                        .stop = STOP_BUDGET,
                        .scale = scale,
                        .is_rate = payload >= 0,
                        .payload = payload,
                        .series = &series };

    for (int i = 0; i < N; i++)
        lap[i] = ordered[i] = 1e-6 * (i + 1);
    r.over_laps = stats_of(lap, N);
    r.mean = r.over_laps.mean;
    return r;
}

TEST(figure_of_a_latency_is_scaled_us)
{
    const struct result whole = row_of(1, LATENCY), half = row_of(0.5, LATENCY);

    assert_near(result_figure(&whole, 2.5e-6), 2.5, 1e-12);
    assert_near(result_figure(&half, 2.5e-6), 1.25, 1e-12);
}

/* MB is 10^6 bytes; the scale of latencies has no part in it. */
TEST(figure_of_a_bandwidth_is_mb_per_s)
{
    const struct result r = row_of(0.5, 64 * 1024);

    assert_near(result_figure(&r, 1e-3), 65.536, 1e-9);
}

/* Not a latency, though nothing is moved. */
TEST(figure_of_an_empty_bandwidth_is_zero)
{
    const struct result r = row_of(1, 0);

    assert_near(result_figure(&r, 1e-3), 0, 0);
}

static const struct percentile_row {
    const char *name;
    double p, us;
} percentile_rows[] = {
    { "P0", 0, 1 },        { "P5", 5, 1 },      { "P50", 50, 10 },
    { "P90", 90, 18 },     { "P95", 95, 19 },   { "P99", 99, 20 },
    { "P99.9", 99.9, 20 }, { "P100", 100, 20 },
};

TEST_ROWS(percentile_rows, percentile_is_a_lap)
{
    const struct result time = row_of(1, LATENCY), rate = row_of(1, 1e6);

    assert_near(result_percentile(&time, row->p), row->us, 1e-9);
    /* The low tail: the rate of that same, long lap. */
    assert_near(result_percentile(&rate, row->p), 1e6 / row->us, 1e-6);
}

/* Of bandwidths (1 MB a lap) low and high change places: ranks 6 and 15 of 20
   enclose the median. */
static const struct extra_row {
    const char *name;
    int id;
    double us, mb_per_s;
} extra_rows[] = {
    { "median", EXTRA_MEDIAN, 10, 1e6 / 10 },
    { "ci_low", EXTRA_CI_LOW, 6, 1e6 / 15 },
    { "ci_high", EXTRA_CI_HIGH, 15, 1e6 / 6 },
    { "min", EXTRA_MIN, 1, 1e6 / 20 },
    { "max", EXTRA_MAX, 20, 1e6 / 1 },
    { "stddev", EXTRA_STDDEV, 56.343616902, 56.343616902 },
    { "completion", EXTRA_COMPLETION, 10.5, 1e6 / 10.5 },
};

TEST_ROWS(extra_rows, extra_is)
{
    struct result time = row_of(1, LATENCY), rate = row_of(1, 1e6);
    struct cell cell;

    time.mean = rate.mean = 99; /* over ranks: in none of these */
    cell = report_extra(&time, row->id);
    assert_int_equal(cell.kind, CELL_REAL);
    assert_near(cell.real, row->us, 1e-6);
    cell = report_extra(&rate, row->id);
    assert_int_equal(cell.kind, CELL_REAL);
    assert_near(cell.real, row->mb_per_s, 1e-3);
    assert_string_equal(extra_columns[row->id].name, row->name);
}

/* The clock did not move: no rate is infinite. */
TEST(figures_of_no_time_are_finite)
{
    struct result rate = row_of(1, 1e6);

    assert_near(result_figure(&rate, 0), 0, 0);
    rate.over_laps = (struct stats){ .n = N, .tau = 1, .has_interval = true };
    assert_near(report_extra(&rate, EXTRA_MEDIAN).real, 0, 0);
    assert_int_equal(report_extra(&rate, EXTRA_HALF_WIDTH).kind, CELL_WORD);
}

TEST(extra_counts)
{
    const struct result r = row_of(1, LATENCY);
    struct cell cell = report_extra(&r, EXTRA_LAPS);

    assert_int_equal(cell.kind, CELL_COUNT);
    assert_int_equal(cell.count, 1000);
    cell = report_extra(&r, EXTRA_SAMPLES);
    assert_int_equal(cell.kind, CELL_COUNT);
    assert_int_equal(cell.count, N);
}

TEST(no_interval_is_a_dash)
{
    struct result r = row_of(1, LATENCY);

    r.over_laps = stats_of(lap, 5);
    for (int id = EXTRA_CI_LOW; id <= EXTRA_CI_HIGH; id++) {
        const struct cell cell = report_extra(&r, id);

        assert_int_equal(cell.kind, CELL_WORD);
        assert_string_equal(cell.word, "-");
    }
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
        assert_int_equal(report_extra(&r, EXTRA_STOP).kind, CELL_WORD);
        assert_string_equal(report_extra(&r, EXTRA_STOP).word, stop[i]);
    }
    assert_string_equal(result_verdict_word(VERDICT_NOT_CHECKED, false), "-");
    assert_string_equal(result_verdict_word(VERDICT_PASS, false), "Pass");
    assert_string_equal(result_verdict_word(VERDICT_FAIL, false), "Fail");
    assert_string_equal(result_verdict_word(VERDICT_PASS, true), "passed");
    assert_string_equal(result_verdict_word(VERDICT_FAIL, true), "failed");
}

/* Headings say the unit; a column of a bandwidth never says us, nor does
   "MB/s" stand in a table of latencies. */
TEST(headings_have_their_unit)
{
    for (int id = 0; id < EXTRA_COUNT; id++) {
        const struct extra_column *c = &extra_columns[id];

        assert_non_null(c->meaning);
        assert_true(strlen(c->latency) < TABLE_FIELD_WIDTH);
        assert_true(strlen(c->bandwidth) < TABLE_FIELD_WIDTH);
        assert_null(strstr(c->latency, "MB/s"));
        assert_null(strpbrk(c->name, ", \""));
        if (id == EXTRA_SKEW || id == EXTRA_RESIDUAL)
            continue; /* times, whatever the table shows */
        assert_null(strstr(c->bandwidth, "(us)"));
        assert_int_equal(strstr(c->latency, "(us)") != NULL,
                         strstr(c->bandwidth, "(MB/s)") != NULL);
    }
}

TEST(the_global_clock_must_be_trusted)
{
    struct result r = row_of(1, LATENCY);
    static const int ids[] = { EXTRA_GLOBAL, EXTRA_SKEW };

    r.global = (struct global_times){ .synchronised = true,
                                      .measured = true,
                                      .completion_s = 7e-6,
                                      .skew_s = 2e-6,
                                      .residual_s = 3e-6 };
    for (size_t i = 0; i < LENGTH(ids); i++)
        assert_string_equal(report_extra(&r, ids[i]).word, "-");
    assert_near(report_extra(&r, EXTRA_RESIDUAL).real, 3, 1e-9);
    r.global.trusted = true;
    assert_near(report_extra(&r, EXTRA_GLOBAL).real, 7, 1e-9);
    assert_near(report_extra(&r, EXTRA_SKEW).real, 2, 1e-9);
    r.global.synchronised = r.global.measured = false;
    assert_string_equal(report_extra(&r, EXTRA_SKEW).word, "-");
    assert_string_equal(report_extra(&r, EXTRA_RESIDUAL).word, "-");
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
    assert_int_equal(result_is_straggler(&r.slowest, row->ranks),
                     row->straggler);
    assert_string_equal(report_extra(&r, EXTRA_SLOWEST).word, row->word);
}

TEST(shape_has_its_columns)
{
    struct result r = row_of(1, LATENCY);

    r.shape = (struct series_shape){ .outliers.share = 0.03,
                                     .drift = { .known = true, .ratio = 0.9 } };
    r.late = 12;
    r.steady.speed = 0.97;
    assert_near(report_extra(&r, EXTRA_OUTLIERS).real, 3, 1e-9);
    assert_near(report_extra(&r, EXTRA_DRIFT).real, -10, 1e-9);
    assert_int_equal(report_extra(&r, EXTRA_LATE).count, 12);
    assert_near(report_extra(&r, EXTRA_SPEED).real, 97, 1e-9);
    r.shape.drift.known = false;
    assert_string_equal(report_extra(&r, EXTRA_DRIFT).word, "-");
}
