/* SPDX-License-Identifier: BSD-3-Clause */
/* From which size on MPI's own path is better than copies by hand, or worse. */
#include "unit.h"

#include "report/report_kinds.h"
#include "staging/crossover.h"

enum { SIZES = 5 };

/* Figures of 1, 2, 4, ... bytes, by MPI, staged, and in chunks; 0: no row. */
static const struct planted {
    const char *name;
    const struct report *report;
    double figure[3][SIZES];
    double error; /* of each, relative */
    struct crossover found;
    const char *line;
} cases[] = {
    { "direct is better from 4 on",
      &report_half_round_trip,
      { { 5, 6, 7, 8, 9 }, { 3, 5, 8, 9, 10 } },
      0,
      { 4, 1, true, 5 },
      "# crossover: size=4; direct transfers are faster from here on, staged copies below;"
      "\n" },
    { "direct is better up to 2",
      &report_half_round_trip,
      { { 1, 2, 9, 12, 20 }, { 4, 5, 6, 7, 8 } },
      0,
      { 4, 1, false, 5 },
      "# crossover: size=4; staged copies are faster from here on, direct transfers below;"
      "\n" },
    { "only chunks are better than MPI",
      &report_half_round_trip,
      { { 1, 2, 3, 4, 5 }, { 4, 5, 6, 7, 8 }, { 0, 0, 0, 3, 4 } },
      0,
      { 8, 1, false, 5 },
      "# crossover: size=8; staged copies are faster from here on, direct transfers below;"
      "\n" },
    { "rates are better when larger",
      &report_bandwidth,
      { { 5, 6, 7, 8, 9 }, { 3, 5, 8, 9, 10 } },
      0,
      { 4, 1, false, 5 },
      "# crossover: size=4; staged copies are faster from here on, direct transfers below;"
      "\n" },
    { "direct is better everywhere",
      &report_half_round_trip,
      { { 1, 2, 3, 4, 5 }, { 4, 5, 6, 7, 8 } },
      0,
      { 0, 0, true, 5 },
      "# crossover: none; direct transfers are faster at every size that decides;\n" },
    { "now one, now the other",
      &report_half_round_trip,
      { { 1, 5, 2, 4, 5 }, { 4, 1, 6, 7, 8 } },
      0,
      { 4, 2, true, 5 },
      "# crossover: size=4; direct transfers are faster from here on; below, "
      "the faster one changes (2 changes);\n" },
    { "a size that was not measured does not count",
      &report_half_round_trip,
      { { 1, 5, 2, 4, 5 }, { 4, 0, 6, 7, 8 } },
      0,
      { 0, 0, true, 4 },
      "# crossover: none; direct transfers are faster at every size that decides;\n" },
    { "what the intervals hold does not decide",
      &report_half_round_trip,
      { { 1, 2.1, 1.9, 2.1, 5 }, { 3, 2, 2, 2, 3 } },
      0.05,
      { 16, 1, false, 2 },
      "# crossover: size=16; staged copies are faster from here on, direct transfers below;"
      "\n" },
    { "nothing decides",
      &report_half_round_trip,
      { { 1, 2, 3, 4, 5 }, { 1.05, 2.1, 2.9, 3.9, 5 } },
      0.05,
      { 0, 0, false, 0 },
      "# crossover: none; at no size do they differ by more than their "
      "intervals;\n" },
};

/* Rows as they run: blocks, sizes in any order. */
static struct rows plant(const struct planted *p, bool up)
{
    struct rows rows = { .row = NULL };
    struct stats laps[3 * SIZES];

    for (int o = 0; o < 3; o++)
        for (int i = 0; i < SIZES; i++) {
            const int k = up ? i : SIZES - 1 - i;

            const double figure = p->figure[o][k];
            const double time = figure == 0          ? 0
                                : p->report->is_rate ? 1 / figure
                                                     : figure;

            rows_add(&rows,
                     &(struct row){ .operation = o, .bytes = (size_t)1 << k });
            laps[rows.n - 1] =
                (struct stats){ .median = time,
                                .has_interval = true,
                                .ci_low = (1 - p->error) * time,
                                .ci_high = (1 + p->error) * time };
        }
    rows_complete(&rows);
    for (int i = 0; i < rows.n; i++)
        rows.result[i].over_laps = laps[i];
    return rows;
}

TEST_ROWS(cases, crossover_is)
{
    for (int up = 0; up < 2; up++) {
        struct rows rows = plant(row, up);
        struct crossover found;
        struct unit_text text;

        assert_true(crossover_find(&rows, &found));
        assert_int_equal(found.bytes, row->found.bytes);
        assert_int_equal(found.changes, row->found.changes);
        assert_int_equal(found.direct, row->found.direct);
        unit_text_open(&text);
        crossover_print(text.to, &found);
        unit_text_is(&text, row->line);
        rows_release(&rows);
    }
}

TEST(without_rows_there_is_none)
{
    static const struct planted none = { .report = &report_half_round_trip };
    struct crossover found;
    struct rows rows = plant(&none, true);

    assert_false(crossover_find(&rows, &found));
    rows_release(&rows);
}
