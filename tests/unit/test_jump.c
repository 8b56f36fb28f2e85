/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a curve jumps, and that the bisection gets there. */
#include "unit.h"

#include "stats/jump.h"

enum { MOST = 60 };

/* Times of a network: 2 us and 1 ns a byte; from some size on more. */
static size_t threshold;
static double penalty;

static double time_of(size_t bytes)
{
    return 2 + 1e-3 * (double)bytes + (bytes >= threshold ? penalty : 0);
}

static int sweep(struct jump_point *point, double error)
{
    int n = 0;

    for (size_t bytes = 1; bytes <= 65536; bytes *= 2)
        point[n++] = (struct jump_point){ bytes, time_of(bytes), error };
    return n;
}

static const struct bisect_row {
    const char *name;
    size_t threshold, unit;
    double penalty;
} bisect_rows[] = {
    { "a rendezvous above 4096", 4097, 1, 5 },
    { "the same, of elements of 8 bytes", 4104, 8, 5 },
    { "in the middle of nowhere", 12345, 1, 9 },
    { "at a size of the sweep", 8192, 1, 8 },
    { "faster behind it", 3000, 1, -3 },
};

static void bisection_finds_the_byte(void **state)
{
    const struct bisect_row *row = *state;
    struct jump_point point[MOST];
    struct jump jump;
    int n, added = 0;

    threshold = row->threshold;
    penalty = row->penalty;
    n = sweep(point, 0.01);
    while (jump_find(point, n, row->unit, &jump)) {
        const size_t bytes = jump_middle(&jump, row->unit);

        assert_true(bytes > jump.from && bytes < jump.to);
        assert_int_equal(bytes % row->unit, 0);
        assert_true(n < MOST);
        point[n++] = (struct jump_point){ bytes, time_of(bytes), 0.01 };
        added++;
    }
    /* log2 of the interval, if nothing else was taken for a jump. */
    assert_in_range(added, 8, 16);
    assert_true(jump_find(point, n, 0, &jump));
    assert_int_equal(jump.to, row->threshold);
    assert_true(jump.from < row->threshold);
    assert_true(jump.to - jump.from <= row->unit);
    assert_true((jump.ratio > 1) == (row->penalty > 0));
}

static void a_smooth_curve_does_not_jump(void **state)
{
    struct jump_point point[MOST];
    struct jump jump;

    (void)state;
    threshold = SIZE_MAX;
    assert_false(jump_find(point, sweep(point, 0), 0, &jump));
    assert_false(jump_find(point, 0, 0, &jump));
    assert_false(jump_find(point, 1, 0, &jump));
}

static void noise_is_no_jump(void **state)
{
    struct jump_point point[MOST];
    struct jump jump;
    const int n = 10;

    (void)state;
    threshold = SIZE_MAX;
    sweep(point, 0.6);
    point[5].time += 1; /* half as much again, but so are the errors */
    assert_false(jump_find(point, n, 1, &jump));
    for (int i = 0; i < n; i++)
        point[i].error = 0.01;
    assert_true(jump_find(point, n, 1, &jump));
}

/* Seen with five laps a row on a busy machine: what the neighbour leads one to
   expect is no better known than the neighbour. */
static void rows_without_intervals_do_not_jump(void **state)
{
    struct jump_point point[] = { { 8, 106.57, 106.57 },
                                  { 16, 32.24, 32.24 },
                                  { 32, 6.47, 6.47 },
                                  { 64, 142.77, 142.77 } };
    struct jump jump;

    (void)state;
    assert_false(jump_find(point, 4, 1, &jump));
}

/* A row whose laps were all late has no time. */
static void no_time_is_no_jump(void **state)
{
    struct jump_point point[MOST];
    struct jump jump;
    const int n = 10;

    (void)state;
    threshold = SIZE_MAX;
    sweep(point, 0.01);
    point[n - 1].time = 0;
    assert_false(jump_find(point, n, 1, &jump));
}

/* At the end of a sweep the only slope to compare with may be the jump's. */
static void what_lies_beside_a_jump_is_none(void **state)
{
    struct jump_point point[] = { { 512, 0.53, 0.001 },
                                  { 1024, 0.55, 0.001 },
                                  { 1025, 3.05, 0.001 } };
    struct jump jump;

    (void)state;
    assert_false(jump_find(point, 3, 1, &jump));
    assert_true(jump_find(point, 3, 0, &jump));
    assert_int_equal(jump.from, 1024);
    assert_int_equal(jump.to, 1025);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD_ROWS(&list, bisect_rows, bisection_finds_the_byte);
    UNIT_ADD(&list, a_smooth_curve_does_not_jump);
    UNIT_ADD(&list, noise_is_no_jump);
    UNIT_ADD(&list, rows_without_intervals_do_not_jump);
    UNIT_ADD(&list, no_time_is_no_jump);
    UNIT_ADD(&list, what_lies_beside_a_jump_is_none);
    return unit_run("jump", &list);
}
