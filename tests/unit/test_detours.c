/* SPDX-License-Identifier: BSD-3-Clause */
/* Detours in series of quanta whose noise is known: share, longest, period. */
#include "noise/noise.h"
#include "unit.h"
#include "unit_series.h"

enum { QUANTA = 10000, EVENTS = 100000, SEEDS = 20, SERIES = 200 };

static const double quantum_s = 1e-3, total_s = 10;

/* What stops the work: moments and durations, in order. */
static struct detour event[EVENTS];
static long events;
static double took_s[QUANTA];
static double slower; /* so much longer are quanta, but for the first */

static double exponential(void)
{
    return -log(1 - unit_uniform());
}

static int earlier(const void *a, const void *b)
{
    const struct detour *x = a, *y = b;

    return (x->at_s > y->at_s) - (x->at_s < y->at_s);
}

static void add(double at_s, double lost_s)
{
    if (events < EVENTS)
        event[events++] = (struct detour){ at_s, lost_s };
}

/* Work through it: quanta that vary by a percent, and what stops them.  Returns their
   number; *lost_s is what stopped them. */
static long work(double *lost_s)
{
    double now = 0;
    long next = 0, n = 0;

    qsort(event, (size_t)events, sizeof *event, earlier);
    *lost_s = 0;
    while (n < QUANTA && now < total_s) {
        const double wander = n < 200 ? 0 : slower * (1 + 0.7 * sin((double)n / 300));
        double end = now + quantum_s * (1 + wander + 0.01 * unit_uniform());

        for (; next < events && event[next].at_s < end; next++) {
            end += event[next].lost_s;
            *lost_s += event[next].lost_s;
        }
        took_s[n++] = end - now;
        now = end;
    }
    return n;
}

static void begin(int seed)
{
    unit_state = 0x9e3779b97f4a7c15u * (uint64_t)(seed + 1);
    for (int i = 0; i < 16; i++)
        unit_uniform();
    events = 0;
    slower = 0;
}

/* --- Noise without a period ----------------------------------------------------------- */

static void nothing(void)
{
}

static void at_random(void)
{
    for (double at = 0; at < total_s; at += exponential() / 30)
        add(at, 200e-6 * exponential());
}

static void few_and_long(void)
{
    for (double at = 0; at < total_s; at += exponential() / 2)
        add(at, 10e-3 * exponential());
}

static void of_all_lengths(void)
{
    for (double at = 0; at < total_s; at += exponential() / 50)
        add(at, 30e-6 / pow(1 - unit_uniform(), 1 / 1.2));
}

static void in_bursts(void)
{
    for (double at = 0; at < total_s; at += exponential() / 1.5)
        for (int i = 0; i < 20; i++)
            add(at + 0.05 * unit_uniform(), 100e-6 * (1 + exponential()));
}

static void in_long_bursts(void)
{
    for (double at = 0; at < total_s; at += exponential())
        for (int i = 0; i < 60; i++)
            add(at + 0.4 * unit_uniform(), 100e-6 * exponential());
}

/* A slower clock, for a while: every quantum is a detour. */
static void slow_clock(void)
{
    for (double at = 0; at < total_s; at += 2 * exponential())
        for (double i = 0; i < 0.3; i += quantum_s)
            add(at + i, 0.1 * quantum_s);
}

static const struct quiet {
    const char *name;
    void (*make)(void);
} quiets[] = {
    { "silent: nothing", nothing },
    { "silent: detours at random", at_random },
    { "silent: few and long ones", few_and_long },
    { "silent: of all lengths", of_all_lengths },
    { "silent: in bursts", in_bursts },
    { "silent: in long bursts", in_long_bursts },
    { "silent: a clock that changes", slow_clock },
};

/* Below 2 % false alarms. */
TEST_ROWS(quiets, has_no_period)
{
    struct detours found;
    double lost_s;
    int alarms = 0;

    for (int seed = 0; seed < SERIES; seed++) {
        begin(seed);
        row->make();
        detours_of(took_s, work(&lost_s), &found);
        alarms += found.period[0].period_s > 0;
    }
    printf("# %s: %d of %d\n", row->name, alarms, SERIES);
    assert_in_range(alarms, 0, SERIES * 2 / 100 - 1);
}

/* --- Noise with a period ---------------------------------------------------------------- */

static const struct burner {
    const char *name;
    double period_s, length_s;
    int parts;                /* the length comes in so many pieces, 3 ms apart */
    double jitter;            /* of each moment, a part of the period */
    void (*background)(void); /* what else happens */
    double missed;            /* so many of all are left out */
} burners[] = {
    { "500 ms, 5 ms", 0.5, 5e-3, 1, 0, nothing, 0 },
    { "500 ms, 5 ms, others at random", 0.5, 5e-3, 1, 0, at_random, 0 },
    { "100 ms, 1 ms", 0.1, 1e-3, 1, 0, nothing, 0 },
    { "100 ms, 10 ms in three parts", 0.1, 10e-3, 3, 0, at_random, 0 },
    { "100 ms, 2 ms, at moments that vary by 4 %", 0.1, 2e-3, 1, 0.04, nothing, 0 },
    { "50 ms, 1 ms, of which one in ten fails", 50e-3, 1e-3, 1, 0, nothing, 0.1 },
    { "10 ms, 100 us", 10e-3, 100e-6, 1, 0, nothing, 0 },
    { "8 ms, 100 us", 8e-3, 100e-6, 1, 0, nothing, 0 },
    { "40 ms, 1 ms, others at random", 40e-3, 1e-3, 1, 0, at_random, 0 },
};

static double plant(const struct burner *b)
{
    double planted = 0;

    for (double due = b->period_s * unit_uniform(); due < total_s; due += b->period_s) {
        const double at = due + b->jitter * b->period_s * (2 * unit_uniform() - 1);

        if (at < 0 || unit_uniform() < b->missed)
            continue;
        for (int i = 0; i < b->parts; i++)
            add(at + 3e-3 * i, b->length_s / b->parts);
        planted += b->length_s;
    }
    return planted;
}

/* The period within 10 %, both shares within 5 %. */
TEST_ROWS(burners, has_its_period)
{
    struct detours found;
    double lost_s, planted_s, worst = 0;

    for (int seed = 0; seed < SEEDS; seed++) {
        begin(seed);
        planted_s = plant(row);
        row->background();
        detours_of(took_s, work(&lost_s), &found);
        assert_near(found.period[0].period_s, row->period_s, 0.1 * row->period_s);
        assert_near(found.period[0].lost_s, planted_s, 0.05 * planted_s);
        if (row->background == nothing)
            assert_near(found.lost * found.total_s, lost_s, 0.05 * lost_s);
        worst = fmax(worst, fabs(found.period[0].period_s / row->period_s - 1));
    }
    printf("# %s: period within %.2f %%\n", row->name, 100 * worst);
}

/* --- Several periods, a clock that wanders --------------------------------------------- */

static void add_every(double period_s, double length_s)
{
    for (double at = period_s * unit_uniform(); at < total_s; at += period_s)
        add(at, length_s);
}

/* Which of the three was found as this one? */
static double share_found(const struct detours *found, double period_s)
{
    for (int i = 0; i < PERIODS_MOST; i++)
        if (fabs(found->period[i].period_s / period_s - 1) < 0.01)
            return found->period[i].lost_s / found->total_s;
    return 0;
}

/* Those that coincide count for the one found first. */
TEST(finds_several)
{
    struct detours found;
    double lost_s;

    for (int seed = 0; seed < SEEDS; seed++) {
        begin(seed);
        add_every(0.5, 5e-3);
        add_every(73e-3, 1e-3);
        add_every(31e-3, 400e-6);
        detours_of(took_s, work(&lost_s), &found);
        assert_near(share_found(&found, 0.5), 0.01, 0.3 * 0.01);
        assert_near(share_found(&found, 73e-3), 0.0137, 0.3 * 0.0137);
        assert_near(share_found(&found, 31e-3), 0.0129, 0.4 * 0.0129);
    }
}

/* Most quanta are 2 to 12 % longer than the shortest, in turns of two seconds. */
TEST(finds_one_in_a_slow_series)
{
    struct detours found;
    double lost_s;

    for (int seed = 0; seed < SEEDS; seed++) {
        begin(seed);
        slower = 0.07;
        add_every(0.1, 2e-3);
        detours_of(took_s, work(&lost_s), &found);
        assert_true(found.slow);
        assert_near(share_found(&found, 0.1), 0.02, 0.002);
    }
}

/* A pulse in three parts among 200 detours as long as its parts. */
TEST(finds_one_in_a_crowd)
{
    struct detours found;
    double lost_s;

    for (int seed = 0; seed < SEEDS; seed++) {
        begin(seed);
        for (double at = 0.3 * unit_uniform(); at < total_s; at += 0.3)
            for (int i = 0; i < 3; i++)
                add(at + 3e-3 * i, 1e-3);
        for (double at = 0; at < total_s; at += exponential() / 20)
            add(at, 0.5e-3 + 1e-3 * unit_uniform());
        detours_of(took_s, work(&lost_s), &found);
        assert_near(share_found(&found, 0.3), 0.01, 0.15 * 0.01);
    }
}

/* --- Small series by hand ---------------------------------------------------------------- */

TEST(counts_what_is_longer)
{
    const double series[] = { 1, 1.04, 1, 3, 1.2, 1, 1.05, 1 };
    struct detours d;

    detours_of(series, LENGTH(series), &d);
    assert_int_equal(d.quanta, 8);
    assert_int_equal(d.n, 2);
    assert_near(d.quantum_s, 1, 0);
    assert_near(d.total_s, 10.29, 1e-12);
    assert_near(d.lost, 2.2 / 10.29, 1e-12);
    assert_near(d.per_s, 2 / 10.29, 1e-12);
    assert_near(d.longest_s, 2, 1e-12);
    assert_int_equal(d.nkept, 2);
    assert_near(d.kept[0].at_s, 3.04, 1e-12);
    assert_near(d.kept[1].lost_s, 0.2, 1e-12);
    assert_false(d.slow);
    assert_near(d.period[0].period_s, 0, 0);
}

TEST(keeps_the_longest_by_time)
{
    double series[3 * DETOURS_KEPT];
    struct detours d;

    for (size_t i = 0; i < LENGTH(series); i++)
        series[i] = 1 + (i % 2) * (double)i;
    detours_of(series, LENGTH(series) - 1, &d);
    assert_int_equal(d.nkept, DETOURS_KEPT);
    for (int i = 0; i < DETOURS_KEPT; i++)
        assert_near(d.kept[i].lost_s, DETOURS_KEPT - 1 + 2 * i, 1e-9);
    assert_false(d.slow);
}

/* Simulated time stands still. */
TEST(bears_no_time)
{
    static const double none[100];
    struct detours d;

    detours_of(none, LENGTH(none), &d);
    assert_int_equal(d.n, 0);
    assert_near(d.lost, 0, 0);
    assert_false(d.slow);
    detours_of(none, 0, &d);
    assert_int_equal(d.quanta, 0);
}
