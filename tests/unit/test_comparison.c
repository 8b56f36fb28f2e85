/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results that are read and compared: what is refused, size classes, limits.
 */
#include "unit_series.h"

#include <sys/stat.h>
#include <unistd.h>

#include "comparison/comparison_classes.h"
#include "verdicts/limits.h"

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

/* A run for each word: its row has these reasons. */
static const char *doubt_of_runs(const char *const *reasons, char text[100])
{
    const struct may_differ none = { .n = 0 };
    struct result_file file[4];
    struct variant s = { .name = "s", .file = file };
    struct row_table t;
    char why[WHY];

    for (; reasons[s.n] != NULL; s.n++) {
        char *all;

        assert_true(asprintf(&all, "{" HEAD ",\"rows\":[{\"doubtful\":%s,%s]}",
                             reasons[s.n], &ROW[1]) > 0);
        assert_true(result_file_of(&file[s.n], "x", all, strlen(all), why));
        free(all);
    }
    row_table_make(&t, &s, 1, &none);
    assert_int_equal(t.rows, 1);
    assert_int_equal(t.row[0].cell[0].runs, s.n);
    snprintf(text, 100, "%s",
             t.row[0].cell[0].doubtful != NULL ? t.row[0].cell[0].doubtful
                                               : "");
    row_table_release(&t);
    for (size_t i = 0; i < s.n; i++)
        result_file_release(&file[i]);
    return text;
}

/* Of the runs of a variant half at least, and the reason that most of them give. */
TEST(a_row_is_doubtful_in_half_of_its_runs)
{
    static const struct {
        const char *runs[5], *why;
    } rows[] = {
        { { "[]", "[]" }, "" },
        { { "\"a\"" }, "" },
        { { "[5, null]" }, "" },
        { { "[\"a\"]" }, "a" },
        { { "[\"a\"]", "[]" }, "a" },
        { { "[\"a\"]", "[]", "[]" }, "" },
        { { "[\"a\"]", "[\"b\", \"c\"]", "[\"c\"]", "[]" }, "c" },
    };
    char text[100];

    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_string_equal(doubt_of_runs(rows[i].runs, text), rows[i].why);
}

TEST(files_that_cannot_be_results_are_not_read)
{
    char folder[] = "/tmp/result_file.XXXXXX", path[200], why[400];
    FILE *to;

    assert_non_null(mkdtemp(folder));
    assert_null(result_json_read(folder, why));
    assert_non_null(strstr(why, "is not a regular file"));
    snprintf(path, sizeof path, "%s/a.json", folder);
    assert_null(result_json_read(path, why));
    assert_non_null(strstr(why, "No such file"));
    to = fopen(path, "w");
    assert_non_null(to);
    assert_int_equal(fclose(to), 0);
    assert_null(result_json_read(path, why));
    assert_non_null(strstr(why, "is empty"));
    assert_int_equal(truncate(path, (off_t)1 << 33), 0); /* a hole */
    assert_null(result_json_read(path, why));
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
    struct variant *some = test_calloc(2, sizeof *some);
    struct row_table *table = test_calloc(1, sizeof *table);
    struct comparison_options how = { .margin = margin,
                                      .sizes = sizes,
                                      .look = look };
    struct comparison c;
    char why[WHY];

    for (int k = 0; k < 2; k++) {
        some[k] = s[k];
        some[k].n = runs * BENCHMARKS;
    }
    row_table_make(table, some, 2, &how.may);
    if (!comparison_make(&c, table, 1, &how, why))
        fail_msg("%s", why);
    return c;
}

/* The comparison, its table and its variants. */
static void end(struct comparison *c)
{
    struct row_table *table = (struct row_table *)c->table;
    struct variant *some = (struct variant *)table->variant;

    comparison_release(c);
    row_table_release(table);
    test_free(table);
    test_free(some);
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
        end(&c);
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
        end(&first);
        end(&second);
        end(&once);
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
        end(&rows);
        for (size_t k = 0; k < c.classes; k++)
            others += k != 5 && (c.class[k].verdict.is == VERDICT_SLOWER ||
                                 c.class[k].verdict.is == VERDICT_FASTER);
        end(&c);
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
    end(&c);
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
    end(&c);
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
    end(&c);
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
    assert_string_equal(comparison_class_sizes(&c, 4, 5, text), "to 517B");
    assert_string_equal(comparison_class_sizes(&c, 5, 6, text),
                        "above 256B to 16KiB");
    assert_string_equal(comparison_class_sizes(&c, 6, 7, text), "above 8KiB");
    end(&c);
    c = compare_rows(s, 8);
    assert_string_equal(comparison_class_label(&c, &c.class[0], text),
                        c.row[0].id->key);
    assert_near(c.class[9].verdict.ratio.value, c.row[9].ratio.value, 1e-9);
    assert_string_equal(comparison_class_sizes(&c, 0, SIZES - 1, text), "");
    assert_string_equal(comparison_class_sizes(&c, 6, 6, text), "at 512B");
    assert_string_equal(comparison_class_sizes(&c, 5, 6, text),
                        "from 256B to 512B");
    end(&c);
    release(s);
}

/* --- Limits --------------------------------------------------------------- */

/* A run on that host, of so many rows. */
static void add_run(struct variant *s, int host, int rows)
{
    static const char row[] =
        "{\"ranks\":2,\"bytes\":%d,\"value\":3,\"unit\":\"us\","
        "\"verified\":\"pass\",\"over_ranks\":{\"mean_us\":3},"
        "\"over_iterations\":{\"median_us\":3}}";
    struct unit_text text;
    char why[WHY], *all;

    unit_text_open(&text);
    fprintf(text.to,
            "{\"suite\":\"Alidade\",\"schema\":2,\"benchmark\":\"latency\","
            "\"method\":{},\"environment\":{\"mpi\":\"M\",\"ranks\":2,"
            "\"rank\":[{\"host\":\"n%04d\"},{\"host\":\"n%04d\"}]},\"rows\":[",
            host, host);
    for (int i = 0; i < rows; i++) {
        fputs(i > 0 ? "," : "", text.to);
        fprintf(text.to, row, 1 << i);
    }
    fputs("],\"exit\":{\"code\":0}}", text.to);
    all = unit_text_close(&text);
    if (!result_file_of(&s->file[s->n++], "made up", all, strlen(all), why))
        fail_msg("%s", why);
    free(all);
}

/* Limits held against thousands of hosts, of which the last lacks rows. */
TEST(a_row_that_one_of_many_hosts_lacks_is_missing)
{
    enum { HOSTS = 2000, ROWS = 3 };
    struct variant s = { .file = calloc(2 * HOSTS, sizeof *s.file) };
    struct limit row[ROWS] = { { .figure = 1000 } };
    struct limits limits = { .row = row, .rows = ROWS };
    struct document d = { .n = 0 };

    for (int i = 0; i < 2 * HOSTS; i++)
        add_run(&s, i % HOSTS, i % HOSTS == HOSTS - 1 ? 1 : ROWS);
    for (int i = 0; i < ROWS; i++) {
        row[i] = (struct limit){ .id = { "latency", "2 ranks, somewhere, H-H",
                                         "", 1 << i, "us" },
                                 .figure = 1000 };
        snprintf(row[i].id.key, sizeof row[i].id.key, "%d ranks=2", 1 << i);
    }
    assert_int_equal(limits_check(&d, &limits, &s), ROWS - 1);
    document_release(&d);
    variant_release(&s);
}
