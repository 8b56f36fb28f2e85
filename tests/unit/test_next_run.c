/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does the interval for the next run hold what the next run shows, and are two groups of
 * runs found where there are two, and only there?
 *
 * Runs are made up on two levels.  Each has a level of its own, drawn from the shape of the
 * row; its iterations lie about that level and resemble their neighbors (AR(1), rho 0.9);
 * what it shows is their median.  Generator and seeds are fixed: the outcome is the same
 * on every machine with IEEE arithmetic.
 */
#include "unit.h"

#include "stats/stats.h"
#include "unit_random.h"
#include "verdicts/next_run.h"

enum { RUNS = 80, ITERATIONS = 41 };

/* Simulated sets; each takes runs times iterations random numbers. */
static int trials(void)
{
    return getenv("ALIDADE_LONG") != NULL ? 20000 : 3000;
}

/* Box and Muller. */
static double normal(void)
{
    const double radius = sqrt(-2 * log(1 - unit_uniform()));

    return radius * cos(2 * M_PI * unit_uniform());
}

static double student_3(void)
{
    double squares = 0;
    const double above = normal();

    for (int i = 0; i < 3; i++) {
        const double z = normal();

        squares += z * z;
    }
    return above / sqrt(squares / 3);
}

/* Two groups, 10% apart: share of the upper one, scatter within each. */
static double groups(double share, double scatter)
{
    return (unit_uniform() < share ? log(1.1) : 0) + scatter * normal();
}

/* Levels of runs, as logarithms. */
static double normal_3(void)
{
    return 0.03 * normal();
}
static double normal_12(void)
{
    return 0.12 * normal();
}
static double heavy(void)
{
    return 0.03 * student_3();
}
static double skewed(void)
{
    return -0.05 * log(1 - unit_uniform());
}
static double floor_and_tail(void)
{
    return log1p(0.03 * exp(normal()));
}
static double strays(void)
{
    return 0.02 * (unit_uniform() < 0.05 ? 6 : 1) * normal();
}
static double halves(void)
{
    return groups(0.5, 0.01);
}
static double thirds(void)
{
    return groups(0.35, 0.003);
}
static double fifths(void)
{
    return groups(0.2, 0.01);
}
static double close_groups(void)
{
    return groups(0.5, 0.03);
}

/* What a run of that level shows. */
static double shown_by(double level)
{
    double iteration[ITERATIONS], z = normal();

    for (int i = 0; i < ITERATIONS; i++) {
        z = 0.9 * z + sqrt(1 - 0.9 * 0.9) * normal();
        iteration[i] = level + 0.01 * z;
    }
    stats_sort(iteration, ITERATIONS);
    return iteration[ITERATIONS / 2];
}

static struct run_groups_null null;

static const struct coverage_row {
    const char *name;
    double (*level)(void);
    size_t runs;
    double least, most; /* share of next runs in the interval */
} coverage_rows[] = {
    { "3% spread, 5 runs", normal_3, 5, 0.93, 0.98 },
    { "3% spread, 8 runs", normal_3, 8, 0.93, 0.97 },
    { "3% spread, 20 runs", normal_3, 20, 0.93, 0.97 },
    { "3% spread, 38 runs", normal_3, 38, 0.93, 0.975 },
    { "3% spread, 39 runs", normal_3, 39, 0.93, 0.97 },
    { "3% spread, 79 runs", normal_3, 79, 0.93, 0.97 },
    { "12% spread, 8 runs", normal_12, 8, 0.93, 0.97 },
    { "12% spread, 39 runs", normal_12, 39, 0.93, 0.97 },
    { "heavy tails, 8 runs", heavy, 8, 0.93, 0.97 },
    { "heavy tails, 20 runs", heavy, 20, 0.93, 0.97 },
    { "heavy tails, 39 runs", heavy, 39, 0.93, 0.97 },
    { "skewed, 8 runs", skewed, 8, 0.93, 0.97 },
    { "skewed, 20 runs", skewed, 20, 0.93, 0.97 },
    { "skewed, 39 runs", skewed, 39, 0.93, 0.97 },
    { "5% strays, 8 runs", strays, 8, 0.93, 0.97 },
    { "5% strays, 20 runs", strays, 20, 0.93, 0.97 },
    { "half of the runs slower, 8 runs", halves, 8, 0.93, 0.97 },
    { "half of the runs slower, 20 runs", halves, 20, 0.93, 0.97 },
    { "half of the runs slower, 39 runs", halves, 39, 0.93, 0.97 },
    { "a third of the runs slower, 8 runs", thirds, 8, 0.93, 0.97 },
    { "a third of the runs slower, 20 runs", thirds, 20, 0.93, 0.97 },
    /* Without tails, the next run is in it more often. */
    { "groups that overlap, 8 runs", close_groups, 8, 0.93, 0.985 },
    /* A group that is rare, and a floor with a long tail: eight runs may not have seen
       it. */
    { "a fifth of the runs slower, 8 runs", fifths, 8, 0.91, 0.97 },
    { "a fifth of the runs slower, 20 runs", fifths, 20, 0.93, 0.97 },
    { "floor and long tail, 8 runs", floor_and_tail, 8, 0.91, 0.97 },
    { "floor and long tail, 20 runs", floor_and_tail, 20, 0.93, 0.97 },
};

static void coverage_is(void **state)
{
    const struct coverage_row *row = *state;
    const int n = trials();
    int held = 0;

    unit_random_state = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < n; i++) {
        double run[RUNS], next;
        struct run_groups g;
        struct next_run interval;

        for (size_t k = 0; k < row->runs; k++)
            run[k] = shown_by(row->level());
        next = exp(shown_by(row->level()));
        stats_sort(run, row->runs);
        g = run_groups_of(run, row->runs, &null);
        interval = next_run_of(run, row->runs, &g);
        held += next >= interval.low && next <= interval.high;
    }
    printf("# %s: %.1f%%\n", row->name, 100.0 * held / n);
    if (held < row->least * n || held > row->most * n)
        fail_msg("the next run is in %d of %d intervals", held, n);
}

/* Runs go on until the interval is within so much of the median, and are looked at after
   each: that must not spoil the interval. */
static void stopping_early_does_not_spoil_it(void **state)
{
    static const double targets[] = { 0.04, 0.05, 0.06, 0.075, 0.1 };
    const int n = trials() / 2;

    (void)state;
    for (size_t j = 0; j < LENGTH(targets); j++) {
        int held = 0;

        unit_random_state = 7 + j;
        for (int i = 0; i < n; i++) {
            double run[RUNS], next;
            struct next_run interval = { .low = 0 };
            size_t k = 0;

            do {
                const struct run_groups one = { .p = 1 };

                run[k++] = normal_3();
                stats_sort(run, k);
                interval = next_run_of(run, k, &one);
            } while (k < 40 && (k < 8 || fmax(interval.high / exp(run[k / 2]),
                                              exp(run[k / 2]) / interval.low) >
                                             1 + targets[j]));
            next = exp(normal_3());
            held += next >= interval.low && next <= interval.high;
        }
        printf("# until %g%%: %.1f%%\n", 100 * targets[j], 100.0 * held / n);
        assert_true(held >= 0.92 * n);
    }
}

static const struct alarm_row {
    const char *name;
    double (*level)(void);
} alarm_rows[] = {
    { "one group: 3% spread", normal_3 },
    { "one group: 12% spread", normal_12 },
    { "one group: heavy tails", heavy },
    { "one group: skewed", skewed },
    { "one group: floor and long tail", floor_and_tail },
    { "one group: strays", strays },
};

static int found_in(double (*level)(void), size_t runs, int sets)
{
    int found = 0;

    for (int i = 0; i < sets; i++) {
        double run[RUNS];
        struct run_groups g;

        for (size_t k = 0; k < runs; k++)
            run[k] = level();
        stats_sort(run, runs);
        g = run_groups_of(run, runs, &null);
        found += run_groups_are_two(&g, g.p);
    }
    return found;
}

static void one_group_is_hardly_taken_for_two(void **state)
{
    static const size_t runs[] = { 5, 8, 12, 20, 40 };
    const struct alarm_row *row = *state;
    const int n = trials();

    for (size_t j = 0; j < LENGTH(runs); j++) {
        int found;

        unit_random_state = 3;
        found = found_in(row->level, runs[j], n);
        printf("# %s, %zu runs: %.2f%% false alarms\n", row->name, runs[j],
               100.0 * found / n);
        assert_true(found < 0.02 * n);
    }
}

/* 10% apart with a scatter of 0.5%: of few runs, and of many with another share. */
static void two_groups_are_found(void **state)
{
    static const size_t upper[][2] = { { 8, 4 }, { 8, 3 },  { 8, 2 },
                                       { 8, 6 }, { 16, 3 }, { 30, 20 } };

    (void)state;
    unit_random_state = 5;
    for (size_t j = 0; j < LENGTH(upper); j++) {
        int found = 0;

        for (int i = 0; i < 500; i++) {
            double run[RUNS];
            struct run_groups g;

            for (size_t k = 0; k < upper[j][0]; k++)
                run[k] = groups(k < upper[j][1], 0.005);
            stats_sort(run, upper[j][0]);
            g = run_groups_of(run, upper[j][0], &null);
            found += run_groups_are_two(&g, g.p) &&
                     upper[j][0] - g.lower == upper[j][1] && g.ratio > 1.08 &&
                     g.ratio < 1.12;
        }
        printf("# %zu of %zu runs slower: found in %d of 500\n", upper[j][1],
               upper[j][0], found);
        assert_true(found >= 490);
    }
}

/* A coarse clock shows the same few values again and again. */
static void steps_of_the_clock_are_no_groups(void **state)
{
    double run[10];
    struct run_groups g;

    (void)state;
    for (int i = 0; i < 10; i++)
        run[i] = log(i < 5 ? 0.13 : 0.14);
    g = run_groups_of(run, 10, &null);
    assert_false(run_groups_are_two(&g, g.p));
    /* The same on a fine clock is. */
    for (int i = 0; i < 10; i++)
        run[i] += 1e-4 * i;
    g = run_groups_of(run, 10, &null);
    assert_true(run_groups_are_two(&g, g.p));
    assert_int_equal(g.lower, 5);
    assert_near(g.ratio, 0.14 / 0.13 * exp(5e-4), 1e-9);
    /* Groups that nobody cares about. */
    for (int i = 0; i < 10; i++)
        run[i] = (i < 5 ? 0 : 0.01) + 1e-5 * i;
    g = run_groups_of(run, 10, &null);
    assert_true(g.p <= RUN_GROUPS_LEVEL && !run_groups_are_two(&g, g.p));
}

/* As in printed tables; the last by the expansion of Cornish and Fisher. */
static void t_is_that_of_the_tables(void **state)
{
    static const struct {
        double tail, t;
        size_t freedom;
    } row[] = { { 0.025, 12.706204736, 1 }, { 0.025, 4.3026527297, 2 },
                { 0.025, 2.3646242516, 7 }, { 0.025, 2.0422724563, 30 },
                { 0.005, 3.3553873313, 8 }, { 0.25, 0.7175581961, 6 },
                { 0.1, 1.2819750, 2000 } };

    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++)
        assert_near(student_t(row[i].tail, row[i].freedom), row[i].t,
                    1e-7 * row[i].t);
    assert_near(student_t(0.5, 5), 0, 1e-9);
}

static void intervals_by_hand(void **state)
{
    const struct run_groups one = { .p = 1 };
    double run[NEXT_RUN_RANKS + 1];
    struct next_run next;

    (void)state;
    for (size_t i = 0; i <= NEXT_RUN_RANKS; i++)
        run[i] = log(100 + (double)i);
    assert_int_equal(next_run_of(run, 4, &one).by, NEXT_RUN_BY_NONE);
    assert_null(next_run_word(NEXT_RUN_BY_NONE));
    next = next_run_of(run, NEXT_RUN_RANKS, &one);
    assert_string_equal(next_run_word(next.by), "order statistics");
    assert_near(next.low, 100, 1e-9);
    assert_near(next.high, 138, 1e-9);
    /* Rank 1.025 and 39.975 of 40. */
    next = next_run_of(run, NEXT_RUN_RANKS + 1, &one);
    assert_near(log(next.low), log(100) + 0.025 * (log(101) - log(100)), 1e-9);
    assert_near(log(next.high), log(139) - 0.025 * (log(139) - log(138)), 1e-9);
    /* Mean 0, deviation 0.1, 5 runs: t of 4 degrees of freedom and a tail of 0.015. */
    for (int i = 0; i < 5; i++)
        run[i] = 0.1 * (i - 2) / sqrt(2.5);
    next = next_run_of(run, 5, &one);
    assert_string_equal(next_run_word(next.by), "t");
    assert_near(log(next.high), student_t(0.015, 4) * 0.1 * sqrt(1.2), 1e-9);
    assert_near(log(next.low), -log(next.high), 1e-9);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD(&list, t_is_that_of_the_tables);
    UNIT_ADD(&list, intervals_by_hand);
    UNIT_ADD(&list, steps_of_the_clock_are_no_groups);
    UNIT_ADD(&list, two_groups_are_found);
    UNIT_ADD_ROWS(&list, alarm_rows, one_group_is_hardly_taken_for_two);
    UNIT_ADD_ROWS(&list, coverage_rows, coverage_is);
    UNIT_ADD(&list, stopping_early_does_not_spoil_it);
    return unit_run("next_run", &list);
}
