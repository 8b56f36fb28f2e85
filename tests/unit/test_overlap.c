/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of an operation that a computation hid, on the CPU and on a GPU. */
#include "unit.h"

#include "overlap/overlap.h"

static const struct overlap_row {
    const char *name;
    double overall, compute, test, pure, percent;
} overlap_rows[] = {
    { "all hidden", 10, 10, 0, 5, 100 },
    { "nothing hidden", 15, 10, 0, 5, 0 },
    { "half hidden", 12.5, 10, 0, 5, 50 },
    { "slower than one after the other", 1.93, 1.11, 0, 0.71, -15.492957746 },
    { "tests are not computation", 10, 10, 1, 5, 80 },
};

TEST_ROWS(overlap_rows, overlap_is_unclipped)
{
    struct overlap o = { .parts = { .compute = 1e-6 * row->compute,
                                    .test = 1e-6 * row->test,
                                    .pure = 1e-6 * row->pure } };
    const struct result r = { .mean = 1e-6 * row->overall, .family = &o };

    assert_near(overlap_percent(&r), row->percent, 1e-6);
}

/* The value of its column, in us. */
static double computation(const struct result *r)
{
    const struct report_column *c = report_overlap_columns;

    while (strcmp(c->column.key, "compute_us") != 0)
        c++;
    return c->value(r).real;
}

TEST(a_gpu_goes_on_while_mpi_is_tested)
{
    struct overlap o = {
        .computation = { .target = COMPUTE_ON_CPU, .alone_s = 2600e-6 },
        .parts = { .compute = 2600e-6, .test = 2500e-6, .pure = 2500e-6 }
    };
    const struct result r = { .mean = 2600e-6, .family = &o };

    assert_near(computation(&r), 100, 1e-6);
    o.computation.target = COMPUTE_ON_GPU;
    assert_near(computation(&r), 2600, 1e-6);
    assert_near(overlap_percent(&r), 100, 1e-6);
}

/* What iterations note is left out with their batch, or with those before it. */
TEST(what_is_noted_is_left_out_with_its_batch)
{
    static const struct {
        bool before, batch;
        clock_ticks left; /* of 3 in the batches before, and 10 in this one */
    } cases[] = { { false, false, 13 },
                  { false, true, 3 },
                  { true, false, 10 },
                  { true, true, 0 } };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct overlap o = { .sum.start = 3 };
        struct bench_run run = { .family = &o };

        overlap_forget(&run, false, false);
        o.sum.start += 10;
        overlap_forget(&run, cases[i].before, cases[i].batch);
        assert_int_equal(o.sum.start, cases[i].left);
    }
}
