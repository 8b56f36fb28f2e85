/* SPDX-License-Identifier: BSD-3-Clause */
/* --counts: whatever the blocks are, together they are what equal ones are, to the last
   element; and what is in a file stays in proportion. */
#include "unit.h"

#include "collective/counts.h"
#include "collective/flow_collective.h"
#include "data/layout.h"

enum { RANKS = 9 };

static struct counts parsed(const char *text)
{
    struct counts counts;

    assert_null(counts_parse(text, &counts));
    return counts;
}

/* The lengths of n blocks of a row, of messages of count elements. */
static void lengths(const char *text, int row, int n, size_t count,
                    size_t *length)
{
    const struct counts counts = parsed(text);
    uint64_t weight[RANKS], of = 0;
    struct portion portion[RANKS];

    counts_weights(&counts, row, n, weight);
    for (int i = 0; i < n; i++)
        of += weight[i];
    counts_portions(weight, n, 0, of, (uint64_t)n, portion);
    for (int i = 0; i < n; i++)
        length[i] = portion_of(&portion[i], count);
}

static const struct sum_row {
    const char *name;
} sum_rows[] = {
    { "equal" },
    { "one" },
    { "zero:0" },
    { "zero:50%" },
    { "zero:99" },
    { "random:1" },
    { "random:1000000000" },
};

TEST_ROWS(sum_rows, the_sum_is_that_of_equal_blocks)
{
    const size_t counts[] = { 0, 1, 7, 1000, (size_t)1 << 30 };

    for (int n = 1; n <= RANKS; n++)
        for (size_t i = 0; i < LENGTH(counts); i++)
            for (int rank = 0; rank < n; rank++) {
                size_t length[RANKS], again[RANKS], sum = 0;

                lengths(row->name, rank, n, counts[i], length);
                lengths(row->name, rank, n, counts[i], again);
                assert_memory_equal(length, again, (size_t)n * sizeof *length);
                for (int k = 0; k < n; k++)
                    sum += length[k];
                assert_int_equal(sum, (size_t)n * counts[i]);
            }
}

static const struct length_row {
    const char *name, *text;
    size_t count, length[4];
} length_rows[] = {
    { "equal blocks", "equal", 5, { 5, 5, 5, 5 } },
    { "the last has all", "one", 3, { 0, 0, 0, 12 } },
};

TEST_ROWS(length_rows, blocks_are_as_long_as_their_weights)
{
    size_t length[RANKS];

    lengths(row->text, 0, 4, row->count, length);
    assert_memory_equal(length, row->length, sizeof row->length);
}

/* So many are empty, others in each row, and the rest equal. */
TEST(so_many_blocks_are_empty)
{
    bool differ = false;
    size_t before[RANKS] = { 0 };

    for (int rank = 0; rank < 50; rank++) {
        size_t length[RANKS];
        int empty = 0;

        lengths("zero:33", rank, RANKS, 6, length);
        for (int i = 0; i < RANKS; i++) {
            assert_true(length[i] == 0 || length[i] == 9);
            empty += length[i] == 0;
        }
        assert_int_equal(empty, 3);
        differ =
            differ || (rank > 0 && memcmp(before, length, sizeof length) != 0);
        memcpy(before, length, sizeof length);
    }
    assert_true(differ);
}

/* Uniform: the mean square of blocks between 0 and 2 is 4/3. */
TEST(random_blocks_are_uniform_and_follow_the_seed)
{
    size_t one[RANKS], two[RANKS];
    double squares = 0;

    for (int rank = 0; rank < 2000; rank++) {
        lengths("random:7", rank, RANKS, 1000, one);
        for (int i = 0; i < RANKS; i++)
            squares += (double)one[i] * (double)one[i] / 1e6;
    }
    /* Rows are normalized, which narrows them a little. */
    assert_near(squares / (2000 * RANKS), 1.31, 0.04);
    lengths("random:8", 0, RANKS, 1000, two);
    lengths("random:7", 0, RANKS, 1000, one);
    assert_memory_not_equal(one, two, sizeof one);
}

static FILE *opened(const char *text)
{
    FILE *file = tmpfile();

    assert_non_null(file);
    fputs(text, file);
    rewind(file);
    return file;
}

/* The portions of a file's matrix, for messages of count elements. */
static void from_file(const char *file, int rows, int n, size_t count,
                      size_t *length)
{
    uint64_t weight[RANKS * RANKS], of = 0, before = 0;
    struct portion portion[RANKS];
    struct counts_file read;

    if (!counts_begin(&read, opened(file), rows, n))
        fail_msg("%s", read.why);
    for (int row = 0; row < rows; row++)
        counts_next(&read, &weight[row * n]);
    counts_end(&read);
    for (int i = 0; i < rows * n; i++)
        of += weight[i];
    for (int row = 0; row < rows; row++) {
        counts_portions(&weight[row * n], n, before, of, (uint64_t)(rows * n),
                        portion);
        for (int i = 0; i < n; i++) {
            before += weight[row * n + i];
            length[row * n + i] = portion_of(&portion[i], count);
        }
    }
}

/* With the mean of the file as the size, its numbers are the bytes. */
TEST(a_file_of_bytes_is_exact_at_its_mean)
{
    const size_t matrix[] = { 0, 3, 1000000007, 5, 11, 0, 0, 0, 1000000001 };
    size_t length[9], sum = 0;

    /* 9 * 222222225 - 2000000027 = -2: a little less than the mean. */
    from_file("# bytes\n0,3,1000000007\n\n5 11 0 # zeros\r\n0;0;\t1000000001\n",
              3, 3, 222222225, length);
    for (int i = 0; i < 9; i++) {
        assert_near((double)length[i], (double)matrix[i], 2);
        sum += length[i];
    }
    assert_int_equal(sum, 9 * (size_t)222222225);
    from_file("1 2 3\n4 5 6\n7 8 9\n", 3, 3, 5, length);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(length[i], i + 1);
}

TEST(shares_of_a_file_are_in_proportion)
{
    size_t length[4];

    from_file("0.125\n.25\n5e-1\n0.125\n", 1, 4, 1000, length);
    assert_int_equal(length[0], 500);
    assert_int_equal(length[1], 1000);
    assert_int_equal(length[2], 2000);
    assert_int_equal(length[3], 500);
    from_file("3,0,1,0", 1, 4, 1, length);
    assert_int_equal(length[0], 3);
    assert_int_equal(length[2], 1);
}

static const struct wrong_row {
    const char *name, *text;
    int rows, n;
    const char *why;
} wrong_rows[] = {
    { "a short line", "1,2\n3\n", 2, 2, "line 2 has 1 numbers; ranks: 2" },
    { "a long line", "1,2,3\n", 2, 2, "line 1 has 3 numbers; ranks: 2" },
    { "a line missing", "1,2\n", 2, 2,
      "it has 1 lines with numbers; ranks: 2" },
    { "a line too many", "1,2\n1,2\n1,2\n", 2, 2,
      "it has 3 lines with numbers; ranks: 2" },
    { "a negative number", "1,2\n1,-2\n", 2, 2,
      "line 2 has a negative number: -2" },
    { "no number", "1,2\n1,b\n", 2, 2, "line 2 is not numbers: 'b'" },
    { "not a number", "nan,2\n1,1\n", 2, 2, "line 1 is not numbers: 'nan,2'" },
    { "infinite", "inf,2\n1,1\n", 2, 2, "line 1 is not numbers: 'inf,2'" },
    { "zeros", "0,0\n0,0\n", 2, 2, "its numbers are all 0, or too large" },
    { "nothing", "# nothing\n", 1, 2, "it has 0 numbers; ranks: 2" },
    { "too many", "1\n2\n3\n", 1, 2, "it has 3 numbers; ranks: 2" },
};

TEST_ROWS(wrong_rows, a_wrong_file_is_refused)
{
    struct counts_file file;

    assert_false(counts_begin(&file, opened(row->text), row->rows, row->n));
    assert_string_equal(file.why, row->why);
    counts_end(&file);
}

static const struct refused_row {
    const char *name;
} refused_rows[] = {
    { "" },       { "on" },       { "one:3" },      { "zero" },
    { "zero:" },  { "zero:100" }, { "zero:-1" },    { "zero:5x" },
    { "random" }, { "random:0" }, { "random:1.5" }, { "random:2e9" },
    { "linear" }, { "spread:8" }, { "file" },       { "file:" },
};

TEST_ROWS(refused_rows, a_wrong_text_is_refused)
{
    struct counts counts;

    assert_non_null(counts_parse(row->name, &counts));
}

static const struct beside_row {
    const char *name;
    const struct flow *flow;
    size_t unit; /* of displacements */
} beside_rows[] = {
    { "found by elements", &flow_exchange_all_v, 8 },
    { "found by bytes", &flow_exchange_all_w, 1 },
};

/* Blocks follow each other, and none is longer than the buffer has room for. */
TEST_ROWS(beside_rows, blocks_lie_side_by_side)
{
    struct bench_run r = { .nranks = RANKS,
                           .blocks = RANKS,
                           .fullest = RANKS,
                           .count = 13,
                           .type = MPI_DOUBLE,
                           .bytes = 13 * 8 };
    const struct counts counts = parsed("random:3");
    uint64_t weight[RANKS], of = 0;
    struct portion portion[RANKS];
    size_t at = 0;

    counts_weights(&counts, 0, RANKS, weight);
    for (int i = 0; i < RANKS; i++)
        of += weight[i];
    counts_portions(weight, RANKS, 0, of, RANKS, portion);
    r.in.portions = portion;
    r.in.n = RANKS;
    assert_true(layout_begin(&r, row->flow));
    layout_fill(&r, row->flow);
    for (int i = 0; i < RANKS; i++) {
        assert_int_equal(layout_at(&r, &r.in, i), at);
        assert_int_equal(r.in.places[i], at);
        assert_int_equal(r.in.displs[i], at / row->unit);
        assert_int_equal(layout_bytes(&r, &r.in, i), 8 * r.in.counts[i]);
        assert_int_equal(layout_bytes(&r, &r.out, i), 13 * 8);
        assert_int_equal(layout_at(&r, &r.out, i), 13 * 8 * i);
        at += layout_bytes(&r, &r.in, i);
    }
    assert_int_equal(at, 13 * 8 * RANKS);
    assert_true(at <= layout_size(&r.in, 13 * 8, RANKS, false));
    assert_true(layout_fits(&r, 1 << 20));
    assert_false(layout_fits(&r, (size_t)1 << 29));
    layout_end(&r);
}
