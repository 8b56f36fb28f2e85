/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of ranks: every --order-ranks, on any number of ranks. */
#include "unit.h"

#include "base/rank_order.h"

enum { MOST = 64 };

static void place_all(const char *text, int ranks, int place[MOST])
{
    struct rank_order order;

    assert_null(rank_order_parse(text, &order));
    for (int i = 0; i < ranks; i++)
        place[i] = rank_order_place(&order, ranks, i);
}

/* Two nodes with three ranks each: numbered from one node to the other and back. */
static void a_matrix_is_numbered_row_by_row(void **state)
{
    static const int wanted[] = { 0, 2, 4, 1, 3, 5 };
    int place[MOST];

    (void)state;
    place_all("3x2", 6, place);
    assert_memory_equal(place, wanted, sizeof wanted);
    place_all("1x6", 6, place);
    for (int i = 0; i < 6; i++)
        assert_int_equal(place[i], i);
}

static void every_number_is_given_once(void **state)
{
    static const char *const orders[] = { "random:1", "random:2147483647" };

    (void)state;
    for (int i = 0; i < 2; i++)
        for (int ranks = 1; ranks <= MOST; ranks++) {
            int place[MOST], seen[MOST] = { 0 };

            place_all(orders[i], ranks, place);
            for (int r = 0; r < ranks; r++)
                seen[place[r]]++;
            for (int r = 0; r < ranks; r++)
                assert_int_equal(seen[r], 1);
        }
}

static void a_seed_decides_the_order(void **state)
{
    int one[MOST], again[MOST], other[MOST];

    (void)state;
    place_all("random:1", MOST, one);
    place_all("random:1", MOST, again);
    place_all("random:2", MOST, other);
    assert_memory_equal(one, again, sizeof one);
    assert_memory_not_equal(one, other, sizeof one);
}

static void other_texts_are_refused(void **state)
{
    static const char *const texts[] = {
        "",      "random", "random:", "random:0", "random:-1",    "random:2x",
        "3x",    "x3",     "0x3",     "2x3x4",    "random:1e9",   "2X3",
        "-2x-3", " 2x3",   "2x 3",    "2",        "99999999999x1"
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct rank_order order;

        assert_non_null(rank_order_parse(texts[i], &order));
    }
}

static void a_matrix_of_another_size_has_no_places(void **state)
{
    struct rank_order order;

    (void)state;
    assert_null(rank_order_parse("2x3", &order));
    assert_int_equal(rank_order_place(&order, 5, 0), -1);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD(&list, a_matrix_is_numbered_row_by_row);
    UNIT_ADD(&list, every_number_is_given_once);
    UNIT_ADD(&list, a_seed_decides_the_order);
    UNIT_ADD(&list, other_texts_are_refused);
    UNIT_ADD(&list, a_matrix_of_another_size_has_no_places);
    return unit_run("rank_order", &list);
}
