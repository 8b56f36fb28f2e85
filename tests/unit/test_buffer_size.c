/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a row: exact where it fits into a size, the largest size where it
   does not, never less than what is needed. */
#include "unit.h"

#include "base/buffer_size.h"

static const struct buffer_row {
    const char *name;
    size_t bytes, blocks;
    bool window;
    size_t expected;
} buffer_rows[] = {
    { "no block, no buffer", 4096, 0, false, 0 },
    { "no slot, no buffer", 4096, 0, true, 0 },
    { "one block and its guard", 8, 1, false, 8 + BUFFER_GUARD },
    { "blocks side by side", 3, 5, false, 15 + BUFFER_GUARD },
    { "empty blocks: the guard", 0, 7, false, BUFFER_GUARD },
    { "slots a cache line apart", 3, 5, true, 5 * 64 + BUFFER_GUARD },
    { "slots of two cache lines", 65, 2, true, 2 * 128 + BUFFER_GUARD },
    { "empty slots have a line each", 0, 7, true, 7 * 64 + BUFFER_GUARD },
    { "a hundred thousand ranks, 4 MiB", 4194304, 100000, false,
      419430400000 + BUFFER_GUARD },
    { "too much: blocks", (size_t)1 << 60, 100000, false, SIZE_MAX },
    { "too much: slots", (size_t)1 << 60, 100000, true, SIZE_MAX },
    { "too much: guard", SIZE_MAX - 8, 1, false, SIZE_MAX },
    { "too much: largest size", PTRDIFF_MAX, 3, true, SIZE_MAX },
    { "too much: a slot", SIZE_MAX, 1, true, SIZE_MAX },
    { "too much: a slot, nearly", SIZE_MAX - 70, 1, true, SIZE_MAX },
};

TEST_ROWS(buffer_rows, buffer_is)
{
    assert_true(buffer_size(row->bytes, row->blocks, row->window) ==
                row->expected);
}

static const struct arithmetic_row {
    const char *name;
    size_t a, b, sum, product;
} arithmetic_rows[] = {
    { "0 0", 0, 0, 0, 0 },
    { "0 1", 0, 1, 1, 0 },
    { "6 7", 6, 7, 13, 42 },
    { "0 SIZE_MAX", 0, SIZE_MAX, SIZE_MAX, 0 },
    { "1 SIZE_MAX", 1, SIZE_MAX, SIZE_MAX, SIZE_MAX },
    { "2 SIZE_MAX", 2, SIZE_MAX, SIZE_MAX, SIZE_MAX },
    { "2^32 2^32", (size_t)1 << 32, (size_t)1 << 32, (size_t)1 << 33,
      SIZE_MAX },
    { "2^32 2^31", (size_t)1 << 32, (size_t)1 << 31,
      ((size_t)1 << 32) + ((size_t)1 << 31), (size_t)1 << 63 },
    { "2^63 2^63", (size_t)1 << 63, (size_t)1 << 63, SIZE_MAX, SIZE_MAX },
    { "2^64-2 1", SIZE_MAX - 1, 1, SIZE_MAX, SIZE_MAX - 1 },
    { "2^64-3 1", SIZE_MAX - 2, 1, SIZE_MAX - 1, SIZE_MAX - 2 },
};

TEST_ROWS(arithmetic_rows, arithmetic_saturates)
{
    assert_true(size_sum(row->a, row->b) == row->sum);
    assert_true(size_sum(row->b, row->a) == row->sum);
    assert_true(size_product(row->a, row->b) == row->product);
    assert_true(size_product(row->b, row->a) == row->product);
}

static const struct human_row {
    const char *name; /* text that is printed */
    double bytes;
} human_rows[] = {
    { "0B", 0 },
    { "1B", 1 },
    { "1023B", 1023 },
    { "1KiB", 1024 },
    { "1.5KiB", 1536 },
    { "1.5MiB", 1572864 },
    { "4MiB", 4194304 },
    { "390.6GiB", 419430400000 },
    { "1TiB", 0x1p40 },
    { "1PiB", 0x1p50 },
    { "8EiB", 0x1p63 },
    { "16EiB", 0x1p64 },
    { "3.142e+06EiB", 3141593 * 0x1p60 },
};

/* No blank: a reader of tables would take the number for a result. */
TEST_ROWS(human_rows, size_for_people)
{
    char text[32];

    assert_ptr_equal(size_words(row->bytes, text), text);
    assert_string_equal(text, row->name);
    assert_null(strchr(text, ' '));
}

TEST(slots_are_whole_lines)
{
    assert_int_equal(slot_size(0), 64);
    for (size_t bytes = 1; bytes < 1000; bytes++) {
        const size_t slot = slot_size(bytes);

        assert_true(slot >= bytes && slot < bytes + 64 && slot % 64 == 0);
    }
    assert_true(slot_size((size_t)1 << 62) == (size_t)1 << 62);
    assert_true(slot_size(SIZE_MAX) >= SIZE_MAX / 64 * 64);
}
