/* SPDX-License-Identifier: BSD-3-Clause */
/* The statistics of c/util against those of SciPy, for the same series:
   tests/reference/README.md. */
#include "unit.h"

#include "stats/rank_test.h"
#include "stats/stats.h"

#include "../reference/figures.h"
#include "../reference/series.h"

enum { MOST = 1000 };

static double series[MOST], sorted[MOST];

static void assert_close(double got, double expected, double relative)
{
    assert_near(got, expected, relative * fabs(expected));
}

static void describe_is(const struct figures *f)
{
    const struct stats s = stats_of_series(series, sorted, f->n);
    /* The score at one median distance from the median. */
    const struct outliers limits = stats_outliers(sorted, f->n, 0.6745);

    assert_close(s.mean, f->mean, 1e-15);
    assert_close(s.stddev, f->stddev, 1e-12);
    assert_close(s.tau, f->tau, 1e-10);
    assert_near((limits.to - limits.from) / 2, f->mad, 1e-15 * f->mean);
}

static void third_against_third_is(const struct figures *f)
{
    const size_t m = f->n / 3;
    double ranks[MOST], room[MOST];
    struct rank_sum r;

    memcpy(ranks, series + f->n - m, m * sizeof *ranks);
    memcpy(ranks + m, series, m * sizeof *ranks);
    ranks_of(ranks, 2 * m, room);
    r = mann_whitney(ranks, m, 2 * m, 1);
    assert_near(r.u, f->u, 0);
    assert_close(r.p, f->p, 1e-10);
    assert_true(r.z == 0 || (r.z > 0) == (r.u > (double)(m * m) / 2));
}

TEST_ROWS(figures, figures_agree)
{
    series_make(series, row->n, row->kind, row->seed);
    describe_is(row);
    third_against_third_is(row);
    ranks_of(series, row->n, sorted);
    assert_close(ranks_tau(series, row->n), row->rank_tau, 1e-9);
}

TEST(ranks_agree)
{
    for (size_t i = 0; i < LENGTH(rank_figures); i++) {
        const struct rank_figures *f = &rank_figures[i];
        size_t lower = 0, upper = 0;
        const bool exists = stats_ranks(f->n, f->p, &lower, &upper);

        if (exists != f->exists ||
            (exists && (lower != f->lower || upper != f->upper)))
            fail_msg("n %zu, p %g: %zu to %zu, not %zu to %zu", f->n, f->p,
                     lower, upper, f->lower, f->upper);
    }
}
