/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether an operation is slower than its mock-ups: exact cases, and how often noise alone
   is taken for it. */
#include "unit_series.h"

#include "guidelines/judgement.h"

enum { ROUNDS = 200, ROOM = ROUNDS };

static double *times(void)
{
    static double time[ROUNDS_MOST * ROOM];

    return time;
}

static struct judgement judge(int n, int rounds, double margin)
{
    static double room[2 * ROOM];

    return judgement_of(times(), n, rounds, ROOM, 1e-9, margin, room);
}

/* Operations that take so many us, without noise. */
static const struct exact {
    const char *name;
    int n, rounds;
    double us[ROUNDS_MOST];
    double margin;
    int best;
    double ratio;
    enum guideline_verdict is;
} exact[] = {
    { "as fast", 2, 50, { 10, 10 }, 0.05, 1, 1, GUIDELINE_HOLDS },
    { "faster", 3, 50, { 5, 10, 20 }, 0.05, 1, 0.5, GUIDELINE_HOLDS },
    { "slower than the second",
      4,
      50,
      { 15, 30, 10, 12 },
      0.05,
      2,
      1.5,
      GUIDELINE_VIOLATED },
    { "slower, but within the margin",
      2,
      50,
      { 10.4, 10 },
      0.05,
      1,
      1.04,
      GUIDELINE_HOLDS },
    { "slower than the margin",
      2,
      50,
      { 10.6, 10 },
      0.05,
      1,
      1.06,
      GUIDELINE_VIOLATED },
    { "a wider margin", 2, 50, { 15, 10 }, 0.6, 1, 1.5, GUIDELINE_HOLDS },
    { "five rounds have no interval",
      2,
      5,
      { 20, 10 },
      0.05,
      1,
      2,
      GUIDELINE_UNDECIDED },
    { "no round", 2, 0, { 20, 10 }, 0.05, 1, 0, GUIDELINE_UNDECIDED },
    { "no time passes", 2, 50, { 0, 0 }, 0.05, 1, 1, GUIDELINE_HOLDS },
};

TEST_ROWS(exact, exact_times_have_exact_ratios)
{
    struct judgement j;

    for (int o = 0; o < row->n; o++)
        for (int k = 0; k < row->rounds; k++)
            times()[o * ROOM + k] = 1e-6 * row->us[o];
    j = judge(row->n, row->rounds, row->margin);
    assert_int_equal(j.best, row->best);
    assert_int_equal(j.rounds, row->rounds);
    assert_near(j.ratio[j.best].median, row->ratio, 1e-9);
    assert_int_equal(j.is, row->is);
    if (row->rounds >= 20) {
        assert_near(j.ratio[j.best].low, row->ratio, 1e-9);
        assert_near(j.ratio[j.best].high, row->ratio, 1e-9);
    }
}

/* Times as machines have them: skewed, alike in neighboring rounds, longer at times for
   one operation alone, and all of them on a slope. */
static const struct noisy {
    const char *name;
    int n;
    double native; /* how much longer it takes */
    double spread, rho, slope, margin;
    int least, most; /* of UNIT_TRIALS rows, violated ones */
} noisy[] = {
    { "equal, little noise", 4, 1, 0.05, 0, 0, 0.05, 0, 0 },
    { "equal, much noise", 4, 1, 0.5, 0, 0, 0.05, 0, 3 },
    { "equal, much noise that lasts", 4, 1, 0.5, 0.9, 0, 0.05, 0, 3 },
    { "equal, one mock-up", 2, 1, 0.5, 0.5, 0, 0.05, 0, 3 },
    { "equal, while all slow down threefold", 4, 1, 0.1, 0, 2, 0.05, 0, 0 },
    { "slower by a fifth", 4, 1.2, 0.2, 0.5, 0, 0.05, 100, UNIT_TRIALS },
    { "slower by a fifth, on a slope", 2, 1.2, 0.2, 0, 2, 0.05, 185,
      UNIT_TRIALS },
    { "slower by 3%", 2, 1.03, 0.05, 0, 0, 0.05, 0, 3 },
};

TEST_ROWS(noisy, noise_is_not_taken_for_a_violation)
{
    int violated = 0;

    unit_state = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < UNIT_TRIALS; i++) {
        double z[ROUNDS_MOST] = { 0 };

        for (int k = 0; k < ROUNDS; k++)
            for (int o = 0; o < row->n; o++) {
                const double slow = 1 + row->slope * k / ROUNDS;
                const double burst = unit_uniform() < 0.02 ? 20 : 1;

                times()[o * ROOM + k] =
                    1e-5 * slow * burst * (o == 0 ? row->native : 1) *
                    exp(row->spread * unit_ar1(&z[o], row->rho));
            }
        violated += judge(row->n, ROUNDS, row->margin).is == GUIDELINE_VIOLATED;
    }
    printf("# %s: %d of %d rows violated\n", row->name, violated, UNIT_TRIALS);
    if (violated < row->least || violated > row->most)
        fail_msg("%d, not %d to %d", violated, row->least, row->most);
}

/* Of three mock-ups each interval is wider than that of one, so that all three together are
   as sure. */
TEST(more_mock_ups_have_wider_intervals)
{
    struct guideline_ratio alone, among;

    for (int k = 0; k < ROUNDS; k++)
        for (int o = 0; o < 4; o++)
            times()[o * ROOM + k] =
                1e-5 * (o == 0 ? 1 + (k * 7919 % ROUNDS) * 1e-3 : 1);
    alone = judge(2, ROUNDS, 0.05).ratio[1];
    among = judge(4, ROUNDS, 0.05).ratio[1];
    assert_true(alone.has_interval && among.has_interval);
    assert_near(alone.median, among.median, 1e-12);
    assert_true(among.low < alone.low && among.high > alone.high);
}
