/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that are read and compared: what is refused, size classes, limits.
 */
#include "unit_series.h"

#include <sys/stat.h>
#include <unistd.h>

#include "comparison/comparison_classes.h"
#include "results/doubtful.h"
#include "results/host_sets.h"
#include "verdicts/acceptance.h"

/* --- Result file ---------------------------------------------------------- */

/* Results that are read: those that are none get one sentence. */

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

TEST(what_is_no_result_gets_one_sentence)
{
    for (size_t i = 0; i < LENGTH(refusals); i++) {
        const struct refused *r = &refusals[i];
        struct result_file d;
        char why[WHY] = "";

        assert_false(result_file_of(&d, "x", r->text, strlen(r->text), why));
        if (strncmp(why, r->why, strlen(r->why)) != 0 || strchr(why, '\n'))
            fail_msg("%s: %s", r->text, why);
    }
}

TEST(a_good_one_is_taken)
{
    static const char text[] = "{" HEAD ",\"rows\":[" ROW "]}";
    struct result_file d;
    char why[WHY], key[100];
    const json_t *row;

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
TEST(a_row_has_one_figure)
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

    for (size_t i = 0; i < LENGTH(rows); i++) {
        json_t *row = json_loads(rows[i].row, 0, NULL);

        assert_non_null(row);
        assert_near(result_row_figure(row), rows[i].figure, 1e-12);
        assert_near(result_row_time(row), rows[i].time, 1e-12 * rows[i].time);
        json_decref(row);
    }
}

/* Whatever a key is made of, it stays within its room. */
TEST(keys_are_cut_to_their_room)
{
    json_t *row =
        json_pack("{s:i, s:s, s:s, s:i, s:i}", "bytes", 65536, "datatype",
                  "MPI_SOMETHING_VERY_LONG_INDEED", "operation",
                  "an operation with a name that is longer than any other one",
                  "window", 64, "ranks", 2);

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

TEST(a_row_that_is_wrong_or_suspect_does_not_count)
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

    for (size_t i = 0; i < LENGTH(rows); i++) {
        json_t *row = json_loads(rows[i].row, 0, NULL);

        assert_non_null(row);
        assert_false(result_row_counts(row));
        assert_string_equal(result_row_fault(row), rows[i].fault);
        json_decref(row);
    }
}

/* Of the runs of a variant half at least, and the reason that most of them give. */
TEST(a_row_is_doubtful_in_half_of_its_runs)
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

TEST(files_that_cannot_be_results_are_not_read)
{
    char folder[] = "/tmp/result_file.XXXXXX", path[200], why[400];
    struct result_file d;
    FILE *to;

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

/* --- Classes -------------------------------------------------------------- */

/* Size classes of a comparison: runs that are made up, in which all rows move
   together and each has noise of its own. */

/* A run has a file of each benchmark: rows of six sizes in each of four classes. */
enum { BENCHMARKS = 2, SIZES = 24, CLASS_ROWS = 6, CLASSES = 4, RUNS = 12 };

/* Sums of three uniform numbers: close to a normal distribution of deviation 1. */
static double noise(void)
{
    return 2 * (unit_uniform() + unit_uniform() + unit_uniform() - 1.5);
}

static size_t bytes_of(size_t row)
{
    static const size_t least[CLASSES] = { 257 - CLASS_ROWS, 512, 16384,
                                           262144 };

    return least[row / CLASS_ROWS] + row % CLASS_ROWS;
}

static void make_file(struct result_file *f, int benchmark)
{
    struct unit_text text;
    char why[WHY], *all;

    unit_text_open(&text);
    fprintf(text.to,
            "{\"suite\":\"Alidade\",\"schema\":2,\"benchmark\":\"b%d\","
            "\"method\":{\"start\":\"library\"},\"environment\":{\"mpi\":\"M\","
            "\"ranks\":2,\"path\":\"p\"},\"exit\":{\"code\":0},\"rows\":[",
            benchmark);
    for (size_t i = 0; i < SIZES; i++)
        fprintf(text.to,
                "%s{\"bytes\":%zu,\"ranks\":2,\"value\":1,\"unit\":\"us\","
                "\"over_iterations\":{\"median_us\":1.0}}",
                i > 0 ? "," : "", bytes_of(i));
    fputs("]}", text.to);
    all = unit_text_close(&text);
    if (!result_file_of(f, "made up", all, strlen(all), why))
        fail_msg("%s", why);
    free(all);
}

static void make(struct variant s[2])
{
    for (int k = 0; k < 2; k++) {
        s[k] = (struct variant){ .name = "" };
        snprintf(s[k].name, sizeof s[k].name, "%s", k == 0 ? "a" : "b");
        s[k].file = calloc((size_t)BENCHMARKS * RUNS, sizeof *s[k].file);
        assert_non_null(s[k].file);
        for (s[k].n = 0; s[k].n < (size_t)BENCHMARKS * RUNS; s[k].n++)
            make_file(&s[k].file[s[k].n], (int)(s[k].n % BENCHMARKS));
    }
}

static void release(struct variant s[2])
{
    variant_release(&s[0]);
    variant_release(&s[1]);
}

static void set_time(const struct result_file *f, size_t row, double us)
{
    json_object_set_new(json_array_get(f->rows, row), "median", json_real(us));
}

static double time_of(const struct result_file *f, size_t row)
{
    return result_row_time(json_array_get(f->rows, row));
}

/* What is made up: how far runs differ and, beyond, rows of a run; how many times as long the
   rows of some classes of the second variant take. */
struct world {
    double of_run, of_row, ratio;
    unsigned classes; /* bit 4 b + k: class k of benchmark b */
};

static void draw(struct variant s[2], const struct world *w)
{
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < s[k].n; i++) {
            const double run = w->of_run * noise();

            for (size_t row = 0; row < SIZES; row++) {
                const unsigned class =
                    CLASSES * (unsigned)(i % BENCHMARKS) + row / CLASS_ROWS;
                const bool planted = k == 1 && (w->classes >> class & 1) != 0;

                set_time(&s[k].file[i], row,
                         (1 + (double)row) * (planted ? w->ratio : 1) *
                             exp(run + w->of_row * noise()));
            }
        }
}

/* The first runs of each, with the margin, as interim analysis number look. */
static struct comparison compare_sizes(const struct variant s[2], size_t runs,
                                       double margin, int look,
                                       struct size_limits sizes)
{
    static struct variant some[2];
    const struct comparison_options how = { .margin = margin,
                                            .sizes = sizes,
                                            .look = look };
    struct comparison c;
    char why[WHY];

    for (int k = 0; k < 2; k++) {
        some[k] = s[k];
        some[k].n = runs * BENCHMARKS;
    }
    if (!comparison_make(&c, &some[0], &some[1], &how, why))
        fail_msg("%s", why);
    return c;
}

static struct comparison compare(const struct variant s[2], size_t runs,
                                 double margin, int look)
{
    const struct size_limits sizes = SIZE_LIMITS_DEFAULT;
    const struct comparison c = compare_sizes(s, runs, margin, look, sizes);

    assert_int_equal(c.classes, BENCHMARKS * CLASSES);
    return c;
}

/* Each row is a class. */
static struct comparison compare_rows(const struct variant s[2], size_t runs)
{
    const struct size_limits each = { .rows = true };
    const struct comparison c = compare_sizes(s, runs, 0.03, 0, each);

    assert_int_equal(c.classes, c.rows);
    return c;
}

static bool is_decided(const struct comparison *c)
{
    const struct verdict_sum sum = comparison_sum_of(c);

    return sum.of[VERDICT_FASTER] + sum.of[VERDICT_SLOWER] > 0;
}

/* Would the first class be called different if each row of each run were a run? */
static bool rows_as_runs_differ(const struct variant s[2], size_t runs)
{
    enum { ALL = RUNS * CLASS_ROWS };
    double time[2][ALL];
    struct verdict v;

    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < runs; i++)
            for (size_t row = 0; row < CLASS_ROWS; row++)
                time[k][i * CLASS_ROWS + row] =
                    time_of(&s[k].file[i * BENCHMARKS], row) /
                    (1 + (double)row);
    v = verdict_of(time[0], runs * CLASS_ROWS, time[1], runs * CLASS_ROWS, 0);
    verdict_settle(&v, 1, 0, verdict_level(0));
    return v.is == VERDICT_FASTER || v.is == VERDICT_SLOWER;
}

enum { COMPARISONS = 200 };

/* At most one in twenty comparisons of what is alike calls any of its eight classes
   different, without a margin; rows that were taken for runs would do so far more often. */
TEST(what_is_alike_is_called_different_as_rarely_as_said)
{
    const struct world alike = { .of_run = 0.05, .of_row = 0.02 };
    struct variant s[2];
    int wrong = 0, as_runs = 0;

    make(s);
    unit_state = 11;
    for (int i = 0; i < COMPARISONS; i++) {
        struct comparison c;

        draw(s, &alike);
        c = compare(s, 8, 0, 0);
        wrong += is_decided(&c);
        as_runs += rows_as_runs_differ(s, 8);
        comparison_release(&c);
    }
    release(s);
    print_message("# alike: %d of %d wrong; rows taken for runs: %d\n", wrong,
                  COMPARISONS, as_runs);
    assert_true(wrong <= COMPARISONS / 20);
    assert_true(wrong > 0);
    assert_true(as_runs > COMPARISONS / 4);
}

/* On the edge of the margin every verdict is wrong, and so is one of any look. */
TEST(looks_at_the_edge_are_wrong_as_rarely_as_said)
{
    const struct world edge = {
        .of_run = 0.02, .of_row = 0.02, .ratio = 1.03, .classes = 0xFF
    };
    struct variant s[2];
    int wrong = 0, both = 0;

    make(s);
    unit_state = 12;
    for (int i = 0; i < COMPARISONS; i++) {
        struct comparison first, second, once;

        draw(s, &edge);
        first = compare(s, 6, 0.03, 1);
        second = compare(s, 12, 0.03, 2);
        once = compare(s, 8, 0.03, 0);
        wrong += is_decided(&once);
        both += is_decided(&first) || is_decided(&second);
        comparison_release(&first);
        comparison_release(&second);
        comparison_release(&once);
    }
    release(s);
    print_message("# on the edge: %d of %d wrong; two looks: %d\n", wrong,
                  COMPARISONS, both);
    assert_true(wrong <= COMPARISONS / 20 && both <= COMPARISONS / 20);
}

/* With eight runs 5 % in all rows of a class is found, where at least half of its rows are
   undecided if each is a class; and no other class is called different. */
TEST(five_percent_of_a_class_are_found_where_rows_are_not)
{
    const struct world planted = {
        .of_run = 0.004, .of_row = 0.014, .ratio = 1.05, .classes = 1 << 5
    };
    struct variant s[2];
    int found = 0, by_class_alone = 0, others = 0;

    make(s);
    unit_state = 13;
    for (int i = 0; i < COMPARISONS; i++) {
        struct comparison c, rows;
        const struct comparison_class *of;
        int undecided = 0;

        draw(s, &planted);
        c = compare(s, 8, 0.03, 0);
        rows = compare_rows(s, 8);
        of = &c.class[5];
        for (size_t row = of->first; row < of->end; row++)
            undecided += rows.class[row].verdict.is == VERDICT_UNDECIDED;
        if (of->verdict.is == VERDICT_SLOWER) {
            found++;
            by_class_alone += 2 * undecided >= CLASS_ROWS;
        }
        comparison_release(&rows);
        for (size_t k = 0; k < c.classes; k++)
            others += k != 5 && (c.class[k].verdict.is == VERDICT_SLOWER ||
                                 c.class[k].verdict.is == VERDICT_FASTER);
        comparison_release(&c);
    }
    release(s);
    print_message(
        "# 5%% in a class: found in %d of %d, in %d of these at least "
        "half of its rows are undecided; other classes: %d\n",
        found, COMPARISONS, by_class_alone, others);
    assert_true(found >= COMPARISONS * 9 / 10);
    assert_true(by_class_alone >= found * 9 / 10);
    assert_true(others <= COMPARISONS / 20);
}

TEST(the_ratio_is_the_geometric_mean_of_the_rows)
{
    const struct world quiet = { .ratio = 1 };
    struct variant s[2];
    struct comparison c;
    double product = 0;

    make(s);
    unit_state = 14;
    draw(s, &quiet);
    for (size_t row = 0; row < CLASS_ROWS; row++) {
        product += log(1 + 0.1 * (double)row) / CLASS_ROWS;
        for (size_t i = 0; i < s[1].n; i += BENCHMARKS)
            set_time(&s[1].file[i], row,
                     (1 + (double)row) * (1 + 0.1 * (double)row));
    }
    c = compare(s, 8, 0.03, 0);
    assert_near(c.class[0].verdict.ratio.value, exp(product), 1e-9);
    assert_near(c.class[1].verdict.ratio.value, 1, 1e-9);
    assert_int_equal(c.class[0].end - c.class[0].first, CLASS_ROWS);
    comparison_release(&c);
    release(s);
}

/* The last three rows of a class take 1.5 times as long, and runs of one variant lack them:
   the class is that of the other rows, and not between the two. */
TEST(a_class_is_judged_by_rows_that_all_runs_have)
{
    const struct world alike = { .of_run = 0.001, .of_row = 0.001, .ratio = 1 };
    struct variant s[2];
    struct comparison c;

    make(s);
    unit_state = 16;
    draw(s, &alike);
    for (size_t i = 0; i < 8; i++)
        for (size_t row = 3; row < CLASS_ROWS; row++) {
            const struct result_file *f = &s[1].file[i * BENCHMARKS];

            set_time(f, row, 1.5 * 1e6 * time_of(f, row));
            if (i < 4)
                json_object_set_new(json_array_get(f->rows, row), "verified",
                                    json_string("fail"));
        }
    c = compare(s, 8, 0.03, 0);
    assert_near(c.row[3].ratio.value, 1.5, 0.01);
    assert_near(c.class[0].verdict.ratio.value, 1, 0.003);
    assert_int_equal(c.class[0].judged, 3);
    assert_int_equal(c.class[0].incomplete, 4);
    assert_int_equal(c.class[1].judged, CLASS_ROWS);
    assert_int_equal(c.class[1].incomplete, 0);
    assert_string_equal(c.class[0].lacking, "made up");
    comparison_release(&c);
    release(s);
}

/* Rows of a class take from 1 to 6 us, and four runs of one variant lack the longest: they
   are no faster for that. */
TEST(a_run_that_lacks_a_row_is_no_faster)
{
    const struct world alike = { .of_run = 0.001, .of_row = 0.001, .ratio = 1 };
    struct variant s[2];
    struct comparison c;

    make(s);
    unit_state = 15;
    draw(s, &alike);
    for (size_t i = 0; i < 4; i++)
        json_object_set_new(
            json_array_get(s[1].file[i * BENCHMARKS].rows, CLASS_ROWS - 1),
            "verified", json_string("fail"));
    c = compare(s, 8, 0.03, 0);
    assert_int_equal(c.class[0].verdict.is, VERDICT_SAME);
    assert_near(c.class[0].verdict.ratio.value, 1, 0.003);
    assert_int_equal(c.class[0].runs[1], 8);
    comparison_release(&c);
    release(s);
}

TEST(sizes_of_classes)
{
    const struct world quiet = { .ratio = 1 };
    struct size_limits limits;
    struct variant s[2];
    struct comparison c;
    char text[CLASS_LABEL];

    assert_null(size_limits_read(&limits, "64,4K"));
    assert_true(limits.n == 2 && limits.limit[0] == 64 &&
                limits.limit[1] == 4096);
    assert_null(size_limits_read(&limits, "rows"));
    assert_true(limits.rows && limits.n == 0);
    assert_non_null(size_limits_read(&limits, "64:4K"));
    assert_non_null(
        size_limits_read(&limits, "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"));
    make(s);
    draw(s, &quiet);
    c = compare(s, 8, 0.03, 0);
    assert_int_equal(c.class[0].end,
                     CLASS_ROWS); /* to 256 bytes, which are last */
    assert_string_equal(comparison_class_label(&c, &c.class[0], text),
                        "to 256B");
    assert_string_equal(comparison_class_label(&c, &c.class[7], text),
                        "above 128KiB");
    assert_string_equal(comparison_class_sizes(&c, 4, 7, text), "");
    assert_string_equal(comparison_class_sizes(&c, 4, 5, text), "to 8KiB");
    assert_string_equal(comparison_class_sizes(&c, 5, 6, text),
                        "above 256B to 128KiB");
    assert_string_equal(comparison_class_sizes(&c, 6, 7, text), "above 8KiB");
    comparison_release(&c);
    c = compare_rows(s, 8);
    assert_string_equal(comparison_class_label(&c, &c.class[0], text),
                        c.row[0].id.key);
    assert_near(c.class[9].verdict.ratio.value, c.row[9].ratio.value, 1e-9);
    assert_string_equal(comparison_class_sizes(&c, 0, SIZES - 1, text), "");
    assert_string_equal(comparison_class_sizes(&c, 6, 6, text), "at 512B");
    assert_string_equal(comparison_class_sizes(&c, 5, 6, text),
                        "from 256B to 512B");
    comparison_release(&c);
    release(s);
}

/* --- Acceptance ----------------------------------------------------------- */

/* Limits held against runs on thousands of hosts: the work grows with the hosts,
   not with their square.  It is counted, not timed. */

enum { HOSTS = 2000, RUNS_EACH = 2, ROWS = 3, LOOKS = 8 };

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

TEST(work_and_memory_grow_with_the_hosts)
{
    static const char first[] = "first", second[] = "second";
    const size_t files = HOSTS * RUNS_EACH + 1;
    struct variant s = { .file = calloc(files, sizeof *s.file) };
    struct host_sets sets;
    struct limits limits;
    size_t room = 0;

    for (int i = 0; i < HOSTS * RUNS_EACH; i++)
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
        assert_int_equal(sets.set[i].of.n, i < HOSTS ? RUNS_EACH : 1);
        room += sets.set[i].of.room;
    }
    assert_int_equal(room, files);
    host_sets_release(&sets);
    free(limits.row);
    variant_release(&s);
}
