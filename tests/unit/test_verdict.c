/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What runs say: verdicts, shifts, the next run, hosts that are worse than their like.
 */
#include "unit_series.h"

#include "../reference/shifts.h"
#include "examination/host_series.h"
#include "stats/stats.h"
#include "verdicts/next_run.h"
#include "verdicts/shift_test.h"
#include "verdicts/verdict.h"

/* --- Verdict -------------------------------------------------------------- */

/* Faster, slower, same or undecided: by runs that are made up. */

/* Launches whose times spread by so much around the middle, on a logarithmic scale. */
static void runs(double *time, size_t n, double middle, double spread)
{
    for (size_t i = 0; i < n; i++)
        time[i] = middle * exp(spread * (unit_uniform() + unit_uniform() - 1));
}

/* Verdicts at the level of runs that are compared once. */
static void settle(struct verdict *j, size_t n, double margin)
{
    verdict_settle(j, n, margin, verdict_level(0));
}

/* Of 300 comparisons of n runs a side: how many have each verdict, as one of so
   many rows that are otherwise alike? */
static void count(double ratio, double spread, size_t n, size_t rows,
                  int found[VERDICT_SLOWER + 1])
{
    enum { COMPARISONS = 300, MOST = 64 };

    for (int v = 0; v <= VERDICT_SLOWER; v++)
        found[v] = 0;
    for (int i = 0; i < COMPARISONS; i++) {
        struct verdict j[MOST];
        double a[MOST], b[MOST];

        for (size_t row = 0; row < rows; row++) {
            runs(a, n, 1, spread);
            runs(b, n, row == 0 ? ratio : 1, spread);
            j[row] = verdict_of(a, n, b, n, 0.03);
        }
        settle(j, rows, 0.03);
        found[j[0].is]++;
    }
}

TEST(ten_percent_are_found_and_three_are_not)
{
    int found[VERDICT_SLOWER + 1];

    unit_state = 1;
    count(1.10, 0.04, 8, 20, found);
    assert_true(found[VERDICT_SLOWER] >= 295 && found[VERDICT_FASTER] == 0);
    count(1 / 1.10, 0.04, 8, 20, found);
    assert_true(found[VERDICT_FASTER] >= 295 && found[VERDICT_SLOWER] == 0);
    count(1.03, 0.04, 8, 20, found);
    assert_true(found[VERDICT_SLOWER] <= 3 && found[VERDICT_FASTER] == 0);
}

TEST(what_is_alike_is_not_told_apart)
{
    int found[VERDICT_SLOWER + 1];

    unit_state = 2;
    count(1, 0.3, 8, 1, found);
    assert_true(found[VERDICT_SLOWER] + found[VERDICT_FASTER] <= 15);
    count(1, 0.01, 8, 20, found);
    assert_true(found[VERDICT_SAME] >= 295);
}

TEST(too_few_launches_decide_nothing)
{
    const double a[] = { 1, 1.001, 0.999 }, b[] = { 2, 2.001, 1.999 };
    struct verdict j;

    j = verdict_of(a, 3, b, 3, 0.03);
    assert_false(j.ratio.has_interval);
    settle(&j, 1, 0.03);
    assert_int_equal(j.is, VERDICT_UNDECIDED);
    assert_int_equal(j.further, 1); /* four of each: p = 0.029 */
    assert_true(fabs(j.ratio.value - 2) < 0.01);
    assert_true(j.superiority == 1);
}

/* With so many more runs it is mostly decided, and with a quarter of them it is
   not. */
TEST(further_launches_are_as_many_as_it_takes)
{
    enum { FEW = 6, MOST = 120 };
    const double ratio = 1.08;
    int promised = 0, n = 0, decided = 0, early = 0;

    unit_state = 3;
    for (int i = 0; i < 300; i++) {
        double a[MOST], b[MOST];
        struct verdict j;

        runs(a, MOST, 1, 0.12);
        runs(b, MOST, ratio, 0.12);
        j = verdict_of(a, FEW, b, FEW, 0.03);
        settle(&j, 1, 0.03);
        if (j.is == VERDICT_UNDECIDED && j.further > 0) {
            promised += j.further;
            n++;
        }
    }
    assert_true(n > 100);
    for (int i = 0; i < 300; i++) {
        const size_t all = (size_t)(FEW + promised / n), some = FEW + 1;
        double a[MOST], b[MOST];
        struct verdict j;

        runs(a, all, 1, 0.12);
        runs(b, all, ratio, 0.12);
        j = verdict_of(a, all, b, all, 0.03);
        settle(&j, 1, 0.03);
        decided += j.is == VERDICT_SLOWER;
        j = verdict_of(a, some, b, some, 0.03);
        settle(&j, 1, 0.03);
        early += j.is == VERDICT_SLOWER;
    }
    assert_true(decided > 150 && early < decided / 2);
}

/* The interval is far beyond the margin, but one run is where the others are not, and
   there are many rows: p is what is missing. */
TEST(stray_launches_among_many_rows_take_more)
{
    enum { ROWS = 150, N = 12 };
    double a[N], b[N];
    struct verdict j[ROWS];

    unit_state = 4;
    for (int i = 0; i < ROWS; i++) {
        runs(a, N, 1, 0.04);
        runs(b, N, i == 0 ? 1.4 : 1, 0.04);
        if (i == 0)
            a[3] = a[7] = a[9] = 3;
        j[i] = verdict_of(a, N, b, N, 0.03);
    }
    settle(j, ROWS, 0.03);
    assert_int_equal(j[0].is, VERDICT_UNDECIDED);
    assert_true(j[0].ratio.has_interval && j[0].ratio.low > 1.03);
    /* p = 0.015 by itself is 2.4 deviations, 0.05 / 150 takes 3.6. */
    assert_true(j[0].further >= 8 && j[0].further <= 30);
}

TEST(a_ratio_on_the_edge_of_the_margin_takes_too_many)
{
    const double a[] = { 1, 1.01, 0.99, 1.02, 0.98 },
                 b[] = { 1.031, 1.041, 1.021, 1.051, 1.011 };
    struct verdict j;

    j = verdict_of(a, 5, b, 5, 0.03);
    settle(&j, 1, 0.03);
    assert_int_equal(j.is, VERDICT_UNDECIDED);
    assert_int_equal(j.further, -1);
}

/* At the edge of the margin every verdict is wrong.  Looks at 5, 10 and 20 runs that stop
   at the first verdict: how many of so many are wrong, by the level of the look or not? */
static int wrong_ones(bool by_look)
{
    enum { SEQUENCES = 500, MOST = 20, LEAST = 5 };
    int wrong = 0;

    unit_state = 5;
    for (int i = 0; i < SEQUENCES; i++) {
        double a[MOST], b[MOST];
        int look = 1;

        runs(a, MOST, 1, 0.07);
        runs(b, MOST, 1.03, 0.07);
        for (size_t n = LEAST; n <= MOST; n *= 2, look++) {
            struct verdict j;

            j = verdict_of(a, n, b, n, 0.03);
            verdict_settle(&j, 1, 0.03, verdict_level(by_look ? look : 0));
            if (j.is != VERDICT_UNDECIDED) {
                wrong++;
                break;
            }
        }
    }
    return wrong;
}

TEST(looks_together_are_wrong_as_rarely_as_one)
{
    const int one_level = wrong_ones(false), by_look = wrong_ones(true);

    assert_true(by_look <= 12);
    assert_true(one_level >= 2 * by_look);
}

TEST(a_look_has_its_level)
{
    /* All of one beyond all of the other, the margin too: p = 2 / 252 at best. */
    const double a[] = { 1, 1.01, 1.02, 1.03, 1.04 },
                 b[] = { 2, 2.01, 2.02, 2.03, 2.04 };
    struct verdict j;

    assert_true(verdict_level(0) == 0.05 && verdict_level(1) == 0.025 &&
                verdict_level(2) == 0.0125);
    for (int look = 0; look <= 3; look++) {
        j = verdict_of(a, 5, b, 5, 0.03);
        verdict_settle(&j, 1, 0.03, verdict_level(look));
        assert_int_equal(j.is, look <= 2 ? VERDICT_SLOWER : VERDICT_UNDECIDED);
        assert_true(verdict_can_tell(&j, 1, verdict_level(look)) ==
                    (look <= 2));
    }
    assert_int_equal(j.further, 1);
    /* The same within the margin: at a level that five runs cannot have, it is open. */
    for (int look = 0; look <= 3; look += 3) {
        j = verdict_of(a, 5, a, 5, 0.10);
        verdict_settle(&j, 1, 0.10, verdict_level(look));
        assert_int_equal(j.is, look == 0 ? VERDICT_SAME : VERDICT_UNDECIDED);
    }
}

TEST(without_an_interval_further_launches_are_up_to_four)
{
    const double a[] = { 1, 1 }, same[] = { 1, 1 };
    struct verdict j;

    j = verdict_of(a, 2, same, 2, 0.03);
    settle(&j, 1, 0.03);
    assert_false(j.ratio.has_interval);
    assert_int_equal(j.further, 2);
}

TEST(words)
{
    assert_string_equal(verdict_word(VERDICT_FASTER), "faster");
    assert_string_equal(verdict_word(VERDICT_SLOWER), "slower");
    assert_string_equal(verdict_word(VERDICT_SAME), "same");
    assert_string_equal(verdict_word(VERDICT_UNDECIDED), "undecided");
}

/* --- Shift test ----------------------------------------------------------- */

/* By how much small samples differ: against every choice of ranks, looked at one by
   one by tests/reference/shifts.py. */

static void near(double got, double expected)
{
    assert_true(fabs(got - expected) <= 1e-12 * (1 + fabs(expected)));
}

static void agrees(const struct shift_reference *r)
{
    struct rank_shift s;

    s = rank_shift_of(r->a, r->na, r->b, r->nb);
    near(s.p, r->p);
    near(s.shift, r->shift);
    assert_int_equal(s.has_interval, r->has_interval);
    near(s.low, r->low);
    near(s.high, r->high);
    near(s.superiority, r->superiority);
    /* The other way round. */
    s = rank_shift_of(r->b, r->nb, r->a, r->na);
    near(s.p, r->p);
    near(s.shift, -r->shift);
    near(s.low, -r->high);
    near(s.high, -r->low);
    near(s.superiority, 1 - r->superiority);
}

TEST(small_samples_agree)
{
    for (size_t i = 0; i < LENGTH(shift_references); i++)
        agrees(&shift_references[i]);
}

/* 4000 pairs of samples that differ by a shift: how often is it in the interval, and
   how often is there a difference where none is? */
TEST(intervals_hold_as_often_as_they_say)
{
    enum { PAIRS = 4000, N = 8 };
    int held = 0, alarms = 0;

    unit_state = 42;
    for (int i = 0; i < PAIRS; i++) {
        double a[N], b[N];
        struct rank_shift s;

        for (int k = 0; k < N; k++) {
            a[k] = -log(1 - unit_uniform());
            b[k] = -log(1 - unit_uniform());
        }
        s = rank_shift_of(a, N, b, N);
        alarms += s.p <= 0.05;
        held += s.low <= 0 && s.high >= 0;
    }
    assert_in_range(alarms, PAIRS * 3 / 100, PAIRS * 55 / 1000);
    assert_in_range(held, PAIRS * 945 / 1000, PAIRS * 97 / 100);
}

/* Where the exact distribution ends, nothing jumps. */
TEST(many_values_by_the_normal_distribution)
{
    double a[40], b[40], p[2];

    for (int n = 30; n <= 31; n++) {
        struct rank_shift s;

        for (int k = 0; k < n; k++) {
            a[k] = k;
            b[k] = k + 4.5;
        }
        s = rank_shift_of(a, (size_t)n, b, (size_t)n);
        assert_true(s.has_interval);
        near(s.shift, 4.5);
        p[n - 30] = s.p;
    }
    assert_true(fabs(log(p[0] / p[1])) < 0.15);
}

TEST(holm_adjusts_in_any_order)
{
    double p[] = { 0.04, 0.01, 0.5, 0.005, 0.03 };
    static const double expected[] = { 0.09, 0.04, 0.5, 0.025, 0.09 };

    rank_shift_holm(p, LENGTH(p));
    for (size_t i = 0; i < LENGTH(p); i++)
        near(p[i], expected[i]);
    p[0] = 0.9;
    p[1] = 0.9;
    rank_shift_holm(p, 2);
    near(p[0], 1);
    rank_shift_holm(p, 0);
}

/* --- Next run ------------------------------------------------------------- */

/* Does the interval for the next run hold what the next run shows, and are two
   groups of runs found where there are two, and only there?  Runs are made up: a
   level for each, drawn from the shape of the row, and the scatter that a median
   over iterations has.  Generator and seeds are fixed: the outcome is the same on
   every machine with IEEE arithmetic. */

enum { MOST_RUNS = 80, SETS = 10000 };

/* Two groups, 10% apart: share of the upper one, scatter within each. */
static double groups(double share, double scatter)
{
    return (unit_uniform() < share ? log(1.1) : 0) + scatter * unit_normal();
}

/* Student's t with three degrees of freedom. */
static double student(void)
{
    double sum = 0;

    for (int i = 0; i < 3; i++) {
        const double x = unit_normal();

        sum += x * x / 3;
    }
    return unit_normal() / sqrt(sum);
}

/* Levels of runs, as logarithms. */
/* clang-format off */
DRAW(spread, 0.03 * unit_normal())
DRAW(heavy, 0.03 * student())
DRAW(skewed, -0.05 * log(1 - unit_uniform()))
DRAW(floor_and_tail, log1p(0.03 * exp(unit_normal())))
DRAW(strays, 0.02 * (unit_uniform() < 0.05 ? 6 : 1) * unit_normal())
DRAW(halves, groups(0.5, 0.01))
DRAW(fifths, groups(0.2, 0.01))
/* clang-format on */

static const struct shape {
    const char *name;
    unit_draw level;
    bool one_group;
    double least, most; /* share of next runs in the interval */
} shapes[] = {
    { "log-normal", spread, true, 0.93, 0.975 },
    { "heavy tails", heavy, true, 0.93, 0.97 },
    { "skewed", skewed, true, 0.93, 0.97 },
    { "5% strays", strays, true, 0.93, 0.97 },
    /* A few runs may not have seen a long tail or a rare group; two groups are wide. */
    { "floor and long tail", floor_and_tail, true, 0.915, 0.97 },
    { "a fifth of the runs slower", fifths, false, 0.915, 0.97 },
    { "half of the runs slower", halves, false, 0.94, 1 },
};

TEST_ROWS(shapes, the_next_run_is_inside)
{
    static const size_t runs[] = { 5, 8, 12, 20, 38, 39, 79 };

    unit_state = 0x9e3779b97f4a7c15u;
    for (size_t j = 0; j < LENGTH(runs); j++) {
        int held = 0, found = 0;

        for (int i = 0; i < SETS; i++) {
            double run[MOST_RUNS];
            struct next_run next;

            for (size_t k = 0; k <= runs[j]; k++)
                run[k] = row->level(k, runs[j]) + 0.006 * unit_normal();
            stats_sort(run, runs[j]);
            next = next_run_of(run, runs[j]);
            held +=
                exp(run[runs[j]]) >= next.low && exp(run[runs[j]]) <= next.high;
            found += run_groups_of(run, runs[j]).lower > 0;
        }
        printf("# %s, %zu runs: %.1f%% inside, %.2f%% two groups\n", row->name,
               runs[j], 100.0 * held / SETS, 100.0 * found / SETS);
        assert_true(held >= row->least * SETS && held <= row->most * SETS);
        assert_true(!row->one_group || found < 0.03 * SETS);
    }
}

/* Runs go on until the interval is within so much of the median, and are looked at after
   each: that must not spoil the interval. */
TEST(stopping_early_does_not_spoil_it)
{
    static const double targets[] = { 0.04, 0.05, 0.06, 0.075, 0.1 };

    for (size_t j = 0; j < LENGTH(targets); j++) {
        int held = 0;

        unit_state = 7 + j;
        for (int i = 0; i < SETS / 10; i++) {
            double run[MOST_RUNS], after;
            struct next_run next = { .low = 0 };
            size_t k = 0;

            do {
                run[k] = spread(k, MOST_RUNS);
                stats_sort(run, ++k);
                next = next_run_of(run, k);
            } while (k < 40 && (k < 8 || fmax(next.high / exp(run[k / 2]),
                                              exp(run[k / 2]) / next.low) >
                                             1 + targets[j]));
            after = exp(spread(k, MOST_RUNS));
            held += after >= next.low && after <= next.high;
        }
        printf("# until %g%%: %.1f%%\n", 100 * targets[j],
               1000.0 * held / SETS);
        assert_true(held >= 0.092 * SETS);
    }
}

/* 10% apart with a scatter of 0.5%: of few runs, and of many with another share. */
TEST(two_groups_are_found)
{
    static const size_t upper[][2] = { { 8, 4 }, { 8, 3 },  { 8, 2 },
                                       { 8, 6 }, { 16, 3 }, { 30, 20 } };

    unit_state = 5;
    for (size_t j = 0; j < LENGTH(upper); j++) {
        int found = 0;

        for (int i = 0; i < 500; i++) {
            double run[MOST_RUNS];
            struct run_groups g;

            for (size_t k = 0; k < upper[j][0]; k++)
                run[k] = groups(k < upper[j][1], 0.005);
            stats_sort(run, upper[j][0]);
            g = run_groups_of(run, upper[j][0]);
            found += upper[j][0] - g.lower == upper[j][1] &&
                     fabs(g.middle[1] - g.middle[0] - log(1.1)) < 0.02;
        }
        printf("# %zu of %zu runs slower: found in %d of 500\n", upper[j][1],
               upper[j][0], found);
        assert_true(found >= 450);
    }
}

TEST(groups_by_hand)
{
    static const struct {
        size_t n, lower;
        double run[6];
    } row[] = {
        /* As on a machine whose host puts the CPUs here or there. */
        { 5, 2, { 0.2, 0.21, 0.45, 0.46, 0.47 } },
        /* Too few runs, and one run, are no groups. */
        { 4, 0, { 0.2, 0.21, 0.45, 0.46 } },
        { 5, 0, { 0.2, 0.45, 0.46, 0.47, 0.48 } },
        /* A coarse clock shows the same few values again and again. */
        { 6, 0, { 0.13, 0.13, 0.13, 0.14, 0.14, 0.14 } },
        /* Groups that nobody cares about. */
        { 6, 0, { 1, 1.0001, 1.0002, 1.0101, 1.0102, 1.0103 } },
    };

    for (size_t i = 0; i < LENGTH(row); i++) {
        double run[6];

        for (size_t k = 0; k < row[i].n; k++)
            run[k] = log(row[i].run[k]);
        assert_int_equal(run_groups_of(run, row[i].n).lower, row[i].lower);
    }
}

TEST(intervals_by_hand)
{
    double run[NEXT_RUN_RANKS + 1];
    struct next_run next;

    for (size_t i = 0; i <= NEXT_RUN_RANKS; i++)
        run[i] = log(100 + (double)i);
    assert_null(next_run_of(run, 4).by);
    next = next_run_of(run, NEXT_RUN_RANKS);
    assert_string_equal(next.by, "order statistics");
    assert_near(next.low, 100, 1e-9);
    assert_near(next.high, 138, 1e-9);
    /* Rank 1.025 and 39.975 of 40. */
    next = next_run_of(run, NEXT_RUN_RANKS + 1);
    assert_near(log(next.low), log(100) + 0.025 * (log(101) - log(100)), 1e-9);
    assert_near(log(next.high), log(139) - 0.025 * (log(139) - log(138)), 1e-9);
    /* Mean 0, deviation 0.1, 5 runs: t of 4 degrees of freedom and a tail of 0.015. */
    for (int i = 0; i < 5; i++)
        run[i] = 0.1 * (i - 2) / sqrt(2.5);
    next = next_run_of(run, 5);
    assert_string_equal(next.by, "t");
    assert_near(log(next.high), stats_student(0.015, 4) * 0.1 * sqrt(1.2),
                1e-9);
    assert_near(log(next.low), -log(next.high), 1e-9);
}

/* --- Host series ---------------------------------------------------------- */

/* Which hosts are worse than their like: values worked out by hand, equal hosts,
   and hosts that differ by a known factor. */

static void add(struct host_series_list *list, const char *label, int host,
                double margin, double value)
{
    char name[16];

    snprintf(name, sizeof name, "h%d", host);
    host_series_add(list, label, "us", margin, name, value, value);
}

/* Five values of each of four hosts; those of the last are twice as long. */
TEST(a_slow_host_is_named_and_no_other)
{
    static const double value[4][5] = { { 10, 11, 12, 13, 14 },
                                        { 10.5, 11.5, 12.5, 13.5, 14.5 },
                                        { 10.2, 11.2, 12.2, 13.2, 14.2 },
                                        { 20, 22, 24, 26, 28 } };
    struct host_series_list list = { .n = 0 };
    const struct host_values *v;

    for (int h = 0; h < 4; h++)
        for (int k = 0; k < 5; k++)
            add(&list, "latency", h, 0.1, value[h][k]);
    host_series_judge(&list);
    assert_int_equal(list.n, 1);
    v = &list.series[0].host[3];
    assert_string_equal(v->host, "h3");
    assert_true(v->worse);
    assert_int_equal(v->named, 5);
    /* The lower median of 12, 12.5, 12.2 and 24 is 12.2. */
    assert_true(fabs(v->ratio - 24 / 12.2) < 1e-12);
    assert_true(fabs(v->median - 24) < 1e-12);
    for (int h = 0; h < 3; h++)
        assert_int_equal(list.series[0].host[h].named, 0);
    host_series_release(&list);
    assert_int_equal(list.n, 0);
}

/* Of four hosts, or fewer, one is twice as slow in the first runs only. */
TEST(most_runs_must_name_it)
{
    static const struct {
        int hosts, runs, slow;
        bool worse, decides;
    } row[] = { { 4, 4, 4, false, false }, { 4, 5, 5, true, true },
                { 4, 6, 5, true, true },   { 4, 7, 5, false, true },
                { 3, 5, 5, true, true },   { 2, 8, 8, false, false } };

    for (size_t i = 0; i < LENGTH(row); i++) {
        struct host_series_list list = { .n = 0 };

        for (int h = 0; h < row[i].hosts; h++)
            for (int k = 0; k < row[i].runs; k++)
                add(&list, "x", h, 0.1,
                    (h == 1 && k < row[i].slow ? 2 : 1) + 0.01 * k);
        host_series_judge(&list);
        assert_int_equal(list.series[0].host[1].worse, row[i].worse);
        assert_int_equal(host_series_runs(&list.series[0]) >= RUNS_AGREE,
                         row[i].decides);
        assert_false(list.series[0].host[0].worse);
        host_series_release(&list);
    }
}

/* A difference below the margin, and one that is usual among the hosts, are none; nor has a
   host without others a test. */
TEST(small_differences_are_none)
{
    struct host_series_list list = { .n = 0 };

    for (int k = 0; k < 8; k++) {
        const double later = 0.001 * k;

        for (int h = 0; h < 2; h++) {
            add(&list, "near", h, 0.1, 1 + 0.08 * h + later);
            add(&list, "not judged", h, 0, 1 + h * (8 + later));
        }
        add(&list, "alone", 0, 0.1, 1 + later);
        for (int h = 0; h < 5; h++)
            add(&list, "apart", h, 0.1, 1 + 0.3 * h + later);
    }
    host_series_judge(&list);
    for (size_t i = 0; i < list.n; i++)
        for (size_t h = 0; h < list.series[i].hosts; h++)
            assert_false(list.series[i].host[h].worse);
    host_series_release(&list);
}

/* Lists of 10 hosts with 5 series of 5 to 9 values, all of one skewed distribution: no list
   has a finding. */
TEST(equal_hosts_make_no_alarm)
{
    enum { HOSTS = 10, SERIES = 5, LISTS = 400 };
    int found = 0;

    unit_state = 7;
    for (int i = 0; i < LISTS; i++) {
        struct host_series_list list = { .n = 0 };
        const int runs = 5 + i % 5;
        bool has = false;

        for (int k = 0; k < HOSTS * SERIES * runs; k++) {
            char label[16];

            snprintf(label, sizeof label, "s%d", k / HOSTS % SERIES);
            add(&list, label, k % HOSTS, 0.1,
                1 - 0.3 * log(1 - unit_uniform()));
        }
        host_series_judge(&list);
        for (size_t s = 0; s < list.n; s++)
            for (size_t h = 0; h < list.series[s].hosts; h++)
                has |= list.series[s].host[h].worse;
        found += has;
        host_series_release(&list);
    }
    print_message("%d lists of equal hosts: %d with a finding\n", LISTS, found);
    assert_int_equal(found, 0);
}

/* Of 200 hosts the slow one is found, and no other. */
TEST(many_hosts)
{
    enum { HOSTS = 200, RUNS = 5, SLOW = 77 };
    struct host_series_list list = { .n = 0 };

    unit_state = 9;
    for (int k = 0; k < HOSTS * RUNS; k++)
        add(&list, "latency", k % HOSTS, 0.1,
            (k % HOSTS == SLOW ? 1.3 : 1) * (1 + 0.05 * unit_uniform()));
    host_series_judge(&list);
    for (int h = 0; h < HOSTS; h++)
        assert_int_equal(list.series[0].host[h].worse, h == SLOW);
    host_series_release(&list);
}
