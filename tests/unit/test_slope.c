/* SPDX-License-Identifier: BSD-3-Clause */
/* What an entry of a queue costs: the slope of points with intervals. */
#include "unit.h"

#include "queues/slope.h"

enum { POINTS = 5 };

static const struct line {
    const char *name;
    struct slope_point point[POINTS];
    int n;
    bool found;
    double value, half_width;
} lines[] = {
    { "a line of known points has their own uncertainty",
      { { 0, 1, 0.1 }, { 2, 2, 0.1 }, { 4, 3, 0.1 } },
      3,
      true,
      0.5,
      0.035355339059327376 },
    { "the order of the points does not count",
      { { 4, 3, 0.1 }, { 0, 1, 0.1 }, { 2, 2, 0.1 } },
      3,
      true,
      0.5,
      0.035355339059327376 },
    /* Residuals 0.5, -1, 0.5: 1.5 / 1 / 8, times t of one degree. */
    { "what is no line is wide",
      { { 0, 1, 0.01 }, { 2, 1, 0.01 }, { 4, 4, 0.01 } },
      3,
      true,
      0.75,
      5.50194804360672 },
    { "points without an interval have what they scatter",
      { { 0, 1, 0 }, { 2, 1, 0 }, { 4, 4, 0 } },
      3,
      true,
      0.75,
      5.50194804360672 },
    { "an exact line without intervals",
      { { 0, 1, 0 }, { 2, 2, 0 } },
      2,
      true,
      0.5,
      0 },
    /* Weights 100, 1, 100: the point between is 200 / 201 above the line. */
    { "a point counts by its interval",
      { { 0, 0, 0.1 }, { 1, 2, 1 }, { 2, 2, 0.1 } },
      3,
      true,
      1,
      0.8962265804862579 },
    /* As the row above, where an error of 1 was known. */
    { "a point without an interval counts as little as the worst",
      { { 0, 0, 0.1 }, { 1, 2, 0 }, { 2, 2, 0.1 }, { 1, 2, 1 } },
      4,
      true,
      1,
      0.30273358964788094 },
    { "one point has no slope", { { 3, 1, 0.1 } }, 1, false, 0, 0 },
    { "nor have several at one place",
      { { 3, 1, 0.1 }, { 3, 2, 0.1 } },
      2,
      false,
      0,
      0 },
};

TEST_ROWS(lines, has_its_slope)
{
    struct slope slope;

    assert_int_equal(slope_of(row->point, row->n, &slope), row->found);
    if (!row->found)
        return;
    assert_near(slope.value, row->value, 1e-12);
    assert_near(slope.half_width, row->half_width, 1e-12);
}
