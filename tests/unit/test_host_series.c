/* SPDX-License-Identifier: BSD-3-Clause */
/* Which hosts are worse than their like: values worked out by hand, equal hosts, and hosts
   that differ by a known factor. */
#define UNIT_OWN_MAIN
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
    char host[16];

    (void)state;
    for (int h = 0; h < 4; h++)
        for (int k = 0; k < 5; k++) {
            snprintf(host, sizeof host, "h%d", h);
            host_series_add(&list, "latency", "us", 0.1, host, value[h][k],
                            value[h][k]);
        }
    host_series_judge(&list);
    assert_int_equal(list.n, 1);
    v = &list.series[0].host[3];
    assert_string_equal(v->host, "h3");
    assert_true(v->worse);
    assert_int_equal(v->named, 5);
    /* The median of 12, 12.5, 12.2 and 24 is 12.35. */
    assert_true(fabs(v->ratio - 24 / 12.35) < 1e-12);
    assert_true(fabs(v->median - 24) < 1e-12);
    for (int h = 0; h < 3; h++)
        assert_int_equal(list.series[0].host[h].named, 0);
    host_series_release(&list);
    assert_int_equal(list.n, 0);
}

/* Of four hosts, or fewer, one is twice as slow in the first runs only. */
static void most_runs_must_name_it(void **state)
{
    static const struct {
        int hosts, runs, slow;
        bool worse, decides;
    } row[] = { { 4, 4, 4, false, false }, { 4, 5, 5, true, true },
                { 4, 6, 5, true, true },   { 4, 7, 5, false, true },
                { 3, 5, 5, true, true },   { 2, 8, 8, false, false } };

    (void)state;
    for (size_t i = 0; i < LENGTH(row); i++) {
        struct host_series_list list = { .n = 0 };
        char host[16];

        for (int h = 0; h < row[i].hosts; h++)
            for (int k = 0; k < row[i].runs; k++) {
                snprintf(host, sizeof host, "h%d", h);
                host_series_add(&list, "x", "us", 0.1, host,
                                (h == 1 && k < row[i].slow ? 2 : 1) + 0.01 * k,
                                1);
            }
        host_series_judge(&list);
        assert_int_equal(list.series[0].host[1].worse, row[i].worse);
        assert_int_equal(host_series_decides(&list.series[0]), row[i].decides);
        assert_false(list.series[0].host[0].worse);
        host_series_release(&list);
    }
}

/* A difference below the margin, and one that is usual among the hosts, are none; nor has a
   host without others a test. */
static void small_differences_are_none(void **state)
{
    static const double of[] = { 1, 1.3, 1.6, 1.9, 2.2 };
    struct host_series_list list = { .n = 0 };
    char host[16];

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
    for (size_t i = 0; i < list.n; i++)
        for (size_t h = 0; h < list.series[i].hosts; h++)
            assert_false(list.series[i].host[h].worse);
    host_series_release(&list);
}

/* Lists of 10 hosts with 5 series of 5 to 9 values, all of one skewed distribution: no list
   has a finding. */
static void equal_hosts_make_no_alarm(void **state)
{
    enum { HOSTS = 10, SERIES = 5, LISTS = 400 };
    int found = 0;

    (void)state;
    unit_random_state = 7;
    for (int i = 0; i < LISTS; i++) {
        struct host_series_list list = { .n = 0 };
        const int runs = 5 + i % 5;
        bool has = false;

        for (int k = 0; k < HOSTS * SERIES * runs; k++) {
            const double cost = 1 - 0.3 * log(1 - unit_uniform());
            char host[16], label[16];

            snprintf(host, sizeof host, "h%d", k % HOSTS);
            snprintf(label, sizeof label, "s%d", k / HOSTS % SERIES);
            host_series_add(&list, label, "us", 0.1, host, cost, cost);
        }
        host_series_judge(&list);
        for (size_t s = 0; s < list.n; s++)
            for (size_t h = 0; h < list.series[s].hosts; h++)
                has |= list.series[s].host[h].worse;
        found += has;
        host_series_release(&list);
    }
    print_message("%d lists of equal hosts: %d with a finding\n", LISTS, found);
    assert_int_equal(found, 0);
}

/* Of 200 hosts the slow one is found, and no other. */
static void many_hosts(void **state)
{
    enum { HOSTS = 200, RUNS = 5, SLOW = 77 };
    struct host_series_list list = { .n = 0 };
    char host[16];

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
        assert_int_equal(list.series[0].host[h].worse, h == SLOW);
    host_series_release(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_host_is_named_and_no_other),
        cmocka_unit_test(most_runs_must_name_it),
        cmocka_unit_test(small_differences_are_none),
        cmocka_unit_test(equal_hosts_make_no_alarm),
        cmocka_unit_test(many_hosts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
