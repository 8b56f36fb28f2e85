/* SPDX-License-Identifier: BSD-3-Clause */
/* Size classes of a comparison: runs that are made up, in which all rows move together and
   each has noise of its own. */
#define UNIT_OWN_MAIN
#include "unit.h"

#include <math.h>

#include "comparison/comparison_classes.h"
#include "unit_random.h"

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
static void what_is_alike_is_called_different_as_rarely_as_said(void **state)
{
    const struct world alike = { .of_run = 0.05, .of_row = 0.02 };
    struct variant s[2];
    int wrong = 0, as_runs = 0;

    (void)state;
    make(s);
    unit_random_state = 11;
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
static void looks_at_the_edge_are_wrong_as_rarely_as_said(void **state)
{
    const struct world edge = {
        .of_run = 0.02, .of_row = 0.02, .ratio = 1.03, .classes = 0xFF
    };
    struct variant s[2];
    int wrong = 0, both = 0;

    (void)state;
    make(s);
    unit_random_state = 12;
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
static void five_percent_of_a_class_are_found_where_rows_are_not(void **state)
{
    const struct world planted = {
        .of_run = 0.004, .of_row = 0.014, .ratio = 1.05, .classes = 1 << 5
    };
    struct variant s[2];
    int found = 0, by_class_alone = 0, others = 0;

    (void)state;
    make(s);
    unit_random_state = 13;
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

static void the_ratio_is_the_geometric_mean_of_the_rows(void **state)
{
    const struct world quiet = { .ratio = 1 };
    struct variant s[2];
    struct comparison c;
    double product = 0;

    (void)state;
    make(s);
    unit_random_state = 14;
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
static void a_class_is_judged_by_rows_that_all_runs_have(void **state)
{
    const struct world alike = { .of_run = 0.001, .of_row = 0.001, .ratio = 1 };
    struct variant s[2];
    struct comparison c;

    (void)state;
    make(s);
    unit_random_state = 16;
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
static void a_run_that_lacks_a_row_is_no_faster(void **state)
{
    const struct world alike = { .of_run = 0.001, .of_row = 0.001, .ratio = 1 };
    struct variant s[2];
    struct comparison c;

    (void)state;
    make(s);
    unit_random_state = 15;
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

static void sizes_of_classes(void **state)
{
    const struct world quiet = { .ratio = 1 };
    struct size_limits limits;
    struct variant s[2];
    struct comparison c;
    char text[CLASS_LABEL];

    (void)state;
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

int main(void)
{
    struct unit_list list = { .n = 0 };

    UNIT_ADD(&list, what_is_alike_is_called_different_as_rarely_as_said);
    UNIT_ADD(&list, looks_at_the_edge_are_wrong_as_rarely_as_said);
    UNIT_ADD(&list, five_percent_of_a_class_are_found_where_rows_are_not);
    UNIT_ADD(&list, the_ratio_is_the_geometric_mean_of_the_rows);
    UNIT_ADD(&list, a_class_is_judged_by_rows_that_all_runs_have);
    UNIT_ADD(&list, a_run_that_lacks_a_row_is_no_faster);
    UNIT_ADD(&list, sizes_of_classes);
    return unit_run("classes", &list);
}
