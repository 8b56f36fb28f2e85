/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of CPUs as text. */
#include "unit.h"

#include "machine/affinity.h"

static void add(struct affinity *a, int first, int last, int step)
{
    for (int cpu = first; cpu <= last; cpu += step)
        CPU_SET_S((size_t)cpu, sizeof *a, a->part);
}

static const struct list_row {
    const char *text;
    int run[3][3]; /* first, last, step; step 0: there is no more */
} list_rows[] = {
    { "", { { 0 } } },
    { "0", { { 0, 0, 1 } } },
    { "0-3,8", { { 0, 3, 1 }, { 8, 8, 1 } } },
    { "0-1,5000-8191", { { 0, 1, 1 }, { 5000, 8191, 1 } } },
    { "0-254:2", { { 0, 254, 2 } } },
    { "1-8191:2", { { 1, 8191, 2 } } },
    { "3,7", { { 3, 7, 4 } } },
    { "0-8:4,100", { { 0, 8, 4 }, { 100, 100, 1 } } },
    { "0,2,4-7", { { 0, 2, 2 }, { 4, 7, 1 } } },
    { "0-4:2,6-7", { { 0, 4, 2 }, { 6, 7, 1 } } },
};

TEST_ROWS(list_rows, lists_runs_and_strides)
{
    struct affinity a = { 0 };
    char text[256];

    for (size_t i = 0; i < 3 && row->run[i][2] > 0; i++)
        add(&a, row->run[i][0], row->run[i][1], row->run[i][2]);
    affinity_list(&a, text, sizeof text);
    assert_string_equal(text, row->text);
}

TEST(says_where_room_ends)
{
    struct affinity a = { 0 };
    char text[12];

    add(&a, 0, 1, 1);
    add(&a, 3, 4, 1);
    affinity_list(&a, text, sizeof text);
    assert_string_equal(text, "0-1,3-4");
    add(&a, 6, 7, 1);
    affinity_list(&a, text, sizeof text);
    assert_string_equal(text, "0-1,3-4...");
}
