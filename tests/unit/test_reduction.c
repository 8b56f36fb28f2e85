/* SPDX-License-Identifier: BSD-3-Clause */
/* What --op combines: the result is that of the operation in the element type itself,
   in any order; and it shows that a rank, or another one, has contributed. */
#include "unit.h"

#include "collective/reduction.h"

enum { PLACES = 600, MOST_RANKS = 40 };

/* One number in the forms of all types. */
union number {
    signed char c;
    int i;
    float f, complex[2];
    double d;
    int64_t l;
    uint8_t u;
    uint64_t m;
    char bytes[8];
};

#define WHOLE(ctype, x)                                                        \
    switch (op) {                                                              \
    case REDUCTION_PROD:                                                       \
        a.x = (ctype)(a.x * b.x);                                              \
        break;                                                                 \
    case REDUCTION_MIN:                                                        \
        a.x = b.x < a.x ? b.x : a.x;                                           \
        break;                                                                 \
    case REDUCTION_MAX:                                                        \
        a.x = b.x > a.x ? b.x : a.x;                                           \
        break;                                                                 \
    case REDUCTION_BAND:                                                       \
        a.x = (ctype)(a.x & b.x);                                              \
        break;                                                                 \
    case REDUCTION_BOR:                                                        \
        a.x = (ctype)(a.x | b.x);                                              \
        break;                                                                 \
    case REDUCTION_BXOR:                                                       \
        a.x = (ctype)(a.x ^ b.x);                                              \
        break;                                                                 \
    default:                                                                   \
        a.x = (ctype)(a.x + b.x);                                              \
    }                                                                          \
    break
#define FLOATING(x)                                                            \
    a.x = op == REDUCTION_PROD  ? a.x * b.x                                    \
          : op == REDUCTION_MIN ? (b.x < a.x ? b.x : a.x)                      \
          : op == REDUCTION_MAX ? (b.x > a.x ? b.x : a.x)                      \
                                : a.x + b.x;                                   \
    break

/* As a library does it. */
static union number combined(enum reduction op, enum element type,
                             union number a, union number b)
{
    const float real = a.complex[0], imaginary = a.complex[1];
    double value = element_load(type, a.bytes),
           other = element_load(type, b.bytes);

    switch (type) {
    case ELEMENT_SIGNED_CHAR:
        WHOLE(signed char, c);
    case ELEMENT_INT:
        WHOLE(int, i);
    case ELEMENT_INT64:
        WHOLE(int64_t, l);
    case ELEMENT_UINT8:
        WHOLE(uint8_t, u);
    case ELEMENT_UINT64:
        WHOLE(uint64_t, m);
    case ELEMENT_FLOAT:
        FLOATING(f);
    case ELEMENT_DOUBLE:
        FLOATING(d);
    case ELEMENT_COMPLEX:
        if (op == REDUCTION_PROD) {
            a.complex[0] = real * b.complex[0] - imaginary * b.complex[1];
            a.complex[1] = real * b.complex[1] + imaginary * b.complex[0];
        } else {
            a.complex[0] += b.complex[0];
            a.complex[1] += b.complex[1];
        }
        break;
    default: /* half precision */
        value = op == REDUCTION_PROD  ? value * other
                : op == REDUCTION_MIN ? fmin(value, other)
                : op == REDUCTION_MAX ? fmax(value, other)
                                      : value + other;
        element_store(type, a.bytes, value);
    }
    return a;
}

static union number contribution(enum reduction op, enum element type,
                                 size_t place, int rank, int n)
{
    union number number = { .m = 0 };

    reduction_contents(op, type, &number, place, 1, 0, rank, n);
    return number;
}

/* Of the ranks from 0 to last but one that is left out, in another order. */
static union number brute(enum reduction op, enum element type, size_t place,
                          int ranks, int n, int left_out)
{
    union number sum = { .m = 0 };
    bool begun = false;

    for (int i = ranks - 1; i >= 0; i--) {
        const union number next = contribution(op, type, place, i, n);

        if (i == left_out)
            continue;
        sum = begun ? combined(op, type, sum, next) : next;
        begun = true;
    }
    return sum;
}

static const struct op_row {
    const char *name;
    enum reduction op;
} ops[] = {
    { "sum", REDUCTION_SUM },   { "prod", REDUCTION_PROD },
    { "min", REDUCTION_MIN },   { "max", REDUCTION_MAX },
    { "band", REDUCTION_BAND }, { "bor", REDUCTION_BOR },
    { "bxor", REDUCTION_BXOR }, { "user", REDUCTION_USER },
};

static bool can_combine(enum reduction op, const enum element *types, int n)
{
    struct refusal refusal = { .why = "" };

    reduction_refuse(op, types, n, &refusal);
    return refusal.why[0] == '\0';
}

TEST_ROWS(ops, result_is_that_of_the_operation)
{
    static const int ranks[] = { 1, 2, 3, 5, 17, MOST_RANKS };
    static union number right[PLACES];
    int combinations = 0;

    for (int t = ELEMENT_SIGNED_CHAR; t < ELEMENT_COUNT; t++) {
        const enum element type = (enum element)t;
        const size_t size = element_size(type);

        if (!can_combine(row->op, &type, 1))
            continue;
        for (size_t r = 0; r < LENGTH(ranks); r++)
            for (int part = 1; part <= ranks[r]; part += part / 4 + 1) {
                char got[PLACES * 8];

                reduction_contents(row->op, type, got, 3, PLACES, part, 0,
                                   ranks[r]);
                for (size_t i = 0; i < PLACES; i += i / 8 + 1) {
                    right[i] = brute(row->op, type, 3 + i, part, ranks[r], -1);
                    assert_memory_equal(got + i * size, &right[i], size);
                }
                combinations++;
            }
    }
    assert_true(combinations > 60);
}

/* Without any one rank, or with another in its place, some element differs. */
TEST_ROWS(ops, every_rank_is_missed)
{
    static const int ranks[] = { 2, 3, 4, 17, MOST_RANKS };
    const enum element type = ELEMENT_INT;

    for (size_t r = 0; r < LENGTH(ranks); r++)
        for (int rank = 0; rank < ranks[r]; rank++) {
            const int n = ranks[r];
            bool missed = false;

            for (size_t i = 0; i < PLACES && !missed; i++) {
                const union number with = brute(row->op, type, i, n, n, -1),
                                   out = brute(row->op, type, i, n, n, rank);

                missed = memcmp(&with, &out, sizeof with.i) != 0;
            }
            assert_true(missed);
        }
}

TEST(illegal_pairs_are_refused)
{
    static const struct {
        enum reduction op;
        enum element type;
        bool legal;
    } pairs[] = {
        { REDUCTION_BAND, ELEMENT_FLOAT, false },
        { REDUCTION_BOR, ELEMENT_DOUBLE, false },
        { REDUCTION_BXOR, ELEMENT_COMPLEX, false },
        { REDUCTION_BXOR, ELEMENT_FLOAT16, false },
        { REDUCTION_BAND, ELEMENT_UINT8, true },
        { REDUCTION_BOR, ELEMENT_SIGNED_CHAR, true },
        { REDUCTION_MIN, ELEMENT_COMPLEX, false },
        { REDUCTION_MAX, ELEMENT_COMPLEX, false },
        { REDUCTION_MAX, ELEMENT_BFLOAT16, true },
        { REDUCTION_PROD, ELEMENT_COMPLEX, true },
        { REDUCTION_USER, ELEMENT_COMPLEX, true },
    };

    for (size_t i = 0; i < LENGTH(pairs); i++) {
        const enum element types[] = { ELEMENT_INT, pairs[i].type };

        assert_int_equal(can_combine(pairs[i].op, types, 2), pairs[i].legal);
    }
}
