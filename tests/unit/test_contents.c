/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What messages hold: contents that are told apart, and reductions.
 */
#include "unit.h"

#include "collective/collective.h"
#include "collective/reduction.c"
#include "data/verify.c"

/* By the number of the element. */
static double term_at(enum element type, int rank, int nranks, size_t i)
{
    return term(type, rank, nranks, key_of(i));
}

static double sum_at(enum element type, int ranks, int nranks, size_t i)
{
    return sum(type, ranks, nranks, key_of(i));
}

/* --- Contents ------------------------------------------------------------- */

/* Contents of verified messages: moved bytes are told apart whatever changes
   places, sums stay exact in their type on any number of ranks. */

enum { LONGEST = 3 * 4096 + 100 }; /* more than one chunk of the module */

static const size_t lengths[] = { 0,    1,    2,    7,    8,    9,    63,   64,     65,
                                  4088, 4095, 4096, 4097, 8191, 8193, 9000, LONGEST };

/* Filled from any position on, it is the bytes of the pattern and no more. */
TEST(fill_is_the_pattern)
{
    static const size_t offsets[] = { 0, 1, 3, 7, 8, 13, 4095, 4096, 100001 };
    static unsigned char got[LONGEST + 1];

    for (size_t o = 0; o < LENGTH(offsets); o++)
        for (size_t l = 0; l < LENGTH(lengths); l++) {
            const size_t n = lengths[l];
            unsigned char behind;

            memset(got, 0, sizeof got);
            got[n] = behind = (unsigned char)(o + l);
            contents_fill(got, n, offsets[o], 3, 5, 2, (unsigned)o);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(got[i], contents_byte(offsets[o] + i, 3, 5, 2, (unsigned)o));
            assert_int_equal(got[n], behind);
        }
}

/* Index of the first of n bytes that is not the pattern's, or n. */
static size_t first_wrong(const unsigned char *got, size_t n, int from, int dest, int slot)
{
    size_t i = 0;

    while (i < n && got[i] == contents_byte(i, from, dest, slot, 0))
        i++;
    return i;
}

struct who {
    int from, to, slot;
};

/* Every message that could be taken for another one. */
static const struct who who[] = {
    { 0, 1, 0 },
    { 1, 0, 0 },
    { 0, 2, 0 },
    { 2, 0, 0 },
    { 0, 1, 1 },
    { 1, 1, 0 },
    { 0, 0, 0 },
    { 0, CONTENTS_ANYONE, 0 },
    { 1, CONTENTS_ANYONE, 0 },
    { CONTENTS_ANYONE, 0, 0 },
    { 100000, 99999, 63 },
    { 99999, 100000, 63 },
};

TEST(messages_differ)
{
    unsigned char a[64], b[64];

    for (size_t i = 0; i < LENGTH(who); i++)
        for (size_t j = 0; j < i; j++) {
            int same = 0;

            contents_fill(a, sizeof a, 0, who[i].from, who[i].to, who[i].slot, 0);
            contents_fill(b, sizeof b, 0, who[j].from, who[j].to, who[j].slot, 0);
            assert_true(first_wrong(a, sizeof a, who[j].from, who[j].to, who[j].slot) < 8);
            for (size_t k = 0; k < sizeof a; k++)
                same += a[k] == b[k];
            assert_true(same < 8); /* about 1 byte in 256 by chance */
        }
}

TEST(blocks_of_a_message_differ)
{
    static unsigned char got[8192];

    contents_fill(got, sizeof got, 0, 0, 1, 0, 0);
    for (size_t shift = 1; shift <= 4096; shift++)
        assert_memory_not_equal(got, got + shift, 16);
    memset(got, 0, sizeof got); /* nothing arrived */
    assert_true(first_wrong(got, sizeof got, 0, 1, 0) < 8);
}

/* No byte of a check is that of one of the checks before it, but for those that are a
   multiple of 251 before; there longer contents differ. */
TEST(checks_differ)
{
    unsigned char now[64], before[64];
    int same = 0;

    for (unsigned check = 1; check < 1000; check += 7)
        for (unsigned far = 1; far <= check && far <= 251; far++) {
            contents_fill(now, sizeof now, 0, 3, 5, 2, check);
            contents_fill(before, sizeof before, 0, 3, 5, 2, check - far);
            for (size_t i = 0; far < 250 && check / 251 == (check - far) / 251 && i < sizeof now;
                 i++)
                assert_int_not_equal(now[i], before[i]);
            assert_memory_not_equal(now, before, sizeof now);
            for (size_t i = 0; i < 8; i++) /* a message of one byte */
                same += far < 251 && now[i] == before[i];
        }
    assert_int_equal(same, 0);
}

TEST(prefix_sums_are_over_the_ranks_before)
{
    enum { JOB = 5 };

    for (int rank = 0; rank < JOB; rank++) {
        const struct bench_run r = { .rank = rank, .nranks = JOB };
        const struct bench_run in_place = { .rank = rank, .nranks = JOB, .in_place = true };

        assert_int_equal(summed_ranks(&flow_scan, &r), rank + 1);
        assert_int_equal(summed_ranks(&flow_exscan, &r), rank);
        assert_int_equal(summed_ranks(&flow_exscan, &in_place), rank > 0 ? rank : 1);
        assert_int_equal(summed_ranks(&flow_reduce, &r), JOB);
    }
}

enum { MANY = 1 << 14 }; /* elements */

static const enum element summed[] = { ELEMENT_CHAR,  ELEMENT_SIGNED_CHAR, ELEMENT_INT,
                                       ELEMENT_FLOAT, ELEMENT_DOUBLE,      ELEMENT_INT64 };

/*
 * No sum on the way may leave the exact range, whatever subset of the ranks it
 * is over: terms are not negative, so the sum over all ranks is the largest.
 */
static void sum_is_exact_at(enum element type, int nranks, size_t i)
{
    double sum = 0;

    for (int rank = 0; rank < nranks; rank++) {
        const double term = term_at(type, rank, nranks, i);

        if (!(term >= 0 && term == floor(term)))
            fail_msg("rank %d of %d, element %zu: %g", rank, nranks, i, term);
        assert_near(sum_at(type, rank, nranks, i), sum, 0);
        sum += term;
    }
    if (sum > exact_limit(type))
        fail_msg("%s, %d ranks, element %zu: sum %g", element_name(type), nranks, i, sum);
    assert_near(sum_at(type, nranks, nranks, i), sum, 0);
}

TEST(sums_are_exact)
{
    for (size_t t = 0; t < LENGTH(summed); t++) {
        const double limit = exact_limit(summed[t]);

        for (int nranks = 1; nranks <= 100; nranks++)
            for (size_t i = 0; i < 20; i++)
                sum_is_exact_at(summed[t], nranks, i);
        for (int nranks = 101; nranks <= 2000; nranks += limit < 1000 ? 1 : 13)
            for (size_t i = 0; i < 4; i++)
                assert_true(sum_at(summed[t], nranks, nranks, i) <= limit);
    }
    for (size_t i = 0; i < 3; i++) { /* more than all could add */
        assert_true(sum_at(ELEMENT_FLOAT, 5000000, 5000000, i) <= exact_limit(ELEMENT_FLOAT));
        assert_true(sum_at(ELEMENT_SIGNED_CHAR, 1000000, 1000000, i) <=
                    exact_limit(ELEMENT_SIGNED_CHAR));
    }
}

TEST(every_rank_is_in_the_sum)
{
    static const int job[] = { 1, 2, 3, 4, 15, 16, 17, 127, 128, 500, 2000 };

    for (size_t t = 0; t < LENGTH(summed); t++)
        for (size_t j = 0; j < LENGTH(job); j++)
            for (int rank = 0; rank < job[j]; rank++) {
                size_t i = 0;

                while (i < MANY && term_at(summed[t], rank, job[j], i) < 1)
                    i++;
                assert_true(i < MANY);
            }
}

/* Every rank contributes to every element, as long as the sum permits. */
TEST(small_jobs_are_in_every_element)
{
    for (size_t t = 0; t < LENGTH(summed); t++)
        for (int rank = 0; rank < 15; rank++)
            for (size_t i = 0; i < 16; i++)
                assert_true(term_at(summed[t], rank, 15, i) >= 1);
}

/* What ranks contribute to the first elements. */
enum { FEW_RANKS = 9, FIRST = 24, FARTHEST = 1200 };

static double added_by[FEW_RANKS][FIRST + FARTHEST];

static void learn_terms(enum element type, int nranks)
{
    for (int rank = 0; rank < nranks; rank++)
        for (size_t i = 0; i < FIRST + FARTHEST; i++)
            added_by[rank][i] = term_at(type, rank, nranks, i);
}

/* Is what these ranks add up to, each of them so many times, other than what all ranks add
   up to, in one of the first elements at least? */
static bool is_another_sum(const int *times, int nranks)
{
    for (size_t i = 0; i < FIRST; i++) {
        double difference = 0;

        for (int rank = 0; rank < nranks; rank++)
            difference += (times[rank] - 1) * added_by[rank][i];
        if (difference != 0)
            return true;
    }
    return false;
}

/* Every set of ranks that are left out or counted twice, all 3^n of them. */
TEST(no_set_of_ranks_gives_the_right_sum)
{
    for (size_t t = 0; t < LENGTH(summed); t++)
        for (int nranks = 2; nranks <= FEW_RANKS; nranks++) {
            int times[FEW_RANKS] = { 0 }, k = 0, right = 0;

            learn_terms(summed[t], nranks);
            while (k < nranks) {
                right += !is_another_sum(times, nranks);
                for (k = 0; k < nranks && ++times[k] > 2; k++)
                    times[k] = 0;
            }
            assert_int_equal(right, 1); /* where each counts once */
        }
}

/* Does what a set of ranks adds up to differ from what it does so far on? */
static bool moves_with(unsigned set, int nranks, size_t far)
{
    for (size_t i = 0; i < FIRST; i++) {
        double difference = 0;

        for (int rank = 0; rank < nranks; rank++)
            if (set >> rank & 1)
                difference += added_by[rank][i] - added_by[rank][i + far];
        if (difference != 0)
            return true;
    }
    return false;
}

/* Every set of ranks, displaced by every distance. */
TEST(no_displaced_set_of_ranks_looks_right)
{
    for (size_t t = 0; t < LENGTH(summed); t++)
        for (int nranks = 2; nranks <= FEW_RANKS; nranks++) {
            learn_terms(summed[t], nranks);
            for (unsigned set = 1; set < 1u << nranks; set++)
                for (size_t far = 1; far < FARTHEST; far++)
                    if (!moves_with(set, nranks, far))
                        fail_msg("%s, %d ranks, set %x: as %zu further on", element_name(summed[t]),
                                 nranks, set, far);
        }
}

/* At no distance does a rank contribute the same again. */
TEST(terms_do_not_repeat)
{
    static double all[FIRST + MANY];

    for (size_t i = 0; i < LENGTH(all); i++)
        all[i] = term_at(ELEMENT_FLOAT, 1, 4, i);
    for (size_t far = 1; far < MANY; far++)
        assert_memory_not_equal(all, all + far, FIRST * sizeof *all);
}

/* Ranks of a node, as many as processors have cores. */
TEST(no_displaced_node_looks_right)
{
    static const int cores[] = { 4, 7, 8, 14, 16, 28, 32, 48, 56, 64, 112, 128 };

    for (size_t n = 0; n < LENGTH(cores); n++)
        for (int node = 0; node < 4; node++)
            for (size_t far = 1; far < 64; far++) {
                const int first = node * cores[n], all = 4 * cores[n];
                size_t same = 0;

                for (size_t i = 0; i < FIRST; i++) {
                    double here = 0, there = 0;

                    for (int rank = first; rank < first + cores[n]; rank++) {
                        here += term_at(ELEMENT_FLOAT, rank, all, i);
                        there += term_at(ELEMENT_FLOAT, rank, all, i + far);
                    }
                    same += here == there;
                }
                assert_true(same < FIRST / 2);
            }
}

/* Any two ranks, one of them in the place of the other. */
TEST(no_two_ranks_are_alike)
{
    enum { RANKS = 128 };

    for (int a = 0; a < RANKS; a++)
        for (int b = 0; b < a; b++) {
            size_t i = 0;

            while (i < FIRST &&
                   term_at(ELEMENT_INT, a, RANKS, i) == term_at(ELEMENT_INT, b, RANKS, i))
                i++;
            assert_true(i < 12);
        }
}

/* A check begins one element later: no element has the result of the check before, nor of
   one of the four before that. */
TEST(sums_of_checks_differ)
{
    for (size_t t = 0; t < LENGTH(summed); t++)
        for (int nranks = 1; nranks <= 40; nranks++)
            for (size_t i = 0; i < 40; i++)
                for (size_t check = 1; check <= 5; check++)
                    assert_true(sum_at(summed[t], nranks, nranks, i) !=
                                sum_at(summed[t], nranks, nranks, i + check));
}

/* Many at once are what they are one by one, all times the same, also where those of others
   were asked for in between. */
TEST(numbers_are_terms_and_sums)
{
    double sums[300], terms[300], times;

    for (int nranks = 1; nranks < 12; nranks++)
        for (int rank = 0; rank < nranks; rank++)
            for (size_t first = 0; first < 10; first += 3) {
                sum_numbers(ELEMENT_DOUBLE, sums, first, LENGTH(sums), rank + 1, rank, nranks);
                sum_numbers(ELEMENT_DOUBLE, terms, first, LENGTH(terms), 0, rank, nranks);
                times = sums[0] / sum_at(ELEMENT_DOUBLE, rank + 1, nranks, first);
                for (size_t i = 0; i < LENGTH(sums); i++) {
                    assert_true(sums[i] ==
                                times * sum_at(ELEMENT_DOUBLE, rank + 1, nranks, first + i));
                    assert_true(terms[i] ==
                                times * term_at(ELEMENT_DOUBLE, rank, nranks, first + i));
                }
            }
}

/* Is what should stand at i, in one of the first elements at least, another number
   than what stands so far on? */
static bool shift_is_seen(enum element type, int nranks, size_t far)
{
    size_t i = 0;

    while (i < 32 && sum_at(type, nranks, nranks, i) == sum_at(type, nranks, nranks, i + far))
        i++;
    return i < 32;
}

/* A block from elsewhere, whatever the number of ranks. */
TEST(sums_of_another_block_differ)
{
    for (size_t t = 0; t < LENGTH(summed); t++)
        for (int nranks = 2; nranks <= 128; nranks++)
            for (size_t far = 1; far <= 1 << 20; far *= 2)
                if (!shift_is_seen(summed[t], nranks, far))
                    fail_msg("%s, %d ranks: as %zu elements further on", element_name(summed[t]),
                             nranks, far);
}

/* The last step of an algorithm that doubles adds the half of the ranks that a
   rank is in again, and not the other half. */
TEST(sums_of_one_half_twice_differ)
{
    for (int half = 1; half <= 64; half *= 2)
        for (size_t i = 0; i < 8; i++) {
            const double first = sum_at(ELEMENT_INT, half, 2 * half, i);
            const double all = sum_at(ELEMENT_INT, 2 * half, 2 * half, i);
            size_t k = i;

            if (2 * first != all)
                continue;
            do /* the code of a place may make up for it, but not everywhere */
                k++;
            while (k < i + 8 && 2 * sum_at(ELEMENT_INT, half, 2 * half, k) ==
                                    sum_at(ELEMENT_INT, 2 * half, 2 * half, k));
            assert_true(k < i + 8);
        }
}

/* --- Reduction ------------------------------------------------------------ */

/* What --op combines: the result is that of the operation in the element type
   itself, in any order; and it shows that a rank, or another one, has contributed.
   */

enum { PLACES = 600, MOST_RANKS = 40 };

/* One number in the forms of all types. */
union forms {
    signed char c;
    int i;
    float f, complex[2];
    double d;
    int64_t l;
    uint8_t u;
    uint64_t m;
    char bytes[8];
};

#define WHOLE(ctype, x)                                                                            \
    switch (op) {                                                                                  \
    case REDUCTION_PROD:                                                                           \
        a.x = (ctype)(a.x * b.x);                                                                  \
        break;                                                                                     \
    case REDUCTION_MIN:                                                                            \
        a.x = b.x < a.x ? b.x : a.x;                                                               \
        break;                                                                                     \
    case REDUCTION_MAX:                                                                            \
        a.x = b.x > a.x ? b.x : a.x;                                                               \
        break;                                                                                     \
    case REDUCTION_BAND:                                                                           \
        a.x = (ctype)(a.x & b.x);                                                                  \
        break;                                                                                     \
    case REDUCTION_BOR:                                                                            \
        a.x = (ctype)(a.x | b.x);                                                                  \
        break;                                                                                     \
    case REDUCTION_BXOR:                                                                           \
        a.x = (ctype)(a.x ^ b.x);                                                                  \
        break;                                                                                     \
    default:                                                                                       \
        a.x = (ctype)(a.x + b.x);                                                                  \
    }                                                                                              \
    break
#define FLOATING(x)                                                                                \
    a.x = op == REDUCTION_PROD  ? a.x * b.x                                                        \
          : op == REDUCTION_MIN ? (b.x < a.x ? b.x : a.x)                                          \
          : op == REDUCTION_MAX ? (b.x > a.x ? b.x : a.x)                                          \
                                : a.x + b.x;                                                       \
    break

/* As a library does it. */
static union forms combined(enum reduction op, enum element type, union forms a, union forms b)
{
    const float real = a.complex[0], imaginary = a.complex[1];
    double value = element_load(type, a.bytes), other = element_load(type, b.bytes);

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
        store_whole(type, a.bytes, value);
    }
    return a;
}

static union forms contribution(enum reduction op, enum element type, size_t place, int rank, int n)
{
    union forms number = { .m = 0 };

    reduction_contents(op, type, &number, place, 1, 0, rank, n);
    return number;
}

/* Of the ranks from 0 to last but one that is left out, in another order. */
static union forms brute(enum reduction op, enum element type, size_t place, int ranks, int n,
                         int left_out)
{
    union forms sum = { .m = 0 };
    bool begun = false;

    for (int i = ranks - 1; i >= 0; i--) {
        const union forms next = contribution(op, type, place, i, n);

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
    { "sum", REDUCTION_SUM },   { "prod", REDUCTION_PROD }, { "min", REDUCTION_MIN },
    { "max", REDUCTION_MAX },   { "band", REDUCTION_BAND }, { "bor", REDUCTION_BOR },
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
    static union forms right[PLACES];
    int combinations = 0;

    for (int t = ELEMENT_SIGNED_CHAR; t < ELEMENT_COUNT; t++) {
        const enum element type = (enum element)t;
        const size_t size = element_size(type);

        if (!can_combine(row->op, &type, 1))
            continue;
        for (size_t r = 0; r < LENGTH(ranks); r++)
            for (int part = 1; part <= ranks[r]; part += part / 4 + 1) {
                char got[PLACES * 8];

                reduction_contents(row->op, type, got, 3, PLACES, part, 0, ranks[r]);
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
                const union forms with = brute(row->op, type, i, n, n, -1),
                                  out = brute(row->op, type, i, n, n, rank);

                missed = memcmp(&with, &out, sizeof with.i) != 0;
            }
            assert_true(missed);
        }
}

/* A library that combines them in a narrower type gives another result. */
static bool fits(enum element type, enum element narrower, const void *value)
{
    char narrow[16], back[16];

    if (type == ELEMENT_INT64 && narrower == ELEMENT_INT)
        return *(const int64_t *)value == (int32_t) * (const int64_t *)value;
    if (type == ELEMENT_UINT64 && narrower == ELEMENT_INT64) /* signs */
        return *(const uint64_t *)value < INT64_MAX;
    store_whole(narrower, narrow, element_load(type, value));
    store_whole(type, back, element_load(narrower, narrow));
    return memcmp(back, value, element_size(type)) == 0;
}

TEST(numbers_need_the_whole_type)
{
    static const struct {
        enum element type, narrower;
    } pair[] = {
        { ELEMENT_DOUBLE, ELEMENT_FLOAT },     { ELEMENT_FLOAT, ELEMENT_FLOAT16 },
        { ELEMENT_INT, ELEMENT_FLOAT },        { ELEMENT_INT64, ELEMENT_DOUBLE },
        { ELEMENT_UINT64, ELEMENT_DOUBLE },    { ELEMENT_INT64, ELEMENT_INT },
        { ELEMENT_COMPLEX, ELEMENT_BFLOAT16 },
    };
    static const enum reduction op[] = { REDUCTION_SUM, REDUCTION_MIN, REDUCTION_MAX };

    for (size_t p = 0; p < LENGTH(pair); p++)
        for (size_t o = 0; o < LENGTH(op); o++)
            for (int nranks = 2; nranks < 40; nranks += 3) {
                const enum element type = pair[p].type;
                _Alignas(8) char all[PLACES * 8];
                int fitting = 0;

                if (!can_combine(op[o], &type, 1))
                    continue;
                reduction_contents(op[o], type, all, 3, PLACES, nranks, 0, nranks);
                for (size_t i = 0; i < PLACES; i++)
                    fitting += fits(type, pair[p].narrower, all + i * element_size(type));
                assert_true(fitting < PLACES / 2);
            }
}

/* Numbers without signs are ordered otherwise where they are taken for signed ones. */
TEST(order_of_numbers_without_signs)
{
    uint8_t bytes[PLACES];
    uint64_t words[PLACES];
    int low[2] = { 0 };

    reduction_contents(REDUCTION_MAX, ELEMENT_UINT8, bytes, 0, PLACES, 0, 0, 3);
    reduction_contents(REDUCTION_MAX, ELEMENT_UINT64, words, 0, PLACES, 0, 0, 3);
    for (int i = 0; i < PLACES; i++) {
        low[0] += bytes[i] <= INT8_MAX;
        low[1] += words[i] <= INT64_MAX;
    }
    for (int i = 0; i < 2; i++)
        assert_true(low[i] > PLACES / 8 && low[i] < PLACES - PLACES / 8);
}

TEST(illegal_pairs_are_refused)
{
    static const struct {
        enum reduction op;
        enum element type;
        bool legal;
    } pairs[] = {
        { REDUCTION_BAND, ELEMENT_FLOAT, false },   { REDUCTION_BOR, ELEMENT_DOUBLE, false },
        { REDUCTION_BXOR, ELEMENT_COMPLEX, false }, { REDUCTION_BXOR, ELEMENT_FLOAT16, false },
        { REDUCTION_BAND, ELEMENT_UINT8, true },    { REDUCTION_BOR, ELEMENT_SIGNED_CHAR, true },
        { REDUCTION_MIN, ELEMENT_COMPLEX, false },  { REDUCTION_MAX, ELEMENT_COMPLEX, false },
        { REDUCTION_MAX, ELEMENT_BFLOAT16, true },  { REDUCTION_PROD, ELEMENT_COMPLEX, true },
        { REDUCTION_USER, ELEMENT_COMPLEX, true },
    };

    for (size_t i = 0; i < LENGTH(pairs); i++) {
        const enum element types[] = { ELEMENT_INT, pairs[i].type };

        assert_int_equal(can_combine(pairs[i].op, types, 2), pairs[i].legal);
    }
}

/* --- A message ------------------------------------------------------------ */

/* From rank 1 to rank 0 and back, as rank 0 sees it. */

static char buffer_sent[LONGEST + BUFFER_GUARD], buffer_received[LONGEST + BUFFER_GUARD];

static const struct message_row {
    const char *name;
    size_t bytes;
    bool arrives;
    char *changed; /* one byte there; or NULL */
    size_t at;
    bool right;
} message_rows[] = {
    { "it arrives", 1000, true, NULL, 0, true },
    { "a byte arrives", 1, true, NULL, 0, true },
    { "nothing is to arrive", 0, true, NULL, 0, true },
    { "it does not arrive", 1000, false, NULL, 0, false },
    { "a byte does not arrive", 1, false, NULL, 0, false },
    { "the first byte is wrong", 1000, true, buffer_received, 0, false },
    { "the last byte is wrong", LONGEST, true, buffer_received, LONGEST - 1, false },
    { "the byte after the end is wrong", 1000, true, buffer_received, 1000, false },
    { "so is one after no byte", 0, true, buffer_received, 0, false },
    { "the last of the guard is wrong", 1000, true, buffer_received, 1000 + BUFFER_GUARD - 1,
      false },
    { "what was sent is changed", 1000, true, buffer_sent, 999, false },
};

/* More checks than a byte has values: none is right by chance. */
TEST_ROWS(message_rows, message_is_verified)
{
    for (unsigned check = 1; check <= 300; check++) {
        const struct bench_run r = { .nranks = 2,
                                     .peer = 1,
                                     .sender = true,
                                     .bytes = row->bytes,
                                     .count = (int)row->bytes,
                                     .checks = check };
        const struct typemap pieces = {
            .unit = 1, .elements = row->bytes, .n = 1, .stride = row->bytes, .block = row->bytes
        };
        const struct verify v = { .run = &r,
                                  .flow = &flow_ping_pong,
                                  .send_kind = &memory_host,
                                  .recv_kind = &memory_host,
                                  .pieces = &pieces,
                                  .send = buffer_sent,
                                  .recv = buffer_received };
        struct mismatch first;

        verify_fill(&v);
        if (row->arrives)
            contents_fill(buffer_received, row->bytes, 0, 1, 0, 0, check);
        if (row->changed != NULL)
            row->changed[row->at] ^= 1;
        assert_int_equal(verify_check(&v, &first), row->right);
        assert_int_equal(first.wrong > 0, !row->right);
    }
}
