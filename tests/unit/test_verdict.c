/* SPDX-License-Identifier: BSD-3-Clause */
/* Faster, slower, same or undecided: by runs that are made up. */
#define UNIT_OWN_MAIN
#include "unit.h"

#include <math.h>

#include "unit_random.h"
#include "verdicts/verdict.h"

/* Launches whose times spread by so much around the middle, on a logarithmic scale. */
static void runs(double *time, size_t n, double middle, double spread)
{
    for (size_t i = 0; i < n; i++)
        time[i] = middle * exp(spread * (unit_uniform() + unit_uniform() - 1));
}

/* Verdicts at the level of runs that are compared once. */
static void settle(struct verdict *j, size_t n, double margin)
{
    verdict_settle(j, n, margin, verdict_level(0));
}

/* Of 300 comparisons of n runs a side: how many have each verdict, as one of so
   many rows that are otherwise alike? */
static void count(double ratio, double spread, size_t n, size_t rows,
                  int found[VERDICT_SLOWER + 1])
{
    enum { COMPARISONS = 300, MOST = 64 };

    for (int v = 0; v <= VERDICT_SLOWER; v++)
        found[v] = 0;
    for (int i = 0; i < COMPARISONS; i++) {
        struct verdict j[MOST];
        double a[MOST], b[MOST];

        for (size_t row = 0; row < rows; row++) {
            runs(a, n, 1, spread);
            runs(b, n, row == 0 ? ratio : 1, spread);
            j[row] = verdict_of(a, n, b, n, 0.03);
        }
        settle(j, rows, 0.03);
        found[j[0].is]++;
    }
}

static void ten_percent_are_found_and_three_are_not(void **state)
{
    int found[VERDICT_SLOWER + 1];

    (void)state;
    unit_random_state = 1;
    count(1.10, 0.04, 8, 20, found);
    assert_true(found[VERDICT_SLOWER] >= 295 && found[VERDICT_FASTER] == 0);
    count(1 / 1.10, 0.04, 8, 20, found);
    assert_true(found[VERDICT_FASTER] >= 295 && found[VERDICT_SLOWER] == 0);
    count(1.03, 0.04, 8, 20, found);
    assert_true(found[VERDICT_SLOWER] <= 3 && found[VERDICT_FASTER] == 0);
}

static void what_is_alike_is_not_told_apart(void **state)
{
    int found[VERDICT_SLOWER + 1];

    (void)state;
    unit_random_state = 2;
    count(1, 0.3, 8, 1, found);
    assert_true(found[VERDICT_SLOWER] + found[VERDICT_FASTER] <= 15);
    count(1, 0.01, 8, 20, found);
    assert_true(found[VERDICT_SAME] >= 295);
}

static void too_few_launches_decide_nothing(void **state)
{
    const double a[] = { 1, 1.001, 0.999 }, b[] = { 2, 2.001, 1.999 };
    struct verdict j;

    (void)state;
    j = verdict_of(a, 3, b, 3, 0.03);
    assert_false(j.ratio.has_interval);
    settle(&j, 1, 0.03);
    assert_int_equal(j.is, VERDICT_UNDECIDED);
    assert_int_equal(j.further, 1); /* four of each: p = 0.029 */
    assert_true(fabs(j.ratio.value - 2) < 0.01);
    assert_true(j.superiority == 1);
}

/* With so many more runs it is mostly decided, and with a quarter of them it is
   not. */
static void further_launches_are_as_many_as_it_takes(void **state)
{
    enum { FEW = 6, MOST = 120 };
    const double ratio = 1.08;
    int promised = 0, n = 0, decided = 0, early = 0;

    (void)state;
    unit_random_state = 3;
    for (int i = 0; i < 300; i++) {
        double a[MOST], b[MOST];
        struct verdict j;

        runs(a, MOST, 1, 0.12);
        runs(b, MOST, ratio, 0.12);
        j = verdict_of(a, FEW, b, FEW, 0.03);
        settle(&j, 1, 0.03);
        if (j.is == VERDICT_UNDECIDED && j.further > 0) {
            promised += j.further;
            n++;
        }
    }
    assert_true(n > 100);
    for (int i = 0; i < 300; i++) {
        const size_t all = (size_t)(FEW + promised / n), some = FEW + 1;
        double a[MOST], b[MOST];
        struct verdict j;

        runs(a, all, 1, 0.12);
        runs(b, all, ratio, 0.12);
        j = verdict_of(a, all, b, all, 0.03);
        settle(&j, 1, 0.03);
        decided += j.is == VERDICT_SLOWER;
        j = verdict_of(a, some, b, some, 0.03);
        settle(&j, 1, 0.03);
        early += j.is == VERDICT_SLOWER;
    }
    assert_true(decided > 150 && early < decided / 2);
}

/* The interval is far beyond the margin, but one run is where the others are not, and
   there are many rows: p is what is missing. */
static void stray_launches_among_many_rows_take_more(void **state)
{
    enum { ROWS = 150, N = 12 };
    double a[N], b[N];
    struct verdict j[ROWS];

    (void)state;
    unit_random_state = 4;
    for (int i = 0; i < ROWS; i++) {
        runs(a, N, 1, 0.04);
        runs(b, N, i == 0 ? 1.4 : 1, 0.04);
        if (i == 0)
            a[3] = a[7] = a[9] = 3;
        j[i] = verdict_of(a, N, b, N, 0.03);
    }
    settle(j, ROWS, 0.03);
    assert_int_equal(j[0].is, VERDICT_UNDECIDED);
    assert_true(j[0].ratio.has_interval && j[0].ratio.low > 1.03);
    /* p = 0.015 by itself is 2.4 deviations, 0.05 / 150 takes 3.6. */
    assert_true(j[0].further >= 8 && j[0].further <= 30);
}

static void a_ratio_on_the_edge_of_the_margin_takes_too_many(void **state)
{
    const double a[] = { 1, 1.01, 0.99, 1.02, 0.98 },
                 b[] = { 1.031, 1.041, 1.021, 1.051, 1.011 };
    struct verdict j;

    (void)state;
    j = verdict_of(a, 5, b, 5, 0.03);
    settle(&j, 1, 0.03);
    assert_int_equal(j.is, VERDICT_UNDECIDED);
    assert_int_equal(j.further, -1);
}

/* At the edge of the margin every verdict is wrong.  Looks at 5, 10 and 20 runs that stop
   at the first verdict: how many of so many are wrong, by the level of the look or not? */
static int wrong_ones(bool by_look)
{
    enum { SEQUENCES = 500, MOST = 20, LEAST = 5 };
    int wrong = 0;

    unit_random_state = 5;
    for (int i = 0; i < SEQUENCES; i++) {
        double a[MOST], b[MOST];
        int look = 1;

        runs(a, MOST, 1, 0.07);
        runs(b, MOST, 1.03, 0.07);
        for (size_t n = LEAST; n <= MOST; n *= 2, look++) {
            struct verdict j;

            j = verdict_of(a, n, b, n, 0.03);
            verdict_settle(&j, 1, 0.03, verdict_level(by_look ? look : 0));
            if (j.is != VERDICT_UNDECIDED) {
                wrong++;
                break;
            }
        }
    }
    return wrong;
}

static void looks_together_are_wrong_as_rarely_as_one(void **state)
{
    const int one_level = wrong_ones(false), by_look = wrong_ones(true);

    (void)state;
    assert_true(by_look <= 12);
    assert_true(one_level >= 2 * by_look);
}

static void a_look_has_its_level(void **state)
{
    /* All of one beyond all of the other, the margin too: p = 2 / 252 at best. */
    const double a[] = { 1, 1.01, 1.02, 1.03, 1.04 },
                 b[] = { 2, 2.01, 2.02, 2.03, 2.04 };
    struct verdict j;

    (void)state;
    assert_true(verdict_level(0) == 0.05 && verdict_level(1) == 0.025 &&
                verdict_level(2) == 0.0125);
    for (int look = 0; look <= 3; look++) {
        j = verdict_of(a, 5, b, 5, 0.03);
        verdict_settle(&j, 1, 0.03, verdict_level(look));
        assert_int_equal(j.is, look <= 2 ? VERDICT_SLOWER : VERDICT_UNDECIDED);
        assert_true(verdict_can_tell(&j, 1, verdict_level(look)) ==
                    (look <= 2));
    }
    assert_int_equal(j.further, 1);
    /* The same within the margin: at a level that five runs cannot have, it is open. */
    for (int look = 0; look <= 3; look += 3) {
        j = verdict_of(a, 5, a, 5, 0.10);
        verdict_settle(&j, 1, 0.10, verdict_level(look));
        assert_int_equal(j.is, look == 0 ? VERDICT_SAME : VERDICT_UNDECIDED);
    }
}

static void without_an_interval_further_launches_are_up_to_four(void **state)
{
    const double a[] = { 1, 1 }, same[] = { 1, 1 };
    struct verdict j;

    (void)state;
    j = verdict_of(a, 2, same, 2, 0.03);
    settle(&j, 1, 0.03);
    assert_false(j.ratio.has_interval);
    assert_int_equal(j.further, 2);
}

static void words(void **state)
{
    (void)state;
    assert_string_equal(verdict_word(VERDICT_FASTER), "faster");
    assert_string_equal(verdict_word(VERDICT_SLOWER), "slower");
    assert_string_equal(verdict_word(VERDICT_SAME), "same");
    assert_string_equal(verdict_word(VERDICT_UNDECIDED), "undecided");
}

int main(void)
{
    struct unit_list list = { .n = 0 };

    UNIT_ADD(&list, ten_percent_are_found_and_three_are_not);
    UNIT_ADD(&list, what_is_alike_is_not_told_apart);
    UNIT_ADD(&list, too_few_launches_decide_nothing);
    UNIT_ADD(&list, further_launches_are_as_many_as_it_takes);
    UNIT_ADD(&list, stray_launches_among_many_rows_take_more);
    UNIT_ADD(&list, a_ratio_on_the_edge_of_the_margin_takes_too_many);
    UNIT_ADD(&list, looks_together_are_wrong_as_rarely_as_one);
    UNIT_ADD(&list, a_look_has_its_level);
    UNIT_ADD(&list, without_an_interval_further_launches_are_up_to_four);
    UNIT_ADD(&list, words);
    return unit_run("judgement", &list);
}
