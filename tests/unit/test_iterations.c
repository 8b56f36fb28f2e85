/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop control and the stopwatch against a clock that does as it is told:
   CLOCK_FAKE makes clock.h leave clock_now() to this file. */
#include "unit.h"

#include "loop.h"
#include "timing/clock.h"

/* Every reading of the clock costs reading; coarse clocks show only whole
   multiples of grain; every slow_every-th reading costs slow more. */
static struct {
    clock_ticks now, reading, grain, slow, slow_every, reads;
} fake;

clock_ticks clock_now(void)
{
    fake.now += fake.reading;
    fake.reads++;
    if (fake.slow_every != 0 && fake.reads % fake.slow_every == 0)
        fake.now += fake.slow;
    return fake.grain > 1 ? fake.now / fake.grain * fake.grain : fake.now;
}

static void set_clock(clock_ticks now)
{
    memset(&fake, 0, sizeof fake);
    fake.now = now;
}

enum { MOST = 50 };
static const clock_ticks UNTOUCHED = 0xdeadbeef;

static const struct loop_row {
    const char *name;
    long samples, stride;
} loop_rows[] = {
    { "one sample of one iteration", 1, 1 },       { "two samples", 2, 1 },
    { "many samples, stride 1", MOST, 1 },         { "one sample, stride 2", 1, 2 },
    { "three samples, stride 7", 3, 7 },           { "stride 1000", 5, 1000 },
    { "many samples, stride 16", MOST, 16 },       { "no sample, no iteration", 0, 1 },
    { "no sample, no iteration, stride 4", 0, 4 },
};

/*
 * Iteration number i takes i ticks, so that a sample that begins or ends one iteration
 * early or late shows.
 */
TEST_ROWS(loop_rows, iteration_counts_and_adds_up)
{
    clock_ticks sample[MOST + 2], begun[MOST + 2], sum = 0, iteration = 0;
    struct bench_run run = { .rank = 0 };
    clock_ticks loop;

    set_clock(1000000);
    for (size_t i = 0; i < LENGTH(sample); i++)
        sample[i] = UNTOUCHED;
    iterations_prepare(&run.iterations, sample, begun, row->samples, row->stride);
    while (bench_repeat(&run)) {
        fake.now += ++iteration;
        assert_int_equal(bench_last(&run), (long)iteration == row->samples * row->stride);
    }
    loop = fake.now - 1000000;

    assert_int_equal(iteration, row->samples * row->stride);
    assert_int_equal(fake.reads, row->samples + 1);
    for (long i = 1; i <= row->samples; i++) {
        const clock_ticks last = (clock_ticks)(i * row->stride),
                          first = last - (clock_ticks)row->stride;

        assert_int_equal(sample[i], last * (last + 1) / 2 - first * (first + 1) / 2);
        sum += sample[i];
    }
    assert_int_equal(sum, loop);
    assert_int_equal(sample[row->samples + 1], UNTOUCHED);
}

/* The clock's own time is inside: samples add up to the loop all the same. */
TEST(reading_the_clock_loses_nothing)
{
    clock_ticks sample[MOST + 1], begun[MOST + 1], sum = 0, first, last;
    struct bench_run run = { .rank = 0 };

    set_clock(5);
    fake.reading = 25;
    iterations_prepare(&run.iterations, sample, begun, MOST, 4);
    first = fake.now + fake.reading;
    while (bench_repeat(&run))
        fake.now += 100;
    last = fake.now;
    for (int i = 1; i <= MOST; i++) {
        assert_int_equal(sample[i], 4 * 100 + 25);
        sum += sample[i];
    }
    assert_int_equal(sum, last - first);
}

/* sample[0] is scratch: whatever it holds, later samples are right. */
TEST(what_came_before_the_loop_is_in_no_sample)
{
    clock_ticks sample[3], begun[3];
    struct bench_run run = { .rank = 0 };

    set_clock(123456789);
    iterations_prepare(&run.iterations, sample, begun, 2, 1);
    fake.now += 5000; /* the program's own preparations */
    while (bench_repeat(&run))
        fake.now += 3;
    assert_int_equal(sample[1], 3);
    assert_int_equal(sample[2], 3);
}

TEST(next_counts_and_times_only_what_is_enclosed)
{
    clock_ticks sample[MOST + 2], begun[MOST + 2];
    clock_ticks iterations_made = 0;
    struct bench_run run = { .rank = 0 };

    for (long n = 0; n <= MOST; n++) {
        set_clock(1);
        for (size_t i = 0; i < LENGTH(sample); i++)
            sample[i] = UNTOUCHED;
        iterations_prepare(&run.iterations, sample, begun, n, 1);
        iterations_made = 0;
        while (bench_next(&run)) {
            fake.now += 1000; /* bringing the ranks together */
            bench_start(&run);
            fake.now += ++iterations_made;
            bench_stop(&run);
            fake.now += 2000;
        }
        assert_int_equal(iterations_made, n);
        assert_int_equal(fake.reads, 2 * n);
        assert_int_equal(sample[0], UNTOUCHED);
        for (long i = 1; i <= n; i++)
            assert_int_equal(sample[i], i);
        assert_int_equal(sample[n + 1], UNTOUCHED);
    }
}

/* An iteration may read the clock inside, as overlap.h does: the mark stays. */
TEST(start_leaves_its_mark)
{
    clock_ticks sample[2], begun[2];
    struct bench_run run = { .rank = 0 };

    set_clock(0);
    iterations_prepare(&run.iterations, sample, begun, 1, 1);
    assert_true(bench_next(&run));
    fake.now = 700;
    bench_start(&run);
    assert_int_equal(run.iterations.mark, 700);
    fake.now = 900;
    assert_int_equal(clock_now() - run.iterations.mark, 200);
    bench_stop(&run);
    assert_int_equal(sample[1], 200);
    assert_false(bench_next(&run));
}

/* Global times are made of when an iteration began; a late one is marked by 0. */
TEST(stop_notes_when_the_iteration_began)
{
    clock_ticks sample[4], begun[4];
    struct bench_run run = { .rank = 0 };

    set_clock(50);
    iterations_prepare(&run.iterations, sample, begun, 3, 1);
    for (int i = 1; bench_next(&run); i++) {
        run.iterations.late = i == 2; /* as bench_sync sets it */
        fake.now = (clock_ticks)(1000 * i);
        bench_start(&run);
        fake.now += 5;
        bench_stop(&run);
    }
    assert_int_equal(begun[1], 1000);
    assert_int_equal(begun[2], 0);
    assert_int_equal(begun[3], 3000);
    assert_int_equal(sample[2], 5);
}

TEST(what_is_left_out_is_no_part_of_the_iteration)
{
    clock_ticks sample[2], begun[2];
    struct bench_run run = { .rank = 0 };

    set_clock(9);
    iterations_prepare(&run.iterations, sample, begun, 1, 1);
    assert_true(bench_next(&run));
    bench_start(&run);
    fake.now += 3;
    bench_leave_out(&run, 12, 52);
    fake.now += 40;
    bench_stop(&run);
    assert_int_equal(sample[1], 3);
}

static void takes_a_while(void *owner)
{
    (void)owner;
    fake.now += 400;
}

TEST(what_is_done_between_iterations_is_in_no_sample)
{
    clock_ticks sample[MOST + 1], begun[MOST + 1];
    struct bench_run run = { .iterations.between = takes_a_while };
    int made = 0;

    set_clock(9);
    iterations_prepare(&run.iterations, sample, begun, MOST, 1);
    while (bench_repeat(&run)) {
        fake.now += 3;
        made++;
    }
    assert_int_equal(made, MOST);
    /* Called before each iteration, and once after the last. */
    assert_int_equal(fake.now, 9 + MOST * 403 + 400);
    for (int i = 1; i <= MOST; i++)
        assert_int_equal(sample[i], 3);

    set_clock(9);
    iterations_prepare(&run.iterations, sample, begun, MOST, 1);
    while (bench_next(&run)) {
        bench_start(&run);
        fake.now += 3;
        bench_stop(&run);
    }
    assert_int_equal(fake.now, 9 + MOST * 403 + 400);
    for (int i = 1; i <= MOST; i++)
        assert_int_equal(sample[i], 3);
}

static const struct clock_row {
    const char *name;
    clock_ticks reading, grain, slow, slow_every;
    double resolution_ns, tick_ns, cost_ns, cost_p99_ns, within_ns;
} clock_rows[] = {
    { "a clock of 25 ns", 25, 1, 0, 0, 25, 25, 25, 25, 1e-6 },
    { "a clock that shows only whole us", 25, 1000, 0, 0, 1000, 1000, 25, 31, 10 },
    { "a clock at rest", 0, 1, 0, 0, 0, 0, 0, 0, 0 },
    /* 3 of 256 blocks hold a slow reading: too few for the median, enough for
       the 99th percentile. */
    { "a clock with hiccups", 20, 1, 6400, 5500, 20, 20, 20, 120, 1e-6 },
};

TEST_ROWS(clock_rows, clock_is_described)
{
    struct clock_facts facts;

    set_clock(7);
    fake.reading = row->reading;
    fake.grain = row->grain;
    fake.slow = row->slow;
    fake.slow_every = row->slow_every;
    facts = clock_describe();
    assert_string_equal(facts.name, "CLOCK_MONOTONIC");
    assert_near(1e9 * facts.resolution_s, row->resolution_ns, 1e-6);
    assert_near(1e9 * facts.tick_s, row->tick_ns, 1e-6);
    assert_near(1e9 * facts.cost_s, row->cost_ns, row->within_ns);
    assert_near(1e9 * facts.cost_p99_s, row->cost_p99_ns, row->within_ns);
    assert_in_range(fake.reads, 10000, 40000);
}

TEST(a_tick_is_a_nanosecond)
{
    assert_near(clock_seconds(0), 0, 0);
    assert_near(clock_seconds(1), 1e-9, 1e-24);
    assert_near(clock_seconds(86400000000000u), 86400, 1e-9);
}
