/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NAS IS and FT without MPI: the random numbers, and the ranks of a job one
 * after the other, with what MPI would do between them done by hand.
 */
#include "unit.h"

#include <complex.h>

#include "nas/nas.h"

TEST(random_numbers_are_those_of_the_specification)
{
    const uint64_t mask = (UINT64_C(1) << 46) - 1;
    uint64_t next = NAS_SEED;

    assert_near(nas_random(&next),
                (double)(UINT64_C(1220703125) * NAS_SEED & mask) / 70368744177664.0, 0);
    for (int i = 1; i < 1000; i++) {
        const double x = nas_random(&next);

        assert_true(x > 0 && x < 1);
    }
    assert_true(nas_random_skip(NAS_SEED, 1000) == next);
    assert_true(nas_random_skip(next, 0) == next);
    /* The multiplier is 5^13, whose period is 2^44. */
    assert_true(nas_random_skip(NAS_SEED, UINT64_C(1) << 44) == NAS_SEED);
    assert_true(nas_random_skip(NAS_SEED, UINT64_C(1) << 43) != NAS_SEED);
}

/* --- IS ------------------------------------------------------------------------ */

static struct keys *begin_all(enum nas_class class, int ranks)
{
    struct keys *k = calloc((size_t)ranks, sizeof *k);

    assert_non_null(k);
    for (int i = 0; i < ranks; i++)
        keys_begin(&k[i], class, i, ranks);
    return k;
}

static void sum_counts(struct keys *k, int ranks)
{
    for (int j = 0; j < k->counts; j++) {
        int sum = 0;

        for (int i = 0; i < ranks; i++)
            sum += k[i].mine[j];
        for (int i = 0; i < ranks; i++)
            k[i].all[j] = sum;
    }
}

static void exchange(struct keys *k, int ranks)
{
    for (int to = 0; to < ranks; to++) {
        for (int from = 0; from < ranks; from++)
            k[to].receives[from] = k[from].sends[to];
        keys_expect(&k[to]);
        for (int from = 0; from < ranks; from++) {
            assert_int_equal(k[to].receives[from], k[from].sends[to]);
            memcpy(k[to].received + k[to].receive_at[from], k[from].sorted + k[from].send_at[to],
                   (size_t)k[from].sends[to] * sizeof *k->sorted);
        }
    }
}

static void iterate(struct keys *k, int ranks, int iteration)
{
    for (int i = 0; i < ranks; i++) {
        keys_change(&k[i], iteration);
        keys_count(&k[i]);
    }
    sum_counts(k, ranks);
    for (int i = 0; i < ranks; i++)
        keys_deal(&k[i]);
    exchange(k, ranks);
    for (int i = 0; i < ranks; i++) {
        keys_rank(&k[i]);
        keys_check(&k[i], iteration);
    }
}

static const struct keys_row {
    const char *name;
    enum nas_class class;
    int ranks;
} keys_rows[] = {
    { "S, 1 rank", NAS_S, 1 },        { "S, 2 ranks", NAS_S, 2 },
    { "S, 3 ranks", NAS_S, 3 },       { "S, 4 ranks", NAS_S, 4 },
    { "S, 7 ranks", NAS_S, 7 },       { "S, 64 ranks", NAS_S, 64 },
    { "S, 1000 ranks", NAS_S, 1000 }, { "S, 1024 ranks", NAS_S, 1024 },
    { "W, 1 rank", NAS_W, 1 },        { "W, 5 ranks", NAS_W, 5 },
    { "A, 3 ranks", NAS_A, 3 },
};

TEST_ROWS(keys_rows, keys_are_ranked)
{
    struct keys *k = begin_all(row->class, row->ranks);
    int passed = 0, come = 0, largest = -1;
    uint64_t before = 0, now = 0;

    for (int i = 1; i <= NAS_IS_ITERATIONS; i++)
        iterate(k, row->ranks, i);
    for (int i = 0; i < row->ranks; i++) {
        const struct keys_order o = keys_sort(&k[i]);

        passed += k[i].passed;
        come += k[i].come;
        before += o.before;
        now += o.now;
        assert_int_equal(o.wrong, 0);
        assert_true(o.most < 0 || o.least > largest);
        if (o.most >= 0)
            largest = o.most;
    }
    assert_int_equal(passed, NAS_IS_TESTS * NAS_IS_ITERATIONS);
    assert_int_equal(come, nas_is[row->class].keys);
    assert_true(before == now);
    free(k);
}

static void find_spoilt(struct keys *k, int32_t key)
{
    const int32_t was = k->received[5];

    k->received[5] = key;
    keys_rank(k);
    assert_true(keys_sort(k).before != keys_sort(k).now);
    k->received[5] = was;
}

TEST(a_spoilt_key_is_found_and_does_no_harm)
{
    struct keys *k = begin_all(NAS_S, 1);

    iterate(k, 1, 1);
    find_spoilt(k, k->received[5] ^ 1);
    find_spoilt(k, -1);
    find_spoilt(k, INT32_MAX);
    find_spoilt(k, INT32_MIN);
    k->received[5] = k->is->values;
    keys_rank(k);
    assert_int_not_equal(keys_sort(k).wrong, 0);
    free(k);
}

TEST(too_many_keys_are_not_expected)
{
    struct keys *k = begin_all(NAS_S, 2);

    k->receives[0] = k->room;
    k->receives[1] = 1;
    keys_expect(k);
    assert_int_equal(k->come, k->room);
    k->receives[0] = -1;
    k->receives[1] = 7;
    keys_expect(k);
    assert_int_equal(k->come, 7);
    assert_int_equal(k->receive_at[1], 0);
    free(k);
}

TEST(changed_keys_belong_to_whoever_has_them)
{
    struct keys *k = begin_all(NAS_S, 1024); /* 64 keys each */

    keys_change(&k[0], 3);
    keys_change(&k[1], 3);
    assert_int_equal(k[0].key[3], 3);
    assert_int_equal(k[0].key[13], 2048 - 3);
    assert_int_not_equal(k[1].key[3], 3);
    free(k);
}

/* --- FT ------------------------------------------------------------------------ */

TEST(checksums_are_compared_to_twelve_digits)
{
    double sum[2] = { nas_ft[NAS_A].checksum[2][0], nas_ft[NAS_A].checksum[2][1] };

    assert_true(nas_ft_is_right(NAS_A, 3, sum));
    assert_false(nas_ft_is_right(NAS_A, 2, sum));
    assert_false(nas_ft_is_right(NAS_B, 3, sum));
    sum[0] *= 1 + 1e-13;
    assert_true(nas_ft_is_right(NAS_A, 3, sum));
    sum[1] *= 1 + 1e-11;
    assert_false(nas_ft_is_right(NAS_A, 3, sum));
    sum[1] = NAN;
    assert_false(nas_ft_is_right(NAS_A, 3, sum));
}

TEST(grids_divide_evenly_or_not)
{
    assert_true(grid_divides(NAS_S, 64));
    assert_false(grid_divides(NAS_S, 128));
    assert_false(grid_divides(NAS_S, 3));
    assert_true(grid_divides(NAS_W, 32));
    assert_false(grid_divides(NAS_W, 64));
    assert_true(grid_divides(NAS_C, 512));
    assert_true(grid_bytes(NAS_A, 4) == (size_t)256 * 256 * 128 * 16 / 4);
}

/* Block from of to is block to of from. */
static void transpose(struct grid *g, int ranks, double _Complex **from, double _Complex **to)
{
    const size_t block = (size_t)g->block;

    for (int a = 0; a < ranks; a++)
        for (int b = 0; b < ranks; b++)
            memcpy(to[a] + (size_t)b * block, from[b] + (size_t)a * block, block * sizeof **to);
}

static const struct grid_row {
    const char *name;
    enum nas_class class;
    int ranks;
} grid_rows[] = {
    { "S, 1 part", NAS_S, 1 },    { "S, 2 parts", NAS_S, 2 }, { "S, 4 parts", NAS_S, 4 },
    { "S, 64 parts", NAS_S, 64 }, { "W, 2 parts", NAS_W, 2 }, { "W, 32 parts", NAS_W, 32 },
};

enum { PARTS_OF_A_GRID = 64 };

TEST_ROWS(grid_rows, grid_finds_its_checksums)
{
    static struct grid g[PARTS_OF_A_GRID];
    double _Complex *at[3][PARTS_OF_A_GRID];
    const size_t bytes = grid_bytes(row->class, row->ranks);

    if (!grid_is_built())
        return;
    for (int i = 0; i < row->ranks; i++) {
        for (int j = 0; j < 3; j++)
            assert_non_null(at[j][i] = aligned_alloc(4096, bytes));
        assert_true(grid_begin(&g[i], row->class, i, row->ranks, at[0][i], at[1][i], at[2][i]));
        grid_fill(&g[i]);
        grid_leave(&g[i]);
    }
    transpose(g, row->ranks, at[1], at[2]);
    for (int i = 0; i < row->ranks; i++)
        grid_enter(&g[i]);
    for (int n = 1; n <= nas_ft[row->class].iterations; n++) {
        double sum[2] = { 0 };

        for (int i = 0; i < row->ranks; i++)
            grid_evolve(&g[i], n);
        transpose(g, row->ranks, at[0], at[1]);
        for (int i = 0; i < row->ranks; i++) {
            grid_arrive(&g[i]);
            grid_sum(&g[i]);
            sum[0] += creal(g[i].part);
            sum[1] += cimag(g[i].part);
        }
        assert_true(nas_ft_is_right(row->class, n, sum));
    }
    for (int i = 0; i < row->ranks; i++) {
        grid_end(&g[i]);
        for (int j = 0; j < 3; j++)
            free(at[j][i]);
    }
}
