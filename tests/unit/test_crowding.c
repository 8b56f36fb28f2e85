/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks must share CPUs. */
#include "unit.h"

#include "machine/binding.h"

enum { CPUS = 7 };

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

TEST_ROWS(rows, those_that_share_are_found)
{
    struct affinity set[4];
    bool member[4] = { false };

    for (int i = 0; i < row->n; i++)
        set[i] = cpus(row->bits[i]);
    assert_int_equal(binding_crowded(set, row->n, member), row->found);
    for (int i = 0; i < row->n; i++)
        assert_int_equal(member[i], row->members >> i & 1);
}
