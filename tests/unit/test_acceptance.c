/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits held against runs on thousands of hosts: the work grows with the hosts, not with
   their square.  It is counted, not timed. */
#define UNIT_OWN_MAIN
#include "unit.h"

#include <unistd.h>

#include "results/host_sets.h"
#include "verdicts/acceptance.h"

enum { HOSTS = 2000, RUNS = 2, ROWS = 3, LOOKS = 8 };

/* How often a row was looked for among the rows of a set of hosts. */
static size_t looks;

size_t __real_limit_runs(const struct limit *l, const struct row_table *t);
size_t __wrap_limit_runs(const struct limit *l, const struct row_table *t);

size_t __wrap_limit_runs(const struct limit *l, const struct row_table *t)
{
    looks++;
    return __real_limit_runs(l, t);
}

/* A run on that host, of so many rows. */
static void add_run(struct variant *s, int host, int rows, const char *folder)
{
    static const char row[] =
        "{\"ranks\":2,\"bytes\":%d,\"value\":3,\"unit\":\"us\","
        "\"verified\":\"pass\",\"over_ranks\":{\"mean_us\":3},"
        "\"over_iterations\":{\"median_us\":3}}";
    char text[2000], why[WHY];
    int at = snprintf(
        text, sizeof text,
        "{\"suite\":\"Alidade\",\"schema\":2,\"benchmark\":\"latency\","
        "\"method\":{},\"environment\":{\"mpi\":\"M\",\"ranks\":2,"
        "\"rank\":[{\"host\":\"n%04d\"},{\"host\":\"n%04d\"}]},\"rows\":[",
        host, host);

    for (int i = 0; i < rows; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "%s",
                       i > 0 ? "," : "");
        at += snprintf(text + at, sizeof text - (size_t)at, row, 1 << i);
    }
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "],\"exit\":{\"code\":0}}");
    if (!result_file_of(&s->file[s->n], "made up", text, (size_t)at, why))
        fail_msg("%s", why);
    s->file[s->n++].folder = folder;
}

/* Rows that all runs keep by far. */
static struct limits limits_of(const struct variant *s)
{
    const struct may_differ none = { .n = 0 };
    struct limits limits = { .row = calloc(ROWS, sizeof *limits.row) };
    struct row_table table;

    row_table_make(&table, s, 1, &none);
    assert_int_equal(table.rows, ROWS);
    for (; limits.rows < table.rows; limits.rows++)
        limits.row[limits.rows] =
            (struct limit){ .id = table.row[limits.rows].id, .figure = 1000 };
    row_table_release(&table);
    return limits;
}

/* What acceptance_print returns; its table is not of interest. */
static size_t held(const struct limits *limits, const struct variant *s)
{
    const int out = dup(STDOUT_FILENO);
    size_t bad;

    fflush(stdout);
    assert_non_null(freopen("/dev/null", "w", stdout));
    looks = 0;
    bad = acceptance_print(limits, "limits.json", s);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    return bad;
}

static void work_and_memory_grow_with_the_hosts(void **state)
{
    static const char first[] = "first", second[] = "second";
    const size_t files = HOSTS * RUNS + 1;
    struct variant s = { .file = calloc(files, sizeof *s.file) };
    struct host_sets sets;
    struct limits limits;
    size_t room = 0;

    (void)state;
    for (int i = 0; i < HOSTS * RUNS; i++)
        /* The last host lacks rows. */
        add_run(&s, i % HOSTS, i % HOSTS == HOSTS - 1 ? 1 : ROWS, first);
    limits = limits_of(&s);
    assert_int_equal(held(&limits, &s), ROWS - 1);
    assert_true(looks > 0 && looks <= LOOKS * ROWS * HOSTS);
    add_run(&s, HOSTS - 1, 0, second);
    host_sets_make(&sets, &s);
    assert_int_equal(sets.n, HOSTS + 1);
    assert_int_equal(sets.sizes, 1);
    assert_int_equal(sets.set[HOSTS].alike, HOSTS - 1);
    assert_int_equal(sets.set[HOSTS - 1].alike, HOSTS);
    assert_int_equal(sets.set[7].alike, 7);
    for (size_t i = 0; i < sets.n; i++) {
        assert_int_equal(sets.set[i].of.n, i < HOSTS ? RUNS : 1);
        room += sets.set[i].of.room;
    }
    assert_int_equal(room, files);
    host_sets_release(&sets);
    free(limits.row);
    variant_release(&s);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD(&list, work_and_memory_grow_with_the_hosts);
    return unit_run("acceptance", &list);
}
