/* SPDX-License-Identifier: BSD-3-Clause */
/* Slow ranks, nodes and pairs among times that are made here. */
#include "unit.h"

#include "matrix/stragglers.h"
#include "unit_random.h"

enum { MOST = 40, NEAR = SAME_NUMA, BETWEEN = INTER_NODE };

static const unsigned SEEDS = 200;
static const double NOISE = 0.03, BASE = 2e-6;

/* The pairs of so many ranks; so many ranks are a node. */
static struct {
    int ranks, of_node;
    int node[MOST];
    double time[MOST * MOST];
    unsigned char path[MOST * MOST];
} job;

/* About normal: mean 0, deviation 1. */
static double noise(void)
{
    double sum = 0;

    for (int i = 0; i < 12; i++)
        sum += unit_uniform();
    return sum - 6;
}

static void plant(int ranks, int of_node, unsigned seed)
{
    job.ranks = ranks;
    job.of_node = of_node;
    unit_random_state = 0x9E3779B97F4A7C15ULL * (seed + 1);
    for (int i = 0; i < ranks; i++) {
        job.node[i] = i / of_node;
        for (int j = 0; j < ranks; j++) {
            const bool near = i / of_node == j / of_node;

            job.path[i * ranks + j] = near ? NEAR : BETWEEN;
            job.time[i * ranks + j] =
                (near ? BASE : 5 * BASE) * (1 + NOISE * noise());
        }
        job.time[i * ranks + i] = NAN; /* never read */
    }
}

static void slow_pair(int i, int j, double times)
{
    job.time[i * job.ranks + j] *= times;
    job.time[j * job.ranks + i] *= times;
}

/* The pairs of a rank with all others; over this kind of path. */
static void slow_rank(int rank, int path, double times)
{
    for (int j = 0; j < job.ranks; j++)
        if (j != rank && job.path[rank * job.ranks + j] == path)
            slow_pair(rank, j, times);
}

static struct stragglers judged(void)
{
    const struct all_pairs all = {
        .ranks = job.ranks, .time = job.time, .path = job.path, .node = job.node
    };
    struct stragglers p;

    assert_true(stragglers_find(&all, &p));
    return p;
}

TEST(among_equals_nobody_is_slow)
{
    static const int ranks[] = { 3, 4, 5, 8, 16, 33 };

    for (size_t n = 0; n < sizeof ranks / sizeof *ranks; n++)
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            plant(ranks[n], MOST, seed);
            assert_int_equal(judged().found, 0);
            plant(ranks[n], 4, seed);
            assert_int_equal(judged().found, 0);
        }
}

TEST(what_is_usual_is_told_by_path)
{
    plant(16, 4, 0);
    const struct stragglers p = judged();

    assert_int_equal(p.path[NEAR].pairs, 24);
    assert_int_equal(p.path[BETWEEN].pairs, 96);
    assert_int_equal(p.path[1].pairs, 0);
    assert_int_equal(p.path[2].pairs, 0);
    assert_true(fabs(p.path[NEAR].usual / BASE - 1) < 0.03);
    assert_true(fabs(p.path[BETWEEN].usual / (5 * BASE) - 1) < 0.03);
    assert_true(p.path[NEAR].slow >= 1.1 && p.path[NEAR].slow < 1.3);
}

/* The only one found. */
static struct straggler only(void)
{
    const struct stragglers p = judged();

    assert_int_equal(p.found, 1);
    assert_int_equal(p.left_over, 0);
    return p.slow[0];
}

/* Its partners have one slow pair each, and are not to blame. */
TEST(a_slow_rank_is_named_and_its_partners_are_not)
{
    static const int ranks[] = { 3, 4, 8, 33 };

    for (size_t n = 0; n < sizeof ranks / sizeof *ranks; n++)
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            const int rank = (int)seed % ranks[n];

            plant(ranks[n], MOST, seed);
            slow_rank(rank, NEAR, 2);
            const struct straggler slow = only();

            assert_int_equal(slow.rank, rank);
            assert_int_equal(slow.partner, -1);
            assert_int_equal(slow.node, 0);
            assert_int_equal(slow.pairs, ranks[n] - 1);
            assert_int_equal(slow.above, ranks[n] - 1);
            assert_true(slow.times > 1.8 && slow.times < 2.2);
        }
}

/* A small difference is found if many pairs show it. */
TEST(a_rank_that_is_slow_by_a_fifth_is_named)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        plant(33, MOST, seed);
        slow_rank(7, NEAR, 1.2);
        assert_int_equal(only().rank, 7);
    }
}

TEST(a_slow_node_is_named_once)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        plant(16, 4, seed);
        for (int i = 4; i < 8; i++)
            slow_rank(i, BETWEEN, 1.5);
        const struct straggler slow = only();

        assert_int_equal(slow.rank, 4);
        assert_int_equal(slow.partner, -1);
        assert_int_equal(slow.node, 4);
        assert_int_equal(slow.path, BETWEEN);
        assert_int_equal(slow.pairs, 12);
    }
}

TEST(a_slow_rank_of_a_node_is_not_the_node)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        plant(16, 4, seed);
        slow_rank(5, BETWEEN, 2);
        const struct straggler slow = only();

        assert_int_equal(slow.rank, 5);
        assert_int_equal(slow.node, 0);
        assert_int_equal(slow.path, BETWEEN);
    }
    /* Nor are there several where a node has one. */
    plant(4, 1, 0);
    slow_rank(2, BETWEEN, 2);
    assert_int_equal(only().node, 0);
}

TEST(a_slow_pair_is_neither_of_its_ranks)
{
    static const int ranks[] = { 3, 4, 8, 33 };

    for (size_t n = 0; n < sizeof ranks / sizeof *ranks; n++)
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            plant(ranks[n], MOST, seed);
            slow_pair(2, 1, 2.5);
            const struct straggler slow = only();

            assert_int_equal(slow.rank, 1);
            assert_int_equal(slow.partner, 2);
            assert_true(slow.times > 2.2 && slow.times < 2.8);
        }
}

/* Two sockets: pairs across them take longer, and all do. */
TEST(two_sockets_make_nobody_slow)
{
    for (int ranks = 4; ranks <= 16; ranks++) /* as many, or more of one */
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            plant(ranks, MOST, seed);
            for (int i = 0; i < ranks; i++)
                for (int j = 0; j < ranks; j++)
                    if (i / 3 % 2 != j / 3 % 2) {
                        job.path[i * ranks + j] = SAME_NODE;
                        job.time[i * ranks + j] *= 2;
                    }
            assert_int_equal(judged().found, 0);
        }
}

TEST(a_clock_at_rest_makes_nobody_slow)
{
    plant(4, MOST, 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            job.time[4 * i + j] = 0;
    const struct stragglers p = judged();

    assert_int_equal(p.found, 0);
    assert_int_equal(p.path[NEAR].pairs, 6);
}

/* Neither of two is slower than the other, nor are two of two pairs. */
TEST(of_one_pair_a_rank_is_not_judged)
{
    plant(2, MOST, 0);
    assert_int_equal(judged().found, 0);
    plant(4, 2, 0);
    slow_pair(2, 3, 1.3);
    assert_int_equal(judged().found, 0);
    /* The pair is far slower than any other. */
    slow_pair(2, 3, 3);
    const struct straggler slow = only();

    assert_int_equal(slow.rank, 2);
    assert_int_equal(slow.partner, 3);
}

TEST(the_worst_are_kept_ranks_first)
{
    plant(40, MOST, 0);
    for (int i = 0; i < 18; i += 2)
        slow_rank(i, NEAR, 2 + i);
    for (int i = 20; i < 38; i += 2)
        slow_pair(i, i + 1, 3 + i);
    const struct stragglers p = judged();

    assert_int_equal(p.found, STRAGGLERS_KEPT);
    assert_int_equal(p.left_over, 9 + 9 - STRAGGLERS_KEPT);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(p.slow[i].partner, -1);
        assert_int_equal(p.slow[i].rank, 16 - 2 * i);
    }
    for (int i = 9; i < STRAGGLERS_KEPT; i++)
        assert_int_equal(p.slow[i].rank, 36 - 2 * (i - 9));
    /* More ranks than there is room for. */
    plant(40, MOST, 0);
    for (int i = 0; i < 17; i++)
        slow_rank(i, NEAR, 2 + i);
    slow_pair(30, 31, 90);
    const struct stragglers q = judged();

    assert_int_equal(q.found, STRAGGLERS_KEPT);
    assert_int_equal(q.left_over, 17 + 1 - STRAGGLERS_KEPT);
    assert_int_equal(q.slow[0].rank, 16);
    assert_int_equal(q.slow[STRAGGLERS_KEPT - 1].rank, 1);
}
