/* SPDX-License-Identifier: BSD-3-Clause */
/* The grammar of sizes, the steps of a sweep, and OMB's numbers of iterations. */
#include "unit.h"

#include "options/option.c"
#include "options/settings_rows.c"

static const char not_a_size[] =
    "is not a size (examples: 8, 64K, 2^20, 1:4M, :64K, 8:8; a list of "
    "sizes: --sizes=1,2,4)";
static const char too_large[] = "is larger than this machine can address";
static const char nothing[] = "names neither a smallest nor a largest size";
static const char no_factor[] = "has a factor that is not a number above 1 (example: 1:4M:4)";
static const char upside_down[] = "has a smallest size above the largest";

/* Defaults are 1:4M; why is NULL where text is accepted. */
static const struct parse_row {
    const char *text;
    const char *why;
    size_t min, max;
} parse_rows[] = {
    { "8", NULL, 1, 8 },
    { "0", NULL, 0, 0 },
    { "8:8", NULL, 8, 8 },
    { "2:", NULL, 2, 4 * MiB },
    { "0:0", NULL, 0, 0 },
    { ":16384", NULL, 1, 16384 },
    { ":0", NULL, 0, 0 },
    { "1:4M", NULL, 1, 4 * MiB },
    { "1K:2K", NULL, 1024, 2048 },
    { "64k", NULL, 1, 65536 },
    { "3G", NULL, 1, (size_t)3 << 30 },
    { "2T", NULL, 1, (size_t)2 << 40 },
    { "8M:", NULL, 8 * MiB, 8 * MiB },
    { "8:64K:4", NULL, 8, 65536 },
    { "8::1.5", NULL, 8, 4 * MiB },
    { "2^4:2^27", NULL, 16, 1 << 27 },
    { ":2^16", NULL, 1, 65536 },
    { "2^20:", NULL, MiB, 4 * MiB },
    { "10^3", NULL, 1, 1000 },
    { "2^62", NULL, 1, (size_t)1 << 62 },
    { "9223372036854775807", NULL, 1, PTRDIFF_MAX },
    { "8388607T", NULL, 1, (size_t)8388607 << 40 },

    { "", not_a_size },
    { ":", nothing },
    { "abc", not_a_size },
    { "8:abc", not_a_size },
    { "8:4", upside_down },
    { "8M:4", upside_down },
    { "8x", not_a_size },
    { "8KB", not_a_size },
    { "-1", not_a_size },
    { "+8", not_a_size },
    { "8 ", not_a_size },
    { "1.5M", not_a_size },
    { "2^", not_a_size },
    { "2^4^2", not_a_size },
    { "2^4K", not_a_size },
    { "2^63", too_large },
    { "2^99999999999999999999", too_large },
    { "1:2:3:4", no_factor },
    { "1:4:1", no_factor },
    { "1:4:x", no_factor },
    { "9223372036854775808", too_large },
    { "8388608T", too_large },
    { "17179869184G", too_large },
};

TEST_ROWS(parse_rows, parses)
{
    struct sizes sizes = { 1, 4 * MiB };
    const char *why = parse_sizes(&sizes, row->text);

    if (row->why != NULL) {
        assert_non_null(why);
        assert_string_equal(why, row->why);
        return;
    }
    assert_null(why);
    assert_int_equal(sizes.min, row->min);
    assert_int_equal(sizes.max, row->max);
}

/* A single value below the default minimum moves the minimum too. */
TEST(maximum_below_default_minimum)
{
    struct sizes sizes = { 4, 1024 };

    assert_null(parse_sizes(&sizes, "2"));
    assert_int_equal(sizes.min, 2);
    assert_int_equal(sizes.max, 2);
    sizes = (struct sizes){ 4, 1024 };
    assert_null(parse_sizes(&sizes, ":2"));
    assert_int_equal(sizes.min, 2);
    assert_int_equal(sizes.max, 2);
    sizes = (struct sizes){ 4, 1024 };
    assert_null(parse_sizes(&sizes, "16"));
    assert_int_equal(sizes.min, 4);
    assert_int_equal(sizes.max, 16);
}

TEST(one_size_leaves_the_rest_alone)
{
    size_t bytes = 77;

    assert_non_null(sizes_parse_one("8x", &bytes));
    assert_non_null(sizes_parse_one("1:2", &bytes));
    assert_non_null(sizes_parse_one("8388608T", &bytes));
    assert_int_equal(bytes, 77);
    assert_null(sizes_parse_one("1K", &bytes));
    assert_int_equal(bytes, 1024);
}

TEST(a_list_is_sorted_and_names_nothing_twice)
{
    struct sizes sizes = { 1, 4 * MiB };
    size_t bytes;
    int line;

    assert_null(settings_take_sizes("64,8,25000000,1K", &sizes, &line));
    assert_int_equal(sizes.min, 8);
    assert_int_equal(sizes.max, 25000000);
    bytes = sizes.min;
    assert_true(sizes_next(&sizes, &bytes));
    assert_int_equal(bytes, 64);
    assert_true(sizes_next(&sizes, &bytes));
    assert_int_equal(bytes, 1024);
    assert_true(sizes_next(&sizes, &bytes));
    assert_int_equal(bytes, 25000000);
    assert_false(sizes_next(&sizes, &bytes));
    assert_string_equal(settings_take_sizes("8,x", &sizes, &line), not_a_size);
    assert_string_equal(settings_take_sizes("8\n\n16 x\n4", &sizes, &line), not_a_size);
    assert_int_equal(line, 3);
    assert_string_equal(settings_take_sizes(",\n", &sizes, &line), "names no size");
    assert_int_equal(line, 0);
    assert_string_equal(settings_take_sizes("64,1K,8,1024", &sizes, &line), "names a size twice");
    assert_null(settings_take_sizes("64\n8 16\n", &sizes, &line));
    assert_null(sizes.file);
    assert_int_equal(sizes.n, 3);
    /* -m after --sizes: the list is forgotten. */
    assert_null(parse_sizes(&sizes, "8:16"));
    assert_null(sizes.list);
}

/* clang-format off */
static const struct sweep_row {
    const char *name;
    struct sizes sizes;
    size_t expected[8]; /* ends with SIZE_MAX */
} sweep_rows[] = {
    { "1:7 ends at 4", { 1, 7 }, { 1, 2, 4, SIZE_MAX } },
    { "0:4 is 0 1 2 4", { 0, 4 }, { 0, 1, 2, 4, SIZE_MAX } },
    { "3:13 is 3 6 12", { 3, 13 }, { 3, 6, 12, SIZE_MAX } },
    { "1:64:4 is 1 4 16 64", { 1, 64, 4 }, { 1, 4, 16, 64, SIZE_MAX } },
    { "1:6:1.5 grows by one at least", { 1, 6, 1.5 }, { 1, 2, 3, 4, 6, SIZE_MAX } },
    { "half of all memory and no more", { SIZE_MAX / 2, SIZE_MAX }, { SIZE_MAX / 2, SIZE_MAX - 1, SIZE_MAX } },
    { "2^63 has no double", { (size_t)1 << 63, SIZE_MAX }, { (size_t)1 << 63, SIZE_MAX } },
};
/* clang-format on */

TEST_ROWS(sweep_rows, sweeps)
{
    size_t bytes = row->sizes.min;
    int i = 0;

    do {
        assert_int_equal(bytes, row->expected[i]);
        i++;
    } while (sizes_next(&row->sizes, &bytes));
    assert_true(row->expected[i] == SIZE_MAX);
    assert_int_equal(bytes, row->expected[i - 1]); /* unchanged */
}

/* Did who gave them name each of the sizes? */
TEST(named_sizes)
{
    static const struct {
        const char *range;
        bool named;
    } rows[] = {
        { "8", false }, { ":8", false },  { "1:8", true },
        { "2:", true }, { ":8:3", true }, { "1:8:3", true },
    };
    struct sizes sizes = { .min = 1, .max = 1 << 22 };
    int line;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(parse_sizes(&sizes, rows[i].range));
        assert_int_equal(sizes.named, rows[i].named);
    }
    assert_null(settings_take_sizes("3,5", &sizes, &line));
    assert_true(sizes.named);
    free(sizes.list);
}

TEST(nothing_follows_the_largest_size)
{
    const struct sizes all = { 0, SIZE_MAX };
    size_t bytes = SIZE_MAX;

    assert_false(sizes_next(&all, &bytes));
    assert_true(bytes == SIZE_MAX);
}

static const struct counts_row {
    const char *name;
    const struct sizes_counts *counts;
    long iterations, warmup, iterations_large, warmup_large;
} counts_rows[] = {
    { "latency iterations", &counts_latency, 10000, 100, 1000, 10 },
    { "bandwidth iterations", &counts_bandwidth, 100, 10, 20, 2 },
    { "message rate iterations", &counts_message_rate, 100, 10, 100, 10 },
    { "collective iterations", &counts_collective, 1000, 100, 100, 10 },
};

/* Downwards and upwards alike: what came before a row has no say. */
TEST_ROWS(counts_rows, counts_follow_the_size)
{
    static const size_t sizes[] = { 4 * MiB, 8193, 8192, 1, 0, 8192, 8193 };

    for (size_t i = 0; i < LENGTH(sizes); i++) {
        const bool large = sizes[i] > 8192;

        assert_int_equal(sizes_count(&row->counts->iterations, sizes[i]),
                         large ? row->iterations_large : row->iterations);
        assert_int_equal(sizes_count(&row->counts->warmup, sizes[i]),
                         large ? row->warmup_large : row->warmup);
    }
}

/* OMB's words on -i: 8192:1000:100 is 1000 up to 8192 and 100 beyond; in a list each
   number holds up to its size, and the last one beyond all others. */
static const struct count_row {
    const char *text;
    long expected[5]; /* of 0, 8, 9, 100 and 1M bytes; 0: text is refused */
} count_rows[] = {
    { "5", { 5, 5, 5, 5, 5 } },
    { "8:5:3", { 5, 5, 3, 3, 3 } },
    { "1K:5:3", { 5, 5, 5, 5, 3 } },
    { "2^3:5:3", { 5, 5, 3, 3, 3 } },
    { "8:5,64:4,99:3,0:2", { 5, 5, 4, 2, 2 } },
    { "99:3,8:5,0:2", { 5, 5, 3, 2, 2 } },
    { "8:5,100:3,4:2", { 5, 5, 3, 3, 2 } },
    { "8:5" }, /* and beyond? */
    { "8:5:3:1" },
    { "8:5,3" },
    { "8:5,9:3:1" },
    { "8:" },
    { "8:5:" },
    { "" },
    { "8:x:3" },
    { "-8:5:3" },
    { "8:5,8:3,0:1" },
    { "1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1,13:1,14:1,15:1,"
      "16:1,17:1" },
};

TEST_ROWS(count_rows, counts_are_parsed)
{
    static const size_t sizes[] = { 0, 8, 9, 100, MiB };
    struct sizes_count count;
    const struct option_row any = { .min = -1e18 };
    char room[CHOICE_WHY];
    const char *why = parse_count(&any, row->text, &count, room);

    if (row->expected[0] == 0) {
        assert_non_null(why);
        return;
    }
    assert_null(why);
    for (size_t i = 0; i < LENGTH(sizes); i++)
        assert_int_equal(sizes_count(&count, sizes[i]), row->expected[i]);
}
