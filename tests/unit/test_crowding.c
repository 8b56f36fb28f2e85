/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks must share CPUs, against every subset of them. */
#include "unit.h"

#include "machine/crowding.h"
#include "unit_random.h"

enum { RANKS = 7, CPUS = 7 };

static struct affinity cpus(unsigned bits)
{
    struct affinity a = { 0 };

    for (int i = 0; i < CPUS; i++)
        if (bits >> i & 1)
            CPU_SET_S((size_t)i, sizeof a, a.part);
    return a;
}

static const struct row {
    const char *name;
    int n;
    unsigned bits[4];
    int found;
    unsigned members;
} rows[] = {
    { "one CPU each", 3, { 1, 2, 4 }, 0, 0 },
    { "all CPUs for all", 3, { 7, 7, 7 }, 0, 0 },
    { "two on one CPU", 2, { 2, 2 }, 2, 3 },
    { "two on one CPU, others apart", 4, { 1, 4, 2, 4 }, 2, 0xa },
    { "three on two CPUs", 3, { 3, 3, 3 }, 3, 7 },
    { "a bound one moves one that is not", 2, { 3, 1 }, 0, 0 },
    { "and that one another", 3, { 3, 6, 1 }, 0, 0 },
    { "one too many in all", 3, { 3, 1, 2 }, 3, 7 },
    { "of some nothing is known", 3, { 0, 1, 0 }, 0, 0 },
    { "no ranks", 0, { 0 }, 0, 0 },
};

static void those_that_share_are_found(void **state)
{
    const struct row *row = *state;
    struct affinity set[4];
    bool member[4] = { false };

    for (int i = 0; i < row->n; i++)
        set[i] = cpus(row->bits[i]);
    assert_int_equal(crowding_find(set, row->n, member), row->found);
    for (int i = 0; i < row->n; i++)
        assert_int_equal(member[i], row->members >> i & 1);
}

/* Is there any set of ranks with fewer CPUs than ranks? */
static bool must_share(const unsigned *bits, int n)
{
    for (unsigned some = 1; some < 1u << n; some++) {
        unsigned together = 0;

        for (int i = 0; i < n; i++)
            if (some >> i & 1)
                together |= bits[i];
        if (__builtin_popcount(together) < __builtin_popcount(some))
            return true;
    }
    return false;
}

static void every_case_is_decided_as_by_trying_all(void **state)
{
    int shared = 0;

    (void)state;
    unit_random_state = 1;
    for (int round = 0; round < 2000; round++) {
        struct affinity set[RANKS];
        unsigned bits[RANKS], together = 0;
        bool member[RANKS];
        const int n = 1 + (int)(unit_uniform() * RANKS);
        int found;

        for (int i = 0; i < n; i++) {
            /* Few CPUs each, or all would fit. */
            bits[i] = 1u << (unsigned)(unit_uniform() * CPUS) |
                      1u << (unsigned)(unit_uniform() * CPUS);
            set[i] = cpus(bits[i]);
        }
        found = crowding_find(set, n, member);
        assert_int_equal(found > 0, must_share(bits, n));
        shared += found > 0;
        for (int i = 0; i < n; i++)
            together |= member[i] ? bits[i] : 0;
        if (found > 0)
            assert_int_equal(__builtin_popcount(together), found - 1);
    }
    assert_in_range(shared, 200, 1800);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD_ROWS(&list, rows, those_that_share_are_found);
    UNIT_ADD(&list, every_case_is_decided_as_by_trying_all);
    return unit_run("crowding", &list);
}
