/* SPDX-License-Identifier: BSD-3-Clause */
/* Who congests, and when victims count as slower. */
#include "unit_series.h"

#include "impact/judgement.h"
#include "impact/sides.h"

enum { MOST = 64, SEEDS = 50 };

static const struct dealing {
    const char *name;
    int ranks, size; /* of a unit */
    double share;
    int congest; /* ranks; 0: no such division */
} dealings[] = {
    { "80 % of ten ranks", 10, 1, 0.8, 8 },
    { "half of ten ranks", 10, 1, 0.5, 5 },
    { "at least two victims", 4, 1, 0.8, 2 },
    { "at least two congestors", 6, 1, 0.01, 2 },
    { "80 % of four nodes", 16, 4, 0.8, 12 },
    { "two nodes", 8, 4, 0.8, 4 },
    { "the last unit is smaller", 7, 3, 0.34, -1 },
    { "three ranks are too few", 3, 1, 0.8, 0 },
    { "one node cannot be divided", 4, 4, 0.8, 0 },
};

TEST_ROWS(dealings, is_dealt)
{
    int unit[MOST], order[2 * MOST], n = 0;
    bool congests[MOST], again[MOST];

    for (int i = 0; i < row->ranks; i++)
        unit[i] = i / row->size * row->size;
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        const int got =
            sides_deal(unit, row->ranks, row->share, seed, order, congests);

        n = 0;
        assert_int_equal(
            sides_deal(unit, row->ranks, row->share, seed, order, again), got);
        for (int i = 0; i < row->ranks; i++) {
            n += congests[i];
            assert_int_equal(congests[i], again[i]);
            assert_int_equal(congests[i], congests[unit[i]]);
        }
        if (row->congest >= 0)
            assert_int_equal(got, row->congest);
        if (got > 0) {
            assert_int_equal(n, got);
            assert_in_range(n, SIDES_LEAST, row->ranks - SIDES_LEAST);
        }
    }
}

/* Every rank is a victim under some seed, and congests under another. */
TEST(seeds_differ)
{
    int unit[10], order[20], times[10] = { 0 };
    bool congests[10];

    for (int i = 0; i < 10; i++)
        unit[i] = i;
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        sides_deal(unit, 10, 0.5, seed, order, congests);
        for (int i = 0; i < 10; i++)
            times[i] += congests[i];
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(times[i], 10, SEEDS - 10);
}

/* --- The judgement --------------------------------------------------------------- */

static const struct load {
    const char *name;
    double times;    /* what load does to a block */
    double drift;    /* from one block to the next */
    int least, most; /* rows that are judged to be slower or faster, of 1,000 */
    double tail; /* P99 is judged, which varies by such a factor; 0: median */
} loads[] = {
    /* Expected are 2 of 2^8, 7.8 of 1,000; and fewer than 2 % of them. */
    { "A/A: none", 1, 0, 0, 19 },
    { "A/A with a drift of 0.5 % a block", 1, 0.005, 0, 19 },
    { "A/A: none, P99 that varies by a factor of 3", 1, 0, 0, 19, 3 },
    { "P99 a hundred times as long", 100, 0, 950, 1000, 3 },
    { "30 % longer", 1.3, 0, 990, 1000 },
    { "as long again, with a drift", 2, 0.005, 1000, 1000 },
    { "shorter by a third", 0.67, 0, 990, 1000 },
};

/* Blocks with noise of 3 % that neighbors share in part, and of a log-normal shape. */
static bool differs(const struct load *load)
{
    struct impact_pair pair[IMPACT_PAIRS];
    double noise = unit_normal(), at = 0;

    for (int i = 0; i < IMPACT_PAIRS; i++)
        for (int j = 0; j < 2; j++) {
            const bool loaded = (i + j) % 2 == 0;
            struct block *b = loaded ? &pair[i].loaded : &pair[i].alone;

            b->median_s = 1e-6 * exp(0.03 * unit_ar1(&noise, 0.6)) *
                          (1 + load->drift * at++) * (loaded ? load->times : 1);
            b->p99_s = load->tail > 0
                           ? b->median_s * pow(load->tail, unit_normal())
                           : 0;
        }
    const struct impact_ratio r = impact_judge(pair, load->tail > 0);

    assert_true(r.known);
    assert_int_equal(impact_judge(pair, true).known, load->tail > 0);
    assert_true(r.low <= r.times && r.times <= r.high);
    return r.low > 1 || r.high < 1;
}

TEST_ROWS(loads, is_judged)
{
    int count = 0;

    unit_state = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 1000; i++)
        count += differs(row);
    printf("# %s: %d of 1000\n", row->name, count);
    assert_in_range(count, row->least, row->most);
}

/* The impact is the median of ratios, and its interval ends at the outermost. */
TEST(is_the_median_of_ratios)
{
    struct impact_pair pair[IMPACT_PAIRS];
    struct impact_ratio r;

    for (int i = 0; i < IMPACT_PAIRS; i++)
        pair[i] =
            (struct impact_pair){ { 1 + i, 2 }, { (1 + i) * (3 + i), 2 } };
    r = impact_judge(pair, false);
    assert_near(r.low, 3, 1e-12);
    assert_near(r.high, 10, 1e-12);
    assert_in_range((long)r.times, 6, 7);
    r = impact_judge(pair, true);
    assert_true(r.known && r.times == 1 && r.low == 1 && r.high == 1);
    pair[3].alone.median_s = 0;
    assert_false(impact_judge(pair, false).known);
}
