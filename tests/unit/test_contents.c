/* SPDX-License-Identifier: BSD-3-Clause */
/* Contents of verified messages: moved bytes are told apart whatever changes
   places, sums stay exact in their type on any number of ranks. */
#include "unit.h"

#include "data/contents.h"

enum { LONGEST = 3 * 4096 + 100 }; /* more than one chunk of the module */

static const size_t lengths[] = { 0,    1,    2,    7,    8,      9,
                                  63,   64,   65,   4088, 4095,   4096,
                                  4097, 8191, 8193, 9000, LONGEST };

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
            contents_fill(got, n, offsets[o], 3, 5, 2);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(got[i],
                                 contents_byte(offsets[o] + i, 3, 5, 2));
            assert_int_equal(got[n], behind);
        }
}

/* Index of the first of n bytes that is not the pattern's, or n. */
static size_t first_wrong(const unsigned char *got, size_t n, int from,
                          int dest, int slot)
{
    size_t i = 0;

    while (i < n && got[i] == contents_byte(i, from, dest, slot))
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

            contents_fill(a, sizeof a, 0, who[i].from, who[i].to, who[i].slot);
            contents_fill(b, sizeof b, 0, who[j].from, who[j].to, who[j].slot);
            assert_true(first_wrong(a, sizeof a, who[j].from, who[j].to,
                                    who[j].slot) < 8);
            for (size_t k = 0; k < sizeof a; k++)
                same += a[k] == b[k];
            assert_true(same < 8); /* about 1 byte in 256 by chance */
        }
}

TEST(blocks_of_a_message_differ)
{
    static unsigned char got[8192];

    contents_fill(got, sizeof got, 0, 0, 1, 0);
    for (size_t shift = 1; shift <= 4096; shift++)
        assert_memory_not_equal(got, got + shift, 16);
    memset(got, 0, sizeof got); /* nothing arrived */
    assert_true(first_wrong(got, sizeof got, 0, 1, 0) < 8);
}

static const enum element types[] = { ELEMENT_CHAR,   ELEMENT_SIGNED_CHAR,
                                      ELEMENT_INT,    ELEMENT_FLOAT,
                                      ELEMENT_DOUBLE, ELEMENT_INT64 };

/*
 * No sum on the way may leave the exact range, whatever subset of the ranks it
 * is over: terms are not negative, so the sum over all ranks is the largest.
 */
static void sum_is_exact_at(enum element type, int nranks, size_t i)
{
    double sum = 0;

    for (int rank = 0; rank < nranks; rank++) {
        const double term = contents_term(type, rank, nranks, i);

        if (!(term >= 0 && term == floor(term)))
            fail_msg("rank %d of %d, element %zu: %g", rank, nranks, i, term);
        assert_near(contents_sum(type, rank, nranks, i), sum, 0);
        sum += term;
    }
    if (sum > element_exact_limit(type))
        fail_msg("%s, %d ranks, element %zu: sum %g", element_name(type),
                 nranks, i, sum);
    assert_near(contents_sum(type, nranks, nranks, i), sum, 0);
}

TEST(sums_are_exact)
{
    for (size_t t = 0; t < LENGTH(types); t++) {
        const double limit = element_exact_limit(types[t]);

        for (int nranks = 1; nranks <= 100; nranks++) {
            const size_t period = contents_period(types[t], nranks);

            for (size_t i = 0; i < period + 2; i++)
                sum_is_exact_at(types[t], nranks, i);
        }
        for (int nranks = 101; nranks <= 2000;
             nranks += limit < 1000 ? 1 : 13) {
            const size_t period = contents_period(types[t], nranks);

            for (size_t i = 0; i < period + 2; i += period / 3 + 1)
                assert_true(contents_sum(types[t], nranks, nranks, i) <= limit);
        }
    }
    for (size_t t = 0; t < LENGTH(types); t++)
        for (int i = 0; i < 4; i++)
            sum_is_exact_at(types[t], 100000, (size_t)i * 9973);
    sum_is_exact_at(ELEMENT_FLOAT, 5000000, 1);  /* more than all could add */
    for (size_t i = 0; i < 1000000; i += 314159) /* and of so many one byte */
        sum_is_exact_at(ELEMENT_SIGNED_CHAR, 1000000, i);
}

TEST(every_rank_is_in_the_sum)
{
    static const int job[] = { 1, 2, 3, 4, 15, 16, 17, 127, 128, 500, 2000 };

    for (size_t t = 0; t < LENGTH(types); t++)
        for (size_t j = 0; j < LENGTH(job); j++) {
            const size_t period = contents_period(types[t], job[j]);

            for (int rank = 0; rank < job[j]; rank++) {
                size_t i = 0;

                while (i < period &&
                       contents_term(types[t], rank, job[j], i) < 1)
                    i++;
                assert_true(i < period);
            }
        }
}

/* Every rank contributes to every element, as long as the sum permits. */
TEST(small_jobs_are_in_every_element)
{
    for (size_t t = 0; t < LENGTH(types); t++)
        for (int rank = 0; rank < 15; rank++)
            for (size_t i = 0; i < 16; i++)
                assert_true(contents_term(types[t], rank, 15, i) >= 1);
}

/* A neighbour's element or term in the place of the right one is noticed. */
TEST(terms_differ)
{
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < i; j++) {
            assert_true(contents_term(ELEMENT_INT, 0, 4, i) !=
                        contents_term(ELEMENT_INT, 0, 4, j));
            assert_true(contents_term(ELEMENT_INT, (int)i, 8, 0) !=
                        contents_term(ELEMENT_INT, (int)j, 8, 0));
        }
}

/* Is what should stand at i, in one of the first elements at least, another number
   than what stands so far on? */
static bool shift_is_seen(enum element type, int nranks, size_t far)
{
    size_t i = 0;

    while (i < 32 && contents_sum(type, nranks, nranks, i) ==
                         contents_sum(type, nranks, nranks, i + far))
        i++;
    return i < 32;
}

/* A block from elsewhere, whatever the number of ranks. */
TEST(sums_of_another_block_differ)
{
    for (size_t t = 0; t < LENGTH(types); t++)
        for (int nranks = 2; nranks <= 128; nranks++)
            for (size_t far = 1; far <= 1 << 20; far *= 2)
                if (!shift_is_seen(types[t], nranks, far))
                    fail_msg("%s, %d ranks: as %zu elements further on",
                             element_name(types[t]), nranks, far);
}

/* The last step of an algorithm that doubles adds the half of the ranks that a
   rank is in again, and not the other half. */
TEST(sums_of_one_half_twice_differ)
{
    for (int half = 1; half <= 64; half *= 2)
        for (size_t i = 0; i < 8; i++) {
            const double first = contents_sum(ELEMENT_INT, half, 2 * half, i);
            const double all = contents_sum(ELEMENT_INT, 2 * half, 2 * half, i);
            size_t k = i;

            if (2 * first != all)
                continue;
            do /* the code of a place may make up for it, but not everywhere */
                k++;
            while (k < i + 8 &&
                   2 * contents_sum(ELEMENT_INT, half, 2 * half, k) ==
                       contents_sum(ELEMENT_INT, 2 * half, 2 * half, k));
            assert_true(k < i + 8);
        }
}

TEST(terms_and_sums_repeat)
{
    static const int job[] = { 1, 5, 100, 1000 };

    for (size_t t = 0; t < LENGTH(types); t++)
        for (size_t j = 0; j < LENGTH(job); j++) {
            const size_t period = contents_period(types[t], job[j]);

            assert_true(period > 0);
            for (size_t i = 0; i < 2 * period; i += 1 + period / 16) {
                assert_near(
                    contents_term(types[t], job[j] - 1, job[j], i),
                    contents_term(types[t], job[j] - 1, job[j], i + period), 0);
                assert_near(
                    contents_sum(types[t], job[j], job[j], i),
                    contents_sum(types[t], job[j], job[j], i + 3 * period), 0);
            }
        }
}
