/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank meets every other once, whatever their number. */
#include "unit.h"

#include "matrix/round_robin.h"

enum { MOST = 33 };

static void everybody_meets_everybody_once(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= MOST; ranks++) {
        int met[MOST][MOST] = { { 0 } };

        for (int round = 0; round < round_robin_rounds(ranks); round++)
            for (int i = 0; i < ranks; i++) {
                const int j = round_robin_partner(i, round, ranks);

                assert_in_range(j + 1, 0, ranks);
                assert_int_not_equal(j, i);
                if (j >= 0)
                    met[i][j]++;
            }
        for (int i = 0; i < ranks; i++)
            for (int j = 0; j < ranks; j++)
                assert_int_equal(met[i][j], i != j);
    }
}

static void partners_agree(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= MOST; ranks++)
        for (int round = 0; round < round_robin_rounds(ranks); round++) {
            int resting = 0;

            for (int i = 0; i < ranks; i++) {
                const int j = round_robin_partner(i, round, ranks);

                resting += j < 0;
                if (j >= 0)
                    assert_int_equal(round_robin_partner(j, round, ranks), i);
            }
            assert_int_equal(resting, ranks % 2);
        }
}

static void pairs_of_a_round_are_numbered(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= MOST; ranks++)
        for (int round = 0; round < round_robin_rounds(ranks); round++) {
            int seen[MOST / 2] = { 0 };

            for (int i = 0; i < ranks; i++) {
                const int j = round_robin_partner(i, round, ranks);
                const int pair = round_robin_pair(i, round, ranks);

                if (j < 0) {
                    assert_int_equal(pair, -1);
                    continue;
                }
                assert_in_range(pair, 0, ranks / 2 - 1);
                assert_int_equal(round_robin_pair(j, round, ranks), pair);
                seen[pair]++;
            }
            for (int k = 0; k < ranks / 2; k++)
                assert_int_equal(seen[k], 2);
        }
}

static void rounds_are_as_few_as_can_be(void **state)
{
    (void)state;
    assert_int_equal(round_robin_rounds(2), 1);
    assert_int_equal(round_robin_rounds(3), 3);
    assert_int_equal(round_robin_rounds(4), 3);
    assert_int_equal(round_robin_rounds(33), 33);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD(&list, everybody_meets_everybody_once);
    UNIT_ADD(&list, partners_agree);
    UNIT_ADD(&list, pairs_of_a_round_are_numbered);
    UNIT_ADD(&list, rounds_are_as_few_as_can_be);
    return unit_run("round_robin", &list);
}
