/* SPDX-License-Identifier: BSD-3-Clause */
/* Which hosts are worse than their like: values worked out by hand, equal hosts, and hosts
   that differ by a known factor. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "examination/host_series.h"
#include "unit_random.h"

/* Five values of each of four hosts; those of the last are twice as long. */
static void a_slow_host_is_named_and_no_other(void **state)
{
    static const double value[4][5] = { { 10, 11, 12, 13, 14 },
                                        { 10.5, 11.5, 12.5, 13.5, 14.5 },
                                        { 10.2, 11.2, 12.2, 13.2, 14.2 },
                                        { 20, 22, 24, 26, 28 } };
    struct host_series_list list = { .n = 0 };
    const struct host_values *v;
    char host[8];

    (void)state;
    for (int h = 0; h < 4; h++)
        for (int k = 0; k < 5; k++) {
            snprintf(host, sizeof host, "h%d", h);
            host_series_add(&list, "latency", "us", 0.1, host, value[h][k],
                            value[h][k]);
        }
    host_series_judge(&list);
    assert_int_equal(list.n, 1);
    assert_int_equal(list.tests, 4);
    v = &list.series[0].host[3];
    assert_string_equal(v->host, "h3");
    assert_int_equal(v->is, HOST_WORSE);
    /* 24 to 12.2, the median of 12, 12.5 and 12.2. */
    assert_true(fabs(v->ratio - 24 / 12.2) < 1e-12);
    assert_true(fabs(v->median - 24) < 1e-12);
    /* The largest 5 of 20, on either side, and the first of four in Holm's order. */
    assert_true(fabs(v->p - 4 * 2 / 15504.0) < 1e-12);
    for (int h = 0; h < 3; h++)
        assert_int_equal(list.series[0].host[h].is, HOST_ALIKE);
    host_series_release(&list);
    assert_int_equal(list.n, 0);
}

/* Two values cannot make a test sure.  What is apart by half is listed all the same. */
static void few_values_may_be_chance(void **state)
{
    static const double slow[] = { 1.2, 1.6 };
    static const enum host_is is[] = { HOST_ALIKE, HOST_WORSE_PERHAPS };

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct host_series_list list = { .n = 0 };
        char host[8];

        for (int h = 0; h < 4; h++)
            for (int k = 0; k < 2; k++) {
                snprintf(host, sizeof host, "h%d", h);
                host_series_add(&list, "x", "us", 0.1, host,
                                (h == 2 ? slow[i] : 1) + 0.01 * k, 1);
            }
        host_series_judge(&list);
        assert_int_equal(list.series[0].host[2].is, is[i]);
        assert_int_equal(list.series[0].host[1].is, HOST_ALIKE);
        host_series_release(&list);
    }
}

/* A difference below the margin, and one that is usual among the hosts, are none; nor has a
   host without others a test. */
static void small_differences_are_none(void **state)
{
    static const double of[] = { 1, 1.3, 1.6, 1.9, 2.2 };
    struct host_series_list list = { .n = 0 };
    char host[8];

    (void)state;
    for (int k = 0; k < 8; k++) {
        host_series_add(&list, "near", "us", 0.1, "a", 1 + 0.001 * k, 1);
        host_series_add(&list, "near", "us", 0.1, "b", 1.08 + 0.001 * k, 1);
        host_series_add(&list, "alone", "us", 0.1, "a", 1 + 0.001 * k, 1);
        host_series_add(&list, "not judged", "us", 0, "a", 1, 1);
        host_series_add(&list, "not judged", "us", 0, "b", 9 + 0.001 * k, 1);
        for (int h = 0; h < 5; h++) {
            snprintf(host, sizeof host, "h%d", h);
            host_series_add(&list, "apart", "us", 0.1, host, of[h] + 0.001 * k,
                            1);
        }
    }
    host_series_judge(&list);
    assert_int_equal(list.tests, 7);
    for (size_t i = 0; i < list.n; i++)
        for (size_t h = 0; h < list.series[i].hosts; h++)
            assert_int_equal(list.series[i].host[h].is, HOST_ALIKE);
    host_series_release(&list);
}

/* Lists of 10 hosts with 5 series of 5 values, all of one skewed distribution: 200 tests in
   4 lists are quiet, and of many lists at most one in a hundred has a sure finding. */
static void equal_hosts_make_no_alarm(void **state)
{
    enum { HOSTS = 10, SERIES = 5, RUNS = 5 };
    const int lists = getenv("ALIDADE_LONG") != NULL ? 400 : 40;
    int sure = 0, perhaps = 0;

    (void)state;
    unit_random_state = 7;
    for (int i = 0; i < lists; i++) {
        struct host_series_list list = { .n = 0 };
        bool has_sure = false, has_perhaps = false;

        for (int k = 0; k < HOSTS * SERIES * RUNS; k++) {
            const double cost = 1 - 0.3 * log(1 - unit_uniform());
            char host[8], label[8];

            snprintf(host, sizeof host, "h%d", k % HOSTS);
            snprintf(label, sizeof label, "s%d", k / HOSTS % SERIES);
            host_series_add(&list, label, "us", 0.1, host, cost, cost);
        }
        host_series_judge(&list);
        assert_int_equal(list.tests, HOSTS * SERIES);
        for (size_t s = 0; s < list.n; s++)
            for (size_t h = 0; h < list.series[s].hosts; h++) {
                has_sure |= list.series[s].host[h].is == HOST_WORSE;
                has_perhaps |= list.series[s].host[h].is == HOST_WORSE_PERHAPS;
            }
        sure += has_sure;
        perhaps += has_perhaps;
        assert_true(i >= 4 || !has_sure);
        host_series_release(&list);
    }
    print_message("%d lists of %d tests: sure %d, perhaps %d\n", lists,
                  HOSTS * SERIES, sure, perhaps);
    assert_in_range(sure, 0, lists / 100);
    assert_in_range(perhaps, 0, lists * 5 / 100);
}

/* 200 hosts are more than the exact test takes: the slow one is found, and no other. */
static void many_hosts(void **state)
{
    enum { HOSTS = 200, RUNS = 5, SLOW = 77 };
    struct host_series_list list = { .n = 0 };
    char host[8];

    (void)state;
    unit_random_state = 9;
    for (int k = 0; k < HOSTS * RUNS; k++) {
        const double cost = 1 + 0.05 * unit_uniform();

        snprintf(host, sizeof host, "h%d", k % HOSTS);
        host_series_add(&list, "latency", "us", 0.1, host,
                        k % HOSTS == SLOW ? 1.3 * cost : cost, cost);
    }
    host_series_judge(&list);
    for (int h = 0; h < HOSTS; h++)
        assert_int_equal(list.series[0].host[h].is,
                         h == SLOW ? HOST_WORSE : HOST_ALIKE);
    host_series_release(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_host_is_named_and_no_other),
        cmocka_unit_test(few_values_may_be_chance),
        cmocka_unit_test(small_differences_are_none),
        cmocka_unit_test(equal_hosts_make_no_alarm),
        cmocka_unit_test(many_hosts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
