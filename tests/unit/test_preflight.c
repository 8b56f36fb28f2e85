/* SPDX-License-Identifier: BSD-3-Clause */
/* What where finds on several hosts: who is named, and how many hosts have it. */
#include "unit.h"

#include "where/preflight.h"

enum { RANKS = 6, HOSTS = 3 };

/* Ranks 0, 1, 2, 0, 1, 2 of hosts h0, h1, h2, where nothing is wrong. */
struct ranks {
    struct preflight found[RANKS];
    struct environment_rank of[RANKS];
    struct environment environment;
    unsigned char bad_on[RANKS];
    struct finding finding[FINDINGS];
};

static void begin(struct ranks *r)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < RANKS; i++) {
        r->found[i] = (struct preflight){ .shm_free = 1e12,
                                          .memlock = INFINITY,
                                          .can_lock = true,
                                          .vm_error = PREFLIGHT_ALONE,
                                          .cpus = 2,
                                          .usable = 4,
                                          .ranks = RANKS / HOSTS,
                                          .threads = 1 };
        r->of[i].node = i % HOSTS;
        snprintf(r->of[i].host, sizeof r->of[i].host, "h%d", i % HOSTS);
    }
    r->environment.rank = r->of;
    r->environment.nranks = RANKS;
}

static void judge(struct ranks *r)
{
    preflight_judge(r->found, RANKS, &r->environment, r->bad_on, r->finding);
}

TEST(nothing_is_wrong)
{
    struct ranks r;

    begin(&r);
    judge(&r);
    for (int k = 0; k < FINDING_HWLOC; k++) {
        assert_false(r.finding[k].bad);
        assert_int_equal(r.finding[k].nodes, 0);
    }
    assert_string_equal(r.finding[FINDING_MEMLOCK].word, "ok");
}

/* Two ranks of h1 and one of h2: two hosts, and the first rank is named. */
TEST(hosts_are_counted_once)
{
    const struct finding *memlock;
    struct ranks r;

    begin(&r);
    r.found[1].can_lock = r.found[4].can_lock = r.found[5].can_lock = false;
    r.found[1].memlock = r.found[4].memlock = r.found[5].memlock = 65536;
    judge(&r);
    memlock = &r.finding[FINDING_MEMLOCK];
    assert_true(memlock->bad);
    assert_int_equal(memlock->nodes, 2);
    assert_string_equal(memlock->why, "a rank cannot lock memory; rank=1; "
                                      "limit=66 KB; tried=67109 KB; host=h1; "
                                      "hosts with it=2 of 3;");
    assert_int_equal(r.bad_on[0], 0);
    assert_int_equal(r.bad_on[1], 1 << FINDING_MEMLOCK);
    assert_int_equal(r.bad_on[2], 1 << FINDING_MEMLOCK);
}

TEST(findings_are_apart)
{
    struct ranks r;

    begin(&r);
    r.found[0].shm_free = 1.5 * PREFLIGHT_SHARED; /* for one of two ranks */
    r.found[2].threads = 3;
    judge(&r);
    assert_int_equal(r.finding[FINDING_SHM].nodes, 1);
    assert_int_equal(r.finding[FINDING_THREADS].nodes, 1);
    assert_non_null(strstr(r.finding[FINDING_THREADS].why, "host=h2;"));
    assert_int_equal(r.bad_on[0], 1 << FINDING_SHM);
    assert_int_equal(r.bad_on[2], 1 << FINDING_THREADS);
}
