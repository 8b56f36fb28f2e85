/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that are read: those that are none get one sentence. */
#define UNIT_OWN_MAIN
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "results/doubtful.h"

#define HEAD                                                                   \
    "\"suite\":\"Alidade\",\"schema\":2,\"benchmark\":\"latency\","            \
    "\"method\":{},\"environment\":{\"mpi\":\"M\"},\"exit\":{}"
#define ROW                                                                    \
    "{\"ranks\":2,\"bytes\":8,\"datatype\":\"MPI_CHAR\",\"value\":0.5,"        \
    "\"unit\":\"us\",\"window\":1,\"over_iterations\":{\"median_us\":0.9}}"

static const struct refused {
    const char *text, *why;
} refusals[] = {
    { "", "x: is not JSON: line 1: " },
    { "{", "x: is not JSON: line 1: " },
    { "[1, 2]", "x: is not a JSON result file of Alidade" },
    { "{}", "x: is not a JSON result file of Alidade" },
    { "{\"suite\":5}", "x: is not a JSON result file of Alidade" },
    { "{\"suite\":\"OSU\"}", "x: is not a JSON result file of Alidade" },
    { "{\"suite\":\"Alidade\",\"comparisons\":[]}",
      "x: is not a JSON result file of Alidade" },
    { "{\"suite\":\"Alidade\",\"schema\":1}",
      "x: was written with schema 1; this version of Alidade reads schema 2 only" },
    { "{\"suite\":\"Alidade\",\"schema\":2}", "x: it names no benchmark" },
    { "{\"suite\":\"Alidade\",\"schema\":2,\"benchmark\":\"../a<b>\"}",
      "x: it names no benchmark" },
    { "{\"suite\":\"Alidade\",\"schema\":2,\"benchmark\":\"bw\"}",
      "x: it has no method or no environment" },
    { "{\"suite\":\"Alidade\",\"schema\":2,\"benchmark\":\"bw\",\"method\":{},"
      "\"environment\":{}}",
      "x: its environment names no MPI" },
    { "{\"suite\":\"Alidade\",\"schema\":2,\"benchmark\":\"bw\",\"method\":{},"
      "\"environment\":{\"mpi\":\"M\"},\"rows\":[]}",
      "x: it has no exit record: the run or the file was cut short" },
    { "{" HEAD "}", "x: it has no rows" },
    { "{" HEAD ",\"rows\":5}", "x: it has no rows" },
    { "{" HEAD ",\"rows\":[5]}", "x: a row is not an object" },
    { "{" HEAD ",\"rows\":[{}]}", "x: a row has no ranks" },
    { "{" HEAD ",\"rows\":[{\"ranks\":2}]}", "x: a row has no value" },
    { "{" HEAD ",\"rows\":[{\"ranks\":2,\"value\":1,\"bytes\":\"8\"}]}",
      "x: the bytes of a row are not a number" },
    { "{" HEAD ",\"rows\":[{\"ranks\":2,\"value\":1,\"datatype\":8}]}",
      "x: the datatype of a row is not a string" },
    { "{" HEAD ",\"rows\":[{\"ranks\":2,\"value\":1,\"operation\":8}]}",
      "x: the operation of a row is not a string" },
    { "{" HEAD ",\"rows\":[{\"ranks\":2,\"value\":1,\"over_iterations\":{}}]}",
      "x: a row has iterations without a median" },
    { "{" HEAD
      ",\"rows\":[{\"ranks\":2,\"value\":1,\"over_iterations\":{\"median_us\":"
      "-1}}]}",
      "x: a row has iterations without a median" },
    { "{" HEAD ",\"rows\":[{\"ranks\":2,\"value\":1}]}",
      "x: a row has no unit" },
    { "{" HEAD ",\"rows\":[" ROW "]} and more", "x: is not JSON: line 1: " },
    { "{" HEAD ",\"rows\":[" ROW, "x: is not JSON: line 1: " },
};

static void check_refusal(void **state)
{
    const struct refused *r = *state;
    struct result_file d;
    char why[WHY] = "";

    assert_false(result_file_of(&d, "x", r->text, strlen(r->text), why));
    assert_memory_equal(why, r->why, strlen(r->why));
    assert_null(strchr(why, '\n'));
}

static void a_good_one_is_taken(void **state)
{
    static const char text[] = "{" HEAD ",\"rows\":[" ROW "]}";
    struct result_file d;
    char why[WHY], key[100];
    const json_t *row;

    (void)state;
    assert_true(result_file_of(&d, "x", text, strlen(text), why));
    assert_string_equal(d.benchmark, "latency");
    row = json_array_get(d.rows, 0);
    assert_true(result_row_counts(row));
    assert_true(result_row_time(row) == 1e-6 * 0.5);
    result_row_key(row, key, sizeof key);
    assert_string_equal(key, "8 MPI_CHAR ranks=2");
    result_file_release(&d);
}

/* What all programs show of a row, and the time that they judge: also of rows from before
   there was a "median". */
static void a_row_has_one_figure(void **state)
{
    static const struct {
        const char *row;
        double figure, time;
    } rows[] = {
#define TIMES(mean, median)                                                    \
    "\"over_ranks\":{\"mean_us\":" #mean                                       \
    "},\"over_iterations\":{\"median_us\":" #median "}"
        { "{\"value\":5,\"median\":4,\"unit\":\"us\"," TIMES(10, 7) "}", 4,
          4e-6 },
        { "{\"value\":5,\"median\":8,\"unit\":\"MB/s\"," TIMES(10, 5) "}", 8,
          1 / 8.0 },
        { "{\"value\":5,\"median\":5,\"unit\":\"s\"}", 5, 5 },
        { "{\"value\":5,\"unit\":\"us\"," TIMES(10, 8) "}", 4, 4e-6 },
        { "{\"value\":5,\"unit\":\"MB/s\"," TIMES(10, 8) "}", 6.25, 1 / 6.25 },
        { "{\"value\":5,\"unit\":\"us\",\"guideline\":{}," TIMES(10, 8) "}", 5,
          5e-6 },
        { "{\"value\":5,\"unit\":\"us\",\"impact\":{}," TIMES(10, 8) "}", 5,
          5e-6 },
        { "{\"value\":5,\"unit\":\"us\",\"over_ranks\":{\"mean_us\":7}}", 5,
          5e-6 },
        { "{\"value\":5,\"unit\":\"s\"}", 5, 5 },
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        json_t *row = json_loads(rows[i].row, 0, NULL);

        assert_non_null(row);
        assert_near(result_row_figure(row), rows[i].figure, 1e-12);
        assert_near(result_row_time(row), rows[i].time, 1e-12 * rows[i].time);
        json_decref(row);
    }
}

/* Whatever a key is made of, it stays within its room. */
static void keys_are_cut_to_their_room(void **state)
{
    json_t *row =
        json_pack("{s:i, s:s, s:s, s:i, s:i}", "bytes", 65536, "datatype",
                  "MPI_SOMETHING_VERY_LONG_INDEED", "operation",
                  "an operation with a name that is longer than any other one",
                  "window", 64, "ranks", 2);

    (void)state;
    for (size_t room = 1; room < 160; room++) {
        char key[160];

        memset(key, '#', sizeof key);
        result_row_key(row, key, room);
        assert_true(memchr(key, '\0', room) != NULL);
        for (size_t i = room; i < sizeof key; i++)
            assert_int_equal(key[i], '#');
    }
    json_decref(row);
}

static void a_row_that_is_wrong_or_suspect_does_not_count(void **state)
{
    static const struct {
        const char *row, *fault;
    } rows[] = {
        { "{\"ranks\":2,\"value\":0.5,\"unit\":\"us\",\"verified\":\"fail\"}",
          "wrong data" },
        { "{\"ranks\":2,\"value\":0.5,\"unit\":\"us\",\"suspect\":[\"x\"]}",
          "suspect" },
        { "{\"ranks\":2,\"value\":0,\"unit\":\"us\"}", "without a value" },
        { "{\"ranks\":2,\"value\":null,\"unit\":\"us\"}", "without a value" },
        { "{\"ranks\":2,\"value\":null,\"unit\":null}", RESULT_ROW_NONE },
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        json_t *row = json_loads(rows[i].row, 0, NULL);

        assert_non_null(row);
        assert_false(result_row_counts(row));
        assert_string_equal(result_row_fault(row), rows[i].fault);
        json_decref(row);
    }
}

/* Of the runs of a variant half at least, and the reason that most of them give. */
static void a_row_is_doubtful_in_half_of_its_runs(void **state)
{
    static const struct {
        const char *runs, *why;
    } rows[] = {
        { "[{}, {}]", NULL },
        { "[{\"doubtful\":[]}]", NULL },
        { "[{\"doubtful\":\"a\"}]", NULL },
        { "[{\"doubtful\":[5, null]}]", NULL },
        { "[{\"doubtful\":[\"a\"]}]", "a" },
        { "[{\"doubtful\":[\"a\"]}, {}]", "a" },
        { "[{\"doubtful\":[\"a\"]}, {}, {}]", NULL },
        { "[{\"doubtful\":[\"a\"]}, {\"doubtful\":[\"b\", \"c\"]},"
          " {\"doubtful\":[\"c\"]}, {}]",
          "c" },
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        json_t *runs = json_loads(rows[i].runs, 0, NULL);
        struct run_row run[4] = { { .row = NULL } };
        const char *why;

        assert_non_null(runs);
        for (size_t k = 0; k < json_array_size(runs); k++)
            run[k].row = json_array_get(runs, k);
        why = doubtful_row(run, json_array_size(runs));
        assert_true((why == NULL) == (rows[i].why == NULL));
        if (why != NULL)
            assert_string_equal(why, rows[i].why);
        json_decref(runs);
    }
}

static void files_that_cannot_be_results_are_not_read(void **state)
{
    char folder[] = "/tmp/result_file.XXXXXX", path[200], why[400];
    struct result_file d;
    FILE *to;

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_false(result_file_read(&d, folder, why));
    assert_non_null(strstr(why, "is not a regular file"));
    snprintf(path, sizeof path, "%s/a.json", folder);
    assert_false(result_file_read(&d, path, why));
    assert_non_null(strstr(why, "No such file"));
    to = fopen(path, "w");
    assert_non_null(to);
    assert_int_equal(fclose(to), 0);
    assert_false(result_file_read(&d, path, why));
    assert_non_null(strstr(why, "is empty"));
    assert_int_equal(truncate(path, (off_t)1 << 33), 0); /* a hole */
    assert_false(result_file_read(&d, path, why));
    assert_non_null(
        strstr(why, "has 8589934592 bytes; no result file has more"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    struct unit_list list = { .n = 0 };
    char name[LENGTH(refusals)][24];

    for (size_t i = 0; i < LENGTH(refusals); i++) {
        snprintf(name[i], sizeof name[i], "refusal %zu", i);
        unit_add(name[i], check_refusal, (void *)(size_t)&refusals[i]);
    }
    UNIT_ADD(&list, a_good_one_is_taken);
    UNIT_ADD(&list, a_row_has_one_figure);
    UNIT_ADD(&list, keys_are_cut_to_their_room);
    UNIT_ADD(&list, a_row_that_is_wrong_or_suspect_does_not_count);
    UNIT_ADD(&list, a_row_is_doubtful_in_half_of_its_runs);
    UNIT_ADD(&list, files_that_cannot_be_results_are_not_read);
    return unit_run("result_file", &list);
}
