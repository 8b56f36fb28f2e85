/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does the interval for the next run hold what the next run shows, and are two groups of
 * runs found where there are two, and only there?
 *
 * Runs are made up: a level for each, drawn from the shape of the row, and the scatter that
 * a median over iterations has.  Generator and seeds are fixed: the outcome is the same
 * on every machine with IEEE arithmetic.
 */
#define UNIT_OWN_MAIN
#include "unit.h"

#include "stats/stats.h"
#include "unit_random.h"
#include "verdicts/next_run.h"

enum { RUNS = 80, SETS = 10000 };

/* Box and Muller. */
static double normal(void)
{
    const double radius = sqrt(-2 * log(1 - unit_uniform()));

    return radius * cos(2 * M_PI * unit_uniform());
}

/* Two groups, 10% apart: share of the upper one, scatter within each. */
static double groups(double share, double scatter)
{
    return (unit_uniform() < share ? log(1.1) : 0) + scatter * normal();
}

/* Levels of runs, as logarithms. */
static double spread(void)
{
    return 0.03 * normal();
}
/* Student's t with three degrees of freedom. */
static double heavy(void)
{
    const double above = normal(), a = normal(), b = normal(), c = normal();

    return 0.03 * above / sqrt((a * a + b * b + c * c) / 3);
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
static double fifths(void)
{
    return groups(0.2, 0.01);
}

static const struct shape {
    const char *name;
    double (*level)(void);
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

static void the_next_run_is_inside(void **state)
{
    static const size_t runs[] = { 5, 8, 12, 20, 38, 39, 79 };
    const struct shape *shape = *state;

    unit_random_state = 0x9e3779b97f4a7c15u;
    for (size_t j = 0; j < LENGTH(runs); j++) {
        int held = 0, found = 0;

        for (int i = 0; i < SETS; i++) {
            double run[RUNS];
            struct next_run next;

            for (size_t k = 0; k <= runs[j]; k++)
                run[k] = shape->level() + 0.006 * normal();
            stats_sort(run, runs[j]);
            next = next_run_of(run, runs[j]);
            held +=
                exp(run[runs[j]]) >= next.low && exp(run[runs[j]]) <= next.high;
            found += run_groups_of(run, runs[j]).lower > 0;
        }
        printf("# %s, %zu runs: %.1f%% inside, %.2f%% two groups\n",
               shape->name, runs[j], 100.0 * held / SETS, 100.0 * found / SETS);
        assert_true(held >= shape->least * SETS && held <= shape->most * SETS);
        assert_true(!shape->one_group || found < 0.03 * SETS);
    }
}

/* Runs go on until the interval is within so much of the median, and are looked at after
   each: that must not spoil the interval. */
static void stopping_early_does_not_spoil_it(void **state)
{
    static const double targets[] = { 0.04, 0.05, 0.06, 0.075, 0.1 };

    (void)state;
    for (size_t j = 0; j < LENGTH(targets); j++) {
        int held = 0;

        unit_random_state = 7 + j;
        for (int i = 0; i < SETS / 10; i++) {
            double run[RUNS], after;
            struct next_run next = { .low = 0 };
            size_t k = 0;

            do {
                run[k++] = spread();
                stats_sort(run, k);
                next = next_run_of(run, k);
            } while (k < 40 && (k < 8 || fmax(next.high / exp(run[k / 2]),
                                              exp(run[k / 2]) / next.low) >
                                             1 + targets[j]));
            after = exp(spread());
            held += after >= next.low && after <= next.high;
        }
        printf("# until %g%%: %.1f%%\n", 100 * targets[j],
               1000.0 * held / SETS);
        assert_true(held >= 0.092 * SETS);
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
            g = run_groups_of(run, upper[j][0]);
            found += upper[j][0] - g.lower == upper[j][1] &&
                     fabs(g.middle[1] - g.middle[0] - log(1.1)) < 0.02;
        }
        printf("# %zu of %zu runs slower: found in %d of 500\n", upper[j][1],
               upper[j][0], found);
        assert_true(found >= 450);
    }
}

static void groups_by_hand(void **state)
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

    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++) {
        double run[6];

        for (size_t k = 0; k < row[i].n; k++)
            run[k] = log(row[i].run[k]);
        assert_int_equal(run_groups_of(run, row[i].n).lower, row[i].lower);
    }
}

static void intervals_by_hand(void **state)
{
    double run[NEXT_RUN_RANKS + 1];
    struct next_run next;

    (void)state;
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

int main(void)
{
    static struct unit_list list;

    UNIT_ADD(&list, intervals_by_hand);
    UNIT_ADD(&list, groups_by_hand);
    UNIT_ADD(&list, two_groups_are_found);
    UNIT_ADD_ROWS(&list, shapes, the_next_run_is_inside);
    UNIT_ADD(&list, stopping_early_does_not_spoil_it);
    return unit_run("next_run", &list);
}
