/* SPDX-License-Identifier: BSD-3-Clause */
/* Global clocks of simulated ranks, whose true time is known: every rank's is
   recovered within the bound that the model itself states.  ALIDADE_LONG=1
   adds larger jobs. */
#include "unit.h"

#include "unit_clocks.h"

enum { SEEDS = 100 };

/* --- Recovering global time ----------------------------------------------- */

static const struct recover_row {
    const char *name;
    int ranks;
} recover_rows[] = {
    { "one rank is the global clock", 1 },
    { "2 ranks within their bounds", 2 },
    { "3 ranks within their bounds", 3 },
    { "5 ranks within their bounds", 5 },
    { "8 ranks within their bounds", 8 },
    { "64 ranks within their bounds", 64 },
    { "1000 ranks within their bounds", 1000 },
    { "4096 ranks within their bounds", 4096 },
};

TEST_ROWS(recover_rows, global_time_is_recovered)
{
    static double errors[LENGTH(LEADS)][MOST_RANKS];
    static double bounds[LENGTH(LEADS)][MOST_RANKS];

    if (row->ranks > 1000 && getenv("ALIDADE_LONG") == NULL)
        skip(); /* half a minute */
    nranks = row->ranks;
    for (int s = 0; s < SEEDS; s++) {
        double done;

        seed((uint64_t)s);
        for (int i = 0; i < nranks; i++)
            oscillate(&ranks[i]);
        done = teach_all();
        for (size_t lead = 0; lead < LENGTH(LEADS); lead++) {
            const double now = done + LEADS[lead];

            for (int i = 0; i < nranks; i++) {
                errors[lead][i] = error_of(&ranks[i], now);
                bounds[lead][i] = bound_of(&ranks[i], now);
                if (errors[lead][i] > bounds[lead][i])
                    fail_msg("seed %d, rank %d, %g s later: error %g us, bound "
                             "%g us",
                             s, i, LEADS[lead], 1e6 * errors[lead][i],
                             1e6 * bounds[lead][i]);
            }
        }
    }
    for (size_t lead = 0; lead < LENGTH(LEADS); lead++) {
        const double e = median(errors[lead], nranks);
        const double b = median(bounds[lead], nranks);

        printf("# %d ranks, after %g s: median error %.3f us, bound %.3f us, "
               "worst %.3f us, %.3f us\n",
               nranks, LEADS[lead], 1e6 * e, 1e6 * b,
               1e6 * errors[lead][nranks - 1], 1e6 * bounds[lead][nranks - 1]);
        /* Not vacuous: half a round trip a level, and noise; later twice that over
           the way between the two offsets.  The error itself is far smaller. */
        assert_true(bounds[lead][nranks - 1] <
                    1.5 * (LEAST_DELAY + NOISE) * tree_rounds(nranks) *
                            (1 + 2 * LEADS[lead] / BASELINE) +
                        1e-8);
        assert_true(errors[lead][nranks - 1] <
                    2e-6 * tree_rounds(nranks) * (1 + LEADS[lead]) + 1e-8);
    }
}

TEST(drift_is_worth_correcting)
{
    double plain = 0, corrected = 0;

    nranks = 8;
    for (int s = 0; s < SEEDS; s++) {
        double later;

        seed((uint64_t)s);
        for (int i = 0; i < nranks; i++)
            oscillate(&ranks[i]);
        later = teach_all() + 10;
        for (int i = 1; i < nranks; i++) {
            corrected = fmax(corrected, error_of(&ranks[i], later));
            ranks[i].model.slope = 0;
            plain = fmax(plain, error_of(&ranks[i], later));
        }
    }
    printf("# 8 ranks, after 10 s: at most %.1f us off, without slopes %.1f "
           "us\n",
           1e6 * corrected, 1e6 * plain);
    assert_true(corrected < plain / 20);
}

/* Routes change, and so do the moods of an oversubscribed machine. */
TEST(a_path_that_turns_widens_the_bound)
{
    struct simulated *const r = &ranks[1];

    for (int s = 0; s < SEEDS; s++) {
        seed((uint64_t)s);
        oscillate(&ranks[0]);
        oscillate(r);
        learn(NULL, &ranks[0], r, 0, true);
        r->asymmetry = -r->asymmetry;
        learn(NULL, &ranks[0], r, BASELINE, false);
        for (size_t lead = 0; lead < LENGTH(LEADS); lead++)
            assert_true(error_of(r, BASELINE + LEADS[lead]) <=
                        bound_of(r, BASELINE + LEADS[lead]));
    }
}

/* Refreshed once a second, the slope learns from an ever longer way. */
TEST(refreshing_keeps_the_error_small)
{
    struct simulated *const r = &ranks[1];

    nranks = 2;
    for (int s = 0; s < SEEDS; s++) {
        double now, first;

        seed((uint64_t)s);
        oscillate(&ranks[0]);
        oscillate(&ranks[1]);
        now = teach_all();
        first = r->model.slope_error;
        for (int i = 0; i < 100; i++) {
            now += 1;
            assert_true(error_of(r, now) <= bound_of(r, now));
            learn(NULL, &ranks[0], r, now, false);
            assert_true(error_of(r, now) <= bound_of(r, now));
            if (i > 10)
                assert_true(r->model.slope_error < 0.5e-6);
        }
        assert_true(r->model.slope_error < first);
    }
}
