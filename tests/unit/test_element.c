/* SPDX-License-Identifier: BSD-3-Clause */
/* Element types: names and sizes, and whole numbers kept exactly up to the
   limit that sums are held to. */
#include "unit.h"

#include "base/element.h"

static const struct element_row {
    const char *name;
    enum element type;
    size_t size;
    double limit;
} rows[] = {
    { "MPI_CHAR", ELEMENT_CHAR, 1, 127 },
    { "MPI_SIGNED_CHAR", ELEMENT_SIGNED_CHAR, 1, 127 },
    { "MPI_INT", ELEMENT_INT, 4, 2147483647 },
    { "MPI_FLOAT", ELEMENT_FLOAT, 4, 16777216 },
    { "MPI_DOUBLE", ELEMENT_DOUBLE, 8, 9007199254740992 },
    { "MPI_INT64_T", ELEMENT_INT64, 8, 9007199254740992 },
    { "MPI_UINT8_T", ELEMENT_UINT8, 1, 255 },
    { "MPI_UINT64_T", ELEMENT_UINT64, 8, 9007199254740992 },
    { "MPI_C_FLOAT_COMPLEX", ELEMENT_COMPLEX, 8, 16777216 },
    { "MPIX_C_FLOAT16", ELEMENT_FLOAT16, 2, 2048 },
    { "MPIX_BFLOAT16", ELEMENT_BFLOAT16, 2, 256 },
};

TEST_ROWS(rows, is_described)
{
    assert_string_equal(element_name(row->type), row->name);
    assert_int_equal(element_size(row->type), row->size);
    assert_near(element_exact_limit(row->type), row->limit, 0);
}

/* Store at an address that is aligned for no type; no other byte changes. */
TEST_ROWS(rows, keeps_whole_numbers)
{
    const double value[] = { 0,          1,          -1, 100, row->limit - 1,
                             row->limit, -row->limit };
    unsigned char memory[16];

    for (size_t i = 0; i < LENGTH(value); i++) {
        if (value[i] < 0 && element_kind(row->type) == ELEMENT_UNSIGNED)
            continue;
        memset(memory, 0xa5, sizeof memory);
        element_store(row->type, memory + 1, value[i]);
        assert_near(element_load(row->type, memory + 1), value[i], 0);
        assert_int_equal(memory[0], 0xa5);
        for (size_t j = 1 + row->size; j < sizeof memory; j++)
            assert_int_equal(memory[j], 0xa5);
    }
}

/* MPI would see the type's own bytes. */
TEST(bytes_are_those_of_the_type)
{
    unsigned char got[8];
    const int i = -5;
    const float f = -5;
    const double d = -5;
    const int64_t l = -5;
    const signed char c = -5;

    element_store(ELEMENT_INT, got, -5);
    assert_memory_equal(got, &i, sizeof i);
    element_store(ELEMENT_FLOAT, got, -5);
    assert_memory_equal(got, &f, sizeof f);
    element_store(ELEMENT_DOUBLE, got, -5);
    assert_memory_equal(got, &d, sizeof d);
    element_store(ELEMENT_INT64, got, -5);
    assert_memory_equal(got, &l, sizeof l);
    element_store(ELEMENT_CHAR, got, -5);
    assert_memory_equal(got, &c, sizeof c);
    element_store(ELEMENT_SIGNED_CHAR, got, -5);
    assert_memory_equal(got, &c, sizeof c);
}

/* Both have 16 bits; these were worked out by hand from their definitions. */
TEST(halves_are_those_of_the_standard)
{
    static const struct {
        double value;
        uint16_t half, upper;
        bool exact[2];
    } halves[] = {
        { 0, 0x0000, 0x0000, { true, true } },
        { 1, 0x3c00, 0x3f80, { true, true } },
        { -2, 0xc000, 0xc000, { true, true } },
        { 0.5, 0x3800, 0x3f00, { true, true } },
        { 125, 0x57d0, 0x42fa, { true, true } },
        { 2049, 0x6800, 0x4500, { false, false } }, /* ties to even */
        { 2051, 0x6802, 0x4500, { false, false } },
        { 257, 0x5c04, 0x4380, { true, false } },
        { 65504, 0x7bff, 0x4780, { true, false } }, /* the largest half */
        { 65520, 0x7c00, 0x4780, { false, false } },
        { 1e9, 0x7c00, 0x4e6e, { false, false } },
        { -INFINITY, 0xfc00, 0xff80, { true, true } },
    };
    uint16_t got;

    for (size_t i = 0; i < LENGTH(halves); i++) {
        element_store(ELEMENT_FLOAT16, &got, halves[i].value);
        assert_int_equal(got, halves[i].half);
        if (halves[i].exact[0])
            assert_true(element_load(ELEMENT_FLOAT16, &got) == halves[i].value);
        element_store(ELEMENT_BFLOAT16, &got, halves[i].value);
        assert_int_equal(got, halves[i].upper);
        if (halves[i].exact[1])
            assert_true(element_load(ELEMENT_BFLOAT16, &got) ==
                        halves[i].value);
    }
    got = 0x0001; /* the least that is not 0 */
    assert_true(element_load(ELEMENT_FLOAT16, &got) == 0x1p-24);
    got = 0x7e00;
    assert_true(isnan(element_load(ELEMENT_FLOAT16, &got)));
}
