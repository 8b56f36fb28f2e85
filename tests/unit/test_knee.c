/* SPDX-License-Identifier: BSD-3-Clause */
/* From where on a curve is another. */
#include "unit.h"

#include "knee.h"

static const struct curve {
    const char *name;
    double figure[8];
    int n, knee;
    double ratio;
} curves[] = {
    { "one figure", { 10 }, 1, 0, 0 },
    { "noise", { 10, 10.5, 9.8, 10.2 }, 4, 0, 0 },
    { "down", { 10, 10, 10, 5, 5 }, 5, 3, 0.5 },
    { "up", { 10, 10, 10, 20, 21 }, 5, 3, 2 },
    { "the larger of two, at its narrowest",
      { 10, 12, 30, 31, 36 },
      5,
      2,
      2.5 },
    { "taken back", { 10, 20, 10, 20 }, 4, 0, 0 },
    { "just enough", { 10, 11.1 }, 2, 1, 1.11 },
    { "not enough", { 10, 10.9 }, 2, 0, 0 },
};

static void knee_is(void **state)
{
    const struct curve *c = *state;
    double ratio = 0;

    assert_int_equal(knee_find(c->figure, c->n, &ratio), c->knee);
    assert_near(ratio, c->ratio, 1e-9);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD_ROWS(&list, curves, knee_is);
    return unit_run("knee", &list);
}
