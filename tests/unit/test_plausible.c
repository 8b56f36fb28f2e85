/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures that cannot be, and those that can. */
#include "unit.h"

#include "report/plausible.h"

static const struct clock_facts clock_25ns = { "clock", 1e-9, 25e-9, 30e-9 };
static const struct clock_facts clock_1us = { "clock", 1e-6, 25e-9, 30e-9 };

static const struct doubt_row {
    const char *name;
    double lap_us, payload; /* payload < 0: a latency of 1 MB */
    const struct clock_facts *clock;
    double copy, link; /* GB/s */
    unsigned suspect;
} doubt_rows[] = {
    { "an ordinary latency", 100, -1, &clock_25ns, 20, 0, 0 },
    { "an ordinary bandwidth", 100, 1e6, &clock_25ns, 20, 12.5, 0 },
    { "nothing is known of the machine", 1, 1e6, &clock_25ns, 0, 0, 0 },
    { "NaN", NAN, -1, &clock_25ns, 20, 0, SUSPECT_NO_NUMBER },
    { "infinite", HUGE_VAL, 1e6, &clock_25ns, 20, 0, SUSPECT_NO_NUMBER },
    { "negative", -3, -1, &clock_25ns, 20, 0, SUSPECT_NO_NUMBER },
    { "zero", 0, 1e6, &clock_25ns, 20, 0, SUSPECT_NO_NUMBER },
    { "one step of a coarse clock", 1, -1, &clock_1us, 0, 0, SUSPECT_CLOCK },
    { "many steps of it", 100, -1, &clock_1us, 0, 0, 0 },
    { "faster than the link", 60, 1e6, &clock_25ns, 20, 12.5, SUSPECT_LINK },
    { "a little faster: links have headroom", 70, 1e6, &clock_25ns, 20, 12.5,
      0 },
    { "faster than memory", 30, 1e6, &clock_25ns, 20, 0, SUSPECT_MEMORY },
    { "a latency faster than both", 30, -1, &clock_25ns, 20, 12.5,
      SUSPECT_LINK | SUSPECT_MEMORY },
};

TEST_ROWS(doubt_rows, doubt_is)
{
    const struct plausible_limits limits = { 1e9 * row->copy, 1e9 * row->link,
                                             0 };
    const struct result r = {
        .moved = 1000000,
        .mean = 1e-6 * row->lap_us,
        .scale = 1,
        .is_rate = row->payload >= 0,
        .payload = row->payload,
        .stride = 1,
        .over_laps = { .n = 10, .median = 1e-6 * row->lap_us },
    };

    assert_int_equal(plausible_check(&r, row->clock, &limits), row->suspect);
}

TEST(a_bandwidth_is_a_share_of_its_limit)
{
    const struct plausible_limits half = { .link = 25e9, .best = 12.5e9 };
    const struct plausible_limits none = { .link = 25e9 };
    /* 10 GB/s */
    struct result r = { .mean = 1e-4, .payload = 1e6, .is_rate = true };

    assert_near(plausible_share(&r, &half), 0.8, 1e-12);
    assert_true(isnan(plausible_share(&r, &none)));
    /* What is printed may be another than the mean. */
    r.own_headline = true;
    r.headline_s = 2e-4;
    assert_near(plausible_share(&r, &half), 0.4, 1e-12);
    r.is_rate = false;
    assert_true(isnan(plausible_share(&r, &half)));
}

TEST(gpu_pending_work_is_doubted_once_it_is_certain)
{
    const struct plausible_limits none = { 0 };
    struct result r = { .mean = 1e-6,
                        .scale = 1,
                        .gpu = { true, 1e-3, false } };

    assert_int_equal(plausible_check(&r, &clock_25ns, &none), 0);
    r.gpu.certain = true;
    assert_int_equal(plausible_check(&r, &clock_25ns, &none),
                     SUSPECT_UNFINISHED);
}

TEST(a_clock_that_stepped_back_is_doubted)
{
    const struct plausible_limits none = { 0 };
    struct result r = { .mean = 1e-6, .scale = 1, .stepped = true };

    assert_int_equal(plausible_check(&r, &clock_25ns, &none), SUSPECT_STEP);
    r.mean = -1e-6;
    assert_int_equal(plausible_check(&r, &clock_25ns, &none),
                     SUSPECT_STEP | SUSPECT_NO_NUMBER);
}

TEST(words_name_every_reason)
{
    char text[200];

    assert_string_equal(plausible_words(0, text, sizeof text), "");
    assert_string_equal(
        plausible_words(SUSPECT_CLOCK | SUSPECT_MEMORY, text, sizeof text),
        "shorter than the clock can resolve, faster than the ranks can copy");
    assert_true(plausible_is_nonsense(SUSPECT_NO_NUMBER | SUSPECT_CLOCK));
    assert_false(plausible_is_nonsense(SUSPECT_CLOCK | SUSPECT_LINK));
    /* Too little room cuts, and does not overrun. */
    plausible_words(15, text, 10);
    assert_int_equal(strlen(text), 9);
}
