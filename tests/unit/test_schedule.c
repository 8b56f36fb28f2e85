/* SPDX-License-Identifier: BSD-3-Clause */
/* Who meets whom: every rank meets every other once, every pattern is complete, random orders
   follow from the seed, and they cross the middle of the ranks as often as another program
   says. */
#include "unit.h"

#include <string.h>

#include "schedule/schedule.h"

enum { MOST = 33, MANY = 1000 };

static struct peers all[MOST][MANY];

static void fill(enum schedule kind, unsigned long seed, int n, int ranks)
{
    for (int i = 0; i < ranks; i++)
        assert_true(schedule_fill(kind, seed, n, i, ranks, all[i]));
}

/* In each round partners agree, as few rest as can be, and pairs are numbered. */
TEST(everybody_meets_everybody_once)
{
    for (int ranks = 2; ranks <= MOST; ranks++) {
        const int rounds = round_robin_rounds(ranks);
        int met[MOST][MOST] = { { 0 } };

        assert_int_equal(rounds, ranks - 1 + ranks % 2);
        for (int round = 0; round < rounds; round++) {
            int resting = 0, seen[MOST / 2] = { 0 };

            for (int i = 0; i < ranks; i++) {
                const int j = round_robin_partner(i, round, ranks);
                const int pair = round_robin_pair(i, round, ranks);

                if (j < 0) {
                    assert_int_equal(j, -1);
                    assert_int_equal(pair, -1);
                    resting++;
                    continue;
                }
                assert_in_range(j, 0, ranks - 1);
                assert_int_equal(round_robin_partner(j, round, ranks), i);
                assert_in_range(pair, 0, ranks / 2 - 1);
                assert_int_equal(round_robin_pair(j, round, ranks), pair);
                met[i][j]++;
                seen[pair]++;
            }
            assert_int_equal(resting, ranks % 2);
            for (int k = 0; k < ranks / 2; k++)
                assert_int_equal(seen[k], 2);
        }
        for (int i = 0; i < ranks; i++)
            for (int j = 0; j < ranks; j++)
                assert_int_equal(met[i][j], i != j);
    }
}

/* As if all steps wrote their windows, one after the other. */
TEST(a_slot_holds_what_was_written_last)
{
    for (int steps = 1; steps < 12; steps++)
        for (int apart = 1; apart < 6; apart++)
            for (int window = 1; window < 4; window++) {
                const int slots = (steps < apart ? steps : apart) + window - 1;
                int writer[8];

                for (int k = 0; k < steps; k++)
                    for (int i = 0; i < window; i++)
                        writer[k % apart + i] = k;
                for (int i = 0; i < slots; i++)
                    assert_int_equal(schedule_writer(steps, apart, window, i),
                                     writer[i]);
            }
}

TEST(each_rank_of_a_ring_sends_and_receives_once)
{
    for (int ranks = 2; ranks <= MOST; ranks++) {
        fill(SCHEDULE_RINGS, 3, 5, ranks);
        for (int k = 0; k < 5; k++) {
            int at = 0, length = 0;

            for (int i = 0; i < ranks; i++)
                assert_int_equal(all[all[i][k].to][k].from, i);
            do { /* one ring of all ranks, not several */
                at = all[at][k].to;
                length++;
            } while (at != 0);
            assert_int_equal(length, ranks);
        }
    }
}

TEST(partners_agree_and_only_the_last_of_an_odd_number_rests)
{
    static const enum schedule kind[] = { SCHEDULE_HALVES, SCHEDULE_SHIFT,
                                          SCHEDULE_RANDOM };

    for (int ranks = 2; ranks <= MOST; ranks++)
        for (int c = 0; c < 3; c++) {
            const int n = schedule_patterns(kind[c], 5, ranks);
            const int active = schedule_active(kind[c], ranks);

            assert_int_equal(active, ranks / 2 * 2);
            fill(kind[c], 7, n, ranks);
            for (int k = 0; k < n; k++)
                for (int i = 0; i < ranks; i++) {
                    const int j = all[i][k].to;

                    assert_int_equal(all[i][k].from, j);
                    if (i >= active) {
                        assert_int_equal(j, MPI_PROC_NULL);
                        continue;
                    }
                    assert_in_range(j, 0, active - 1);
                    assert_int_not_equal(j, i);
                    assert_int_equal(all[j][k].to, i);
                }
        }
}

TEST(the_shift_is_the_round_robin_of_an_even_number)
{
    for (int ranks = 2; ranks <= MOST; ranks++) {
        const int active = ranks / 2 * 2;
        const int n = schedule_patterns(SCHEDULE_SHIFT, 8, ranks);

        assert_int_equal(n, round_robin_rounds(active));
        fill(SCHEDULE_SHIFT, 1, n, ranks);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < active; i++)
                assert_int_equal(all[i][k].to,
                                 round_robin_partner(i, k, active));
    }
}

TEST(halves_are_the_pairs_of_multi_lat)
{
    fill(SCHEDULE_HALVES, 1, 1, 9);
    for (int i = 0; i < 4; i++)
        assert_int_equal(all[i][0].to, i + 4);
    assert_int_equal(schedule_patterns(SCHEDULE_HALVES, 8, 9), 1);
}

TEST(more_patterns_begin_with_the_same_and_another_seed_differs)
{
    struct peers few[3], other[3];

    fill(SCHEDULE_RANDOM, 11, 6, 16);
    assert_true(schedule_fill(SCHEDULE_RANDOM, 11, 3, 5, 16, few));
    assert_true(schedule_fill(SCHEDULE_RANDOM, 12, 3, 5, 16, other));
    assert_memory_equal(few, all[5], sizeof few);
    assert_memory_not_equal(few, other, sizeof few);
}

TEST(all_pairs_are_equally_frequent)
{
    int met[8] = { 0 };

    assert_true(schedule_fill(SCHEDULE_RANDOM, 1, MANY, 0, 8, all[0]));
    for (int k = 0; k < MANY; k++)
        met[all[0][k].to]++;
    for (int j = 1; j < 8; j++) /* 143 on average, standard deviation 11 */
        assert_in_range(met[j], 100, 186);
}

/* Messages from ranks 0 to 3 to ranks 4 to 7. */
static int crossing(int k)
{
    int n = 0;

    for (int i = 0; i < 4; i++)
        n += all[i][k].to >= 4;
    return n;
}

/* Ranks that send to the other half or receive from it. */
static int at_border(int k)
{
    int n = 0;

    for (int i = 0; i < 8; i++)
        n += (all[i][k].to >= 4) != (i >= 4) ||
             (all[i][k].from >= 4) != (i >= 4);
    return n;
}

/* The simulated networks of tests/simgrid rely on these, which were computed by a
   program in another language. */
TEST(orders_cross_the_middle_as_often_as_expected)
{
    static const int random[] = { 4, 0, 2, 0, 2, 2 }, across[] = { 2, 1, 2 },
                     border[] = { 6, 4, 7 }, shift[] = { 4, 2, 2, 0, 2, 2, 4 };

    fill(SCHEDULE_RANDOM, 2, 6, 8);
    for (int k = 0; k < 6; k++)
        assert_int_equal(crossing(k), random[k]);
    fill(SCHEDULE_RINGS, 1, 3, 8);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(crossing(k), across[k]);
        assert_int_equal(at_border(k), border[k]);
    }
    fill(SCHEDULE_SHIFT, 1, 7, 8);
    for (int k = 0; k < 7; k++)
        assert_int_equal(crossing(k), shift[k]);
}
