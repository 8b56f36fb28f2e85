/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduction.h"

#include <math.h>
#include <string.h>

#include "base/shuffle.h"
#include "data/datatype.h"

const struct choice reduction_words[] = {
    { "sum", REDUCTION_SUM, "MPI_SUM" },
    { "prod", REDUCTION_PROD, "MPI_PROD" },
    { "min", REDUCTION_MIN, "MPI_MIN" },
    { "max", REDUCTION_MAX, "MPI_MAX" },
    { "band", REDUCTION_BAND, "MPI_BAND, of whole numbers" },
    { "bor", REDUCTION_BOR, "MPI_BOR, of whole numbers" },
    { "bxor", REDUCTION_BXOR, "MPI_BXOR, of whole numbers" },
    { "user", REDUCTION_USER, "a sum by a function of the program" },
    { 0 },
};

static bool is_of_bits(enum reduction op)
{
    return op == REDUCTION_BAND || op == REDUCTION_BOR || op == REDUCTION_BXOR;
}

static bool is_of_order(enum reduction op)
{
    return op == REDUCTION_MIN || op == REDUCTION_MAX;
}

void reduction_refuse(enum reduction op, const enum element *types, int n, struct refusal *r)
{
    for (int i = 0; i < n; i++) {
        const enum element_kind kind = element_kind(types[i]);

        if (is_of_bits(op) && kind != ELEMENT_SIGNED && kind != ELEMENT_UNSIGNED)
            refusal_because(r, E12_USAGE,
                            "--op=band, bor and bxor combine whole numbers only: add -T mpi_int, "
                            "mpi_int64, mpi_char, mpi_uint8 or mpi_uint64");
        if (is_of_order(op) && kind == ELEMENT_IMAGINARY)
            refusal_because(r, E12_USAGE,
                            "--op=min and max cannot compare complex numbers: "
                            "leave out -T mpi_complex");
    }
}

/* --- Numbers of a type --------------------------------------------------------- */

/* Up to this every whole number is exact in type: sums that are verified stay below. */
static double exact_limit(enum element type)
{
    static const double limit[ELEMENT_COUNT] = {
        [ELEMENT_CHAR] = 127,
        [ELEMENT_SIGNED_CHAR] = 127,
        [ELEMENT_INT] = 2147483647,
        [ELEMENT_FLOAT] = 16777216,
        [ELEMENT_DOUBLE] = 9007199254740992,
        [ELEMENT_INT64] = 9007199254740992,
        [ELEMENT_UINT8] = 255,
        [ELEMENT_UINT64] = 9007199254740992,
        [ELEMENT_COMPLEX] = 16777216,
        [ELEMENT_FLOAT16] = 2048,
        [ELEMENT_BFLOAT16] = 256,
    };

    return limit[type];
}

/* Compilers need not have these two types: a sign, 5 bits of exponent and 10 of
   mantissa; too small is 0, too large is infinite. */
static uint16_t half_of(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0, infinite = 0x7c00;
    int exponent;
    const double mantissa = frexp(fabs(value), &exponent);
    const double scaled = nearbyint(ldexp(mantissa, 11)); /* 1024 to 2048 */

    if (isnan(value))
        return 0x7e00;
    if (isinf(value) || exponent > 16)
        return sign | infinite;
    if (value == 0 || exponent < -13)
        return sign;
    /* A mantissa that was rounded up to 2048 carries into the exponent. */
    return sign | (uint16_t)((exponent + 13) * 1024 + (int)scaled);
}

/* Rounded to the nearest, ties to even. */
static uint16_t upper_half_of(double value)
{
    const float number = (float)value;
    uint32_t bits;

    memcpy(&bits, &number, sizeof bits);
    if (!isnan(value))
        bits += 0x7fff + (bits >> 16 & 1);
    return (uint16_t)(bits >> 16);
}

/* memcpy, not a cast: slots of a window need not be aligned for the type. */
#define STORE(ctype, number)                                                                       \
    {                                                                                              \
        const ctype v = (ctype)(number);                                                           \
        memcpy(to, &v, sizeof v);                                                                  \
        break;                                                                                     \
    }

/* Store the whole number value, which must be within the limit, at *to.  A complex number gets
   the negative of it as its imaginary part. */
static void store_whole(enum element type, void *to, double value)
{
    const float both[] = { (float)value, (float)-value };

    switch (type) {
    case ELEMENT_INT:
        STORE(int, value)
    case ELEMENT_FLOAT:
        STORE(float, value)
    case ELEMENT_DOUBLE:
        STORE(double, value)
    case ELEMENT_INT64:
        STORE(int64_t, value)
    case ELEMENT_UINT8:
        STORE(uint8_t, value)
    case ELEMENT_UINT64:
        STORE(uint64_t, value)
    case ELEMENT_COMPLEX:
        memcpy(to, both, sizeof both);
        break;
    case ELEMENT_FLOAT16:
        STORE(uint16_t, half_of(value))
    case ELEMENT_BFLOAT16:
        STORE(uint16_t, upper_half_of(value))
    default:
        STORE(signed char, value)
    }
}

/* Has it whole numbers that a double does not hold? */
static bool is_long(enum element type)
{
    return type == ELEMENT_INT64 || type == ELEMENT_UINT64;
}

/* The largest k with which whole numbers up to most, times 2^k + 1, are exact; 0: none. */
static int spare_bits(enum element type, double most)
{
    const int bits = !is_long(type)                         ? ilogb(exact_limit(type) + 1)
                     : element_kind(type) == ELEMENT_SIGNED ? 63
                                                            : 64;
    const int needed = ilogb(most) + 1, spare = bits - needed;

    /* If the value and 2^k times the value have bits in common, their sum may need one more. */
    return spare >= needed ? spare : spare > 1 ? spare - 1 : 0;
}

/* Store value * (2^spare + 1), which a narrower type does not hold; of 0 the value itself. */
static void store_wide(enum element type, void *to, double value, int spare)
{
    const uint64_t whole = (uint64_t)(int64_t)value;
    const uint64_t wide = (whole << spare) + whole; /* a double holds less */

    if (spare > 0 && is_long(type))
        memcpy(to, &wide, sizeof wide);
    else
        store_whole(type, to, spare > 0 ? ldexp(value, spare) + value : value);
}

/* --- The operation in MPI --------------------------------------------------- */

#define ADD(ctype)                                                                                 \
    {                                                                                              \
        const ctype *a = in;                                                                       \
        ctype *b = inout;                                                                          \
                                                                                                   \
        for (int i = 0; i < numbers; i++)                                                          \
            b[i] = (ctype)(a[i] + b[i]);                                                           \
        return;                                                                                    \
    }

/* Types that compilers need not have. */
static void add_halves(enum element type, const char *in, char *inout, int n)
{
    for (int i = 0; i < 2 * n; i += 2)
        store_whole(type, inout + i, element_load(type, in + i) + element_load(type, inout + i));
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int element = 0, numbers = *n;

    while (element < ELEMENT_COUNT && datatype_of((enum element)element) != *type)
        element++;
    switch (element) {
    case ELEMENT_SIGNED_CHAR:
        ADD(signed char)
    case ELEMENT_INT:
        ADD(int)
    case ELEMENT_FLOAT:
        ADD(float)
    case ELEMENT_DOUBLE:
        ADD(double)
    case ELEMENT_INT64:
        ADD(int64_t)
    case ELEMENT_UINT8:
        ADD(uint8_t)
    case ELEMENT_UINT64:
        ADD(uint64_t)
    case ELEMENT_COMPLEX:
        numbers *= 2; /* floats */
        ADD(float)
    default:
        add_halves((enum element)element, in, inout, *n);
    }
}

static MPI_Op op_of(enum reduction op)
{
    const MPI_Op ops[] = {
        [REDUCTION_SUM] = MPI_SUM,   [REDUCTION_PROD] = MPI_PROD, [REDUCTION_MIN] = MPI_MIN,
        [REDUCTION_MAX] = MPI_MAX,   [REDUCTION_BAND] = MPI_BAND, [REDUCTION_BOR] = MPI_BOR,
        [REDUCTION_BXOR] = MPI_BXOR,
    };

    return ops[op];
}

MPI_Op reduction_begin(enum reduction op)
{
    MPI_Op made;

    if (op != REDUCTION_USER)
        return op_of(op);
    MPI_Op_create(add, 1, &made);
    return made;
}

void reduction_end(enum reduction op, MPI_Op *made)
{
    if (op == REDUCTION_USER && *made != MPI_SUM)
        MPI_Op_free(made);
}

/* --- Sums ---------------------------------------------------------------------- */

/*
 * The numbers of a sum.  Each element has a key, and each rank adds to it a level, a hash of rank
 * and key.  Keys are drawn by a hash of the element's number and never repeat in order, so that
 * neither a displaced block nor what any set of ranks adds up to looks like another.  Rank 0 adds
 * what makes the sum over all ranks equal to the number of the element modulo LEVELS, so that no
 * result is that of the check before.
 */
enum { LEVELS = 7, GROUPS = 585, KEYS = LEVELS * GROUPS };

static unsigned key_of(size_t i)
{
    return LEVELS * (unsigned)(shuffle_hash(i) % GROUPS) + (unsigned)(i % LEVELS);
}

/* Ranks that add to the same element are so far apart; 1: all ranks do. */
static int spacing(enum element type, int nranks)
{
    const double most = floor((exact_limit(type) - (LEVELS - 1)) / LEVELS);

    return (int)ceil(nranks / most);
}

static int level(int rank, unsigned key, int gap)
{
    if (((unsigned)rank + key) % (unsigned)gap != 0)
        return 0;
    return 1 + (int)(shuffle_hash(shuffle_hash(key) + (unsigned)rank) % LEVELS);
}

/* Of all ranks before that one. */
static double levels_before(int rank, unsigned key, int gap)
{
    double sum = 0;

    for (int i = (int)((unsigned)gap - key % (unsigned)gap) % gap; i < rank; i += gap)
        sum += level(i, key, gap);
    return sum;
}

/* What rank 0 adds to its level. */
static double added(unsigned key, int gap, int nranks)
{
    const unsigned all = (unsigned)fmod(levels_before(nranks, key, gap), LEVELS);

    return (key % LEVELS + LEVELS - all) % LEVELS;
}

/* The contribution of a rank to the element of that key of a sum over nranks ranks.  It is
   at least 1 where the rank contributes.  Where nranks is so large that the type could
   overflow, each rank contributes to every M-th element only. */
static double term(enum element type, int rank, int nranks, unsigned key)
{
    const int gap = spacing(type, nranks);

    return level(rank, key, gap) + (rank == 0 ? added(key, gap, nranks) : 0);
}

/* The sum of these terms over the first ranks of nranks: all of them, or those of a prefix sum. */
static double sum(enum element type, int ranks, int nranks, unsigned key)
{
    const int gap = spacing(type, nranks);

    return levels_before(ranks, key, gap) + (ranks > 0 ? added(key, gap, nranks) : 0);
}

/* No sum is more. */
static double most(enum element type, int nranks)
{
    const int gap = spacing(type, nranks);

    return LEVELS * (double)((nranks + gap - 1) / gap) + LEVELS - 1;
}

/* The numbers of all keys, as far as they were asked for: a hash for each rank and element
   would take longer than the operation that is verified. */
struct numbers {
    enum element type;
    int ranks, rank, nranks;
    bool known[KEYS];
    char value[KEYS * sizeof(double)]; /* the longest element */
};

/* Those that were used last, of sums and of the terms of a rank. */
static struct numbers *numbers_of(enum element type, int ranks, int rank, int nranks)
{
    static struct numbers kept[4];
    struct numbers *to = &kept[ranks > 0 ? 2 + ranks % 2 : rank % 2];

    if (to->nranks != nranks || to->type != type || to->ranks != ranks ||
        (ranks == 0 && to->rank != rank))
        *to = (struct numbers){ .type = type, .ranks = ranks, .rank = rank, .nranks = nranks };
    return to;
}

/* n elements from the first on: such sums over ranks or, of 0, the terms of rank, times what
   spare_bits says.  Not for several threads at a time. */
static void sum_numbers(enum element type, void *to, size_t first, size_t n, int ranks, int rank,
                        int nranks)
{
    const size_t size = element_size(type);
    const int spare = spare_bits(type, most(type, nranks));
    struct numbers *all = numbers_of(type, ranks, rank, nranks);
    char *at = to;

    for (size_t i = 0; i < n; i++, at += size) {
        const unsigned key = key_of(first + i);
        char *value = all->value + key * size;

        if (!all->known[key])
            store_wide(type, value,
                       ranks > 0 ? sum(type, ranks, nranks, key) : term(type, rank, nranks, key),
                       spare);
        all->known[key] = true;
        memcpy(at, value, size);
    }
}

/* --- Other operations ------------------------------------------------------------- */

enum { SPAN = 100, FACTORS = 3 };

/* A number in whatever form the operation needs: of bits, or real and imaginary. */
struct number {
    uint64_t bits;
    double real, imaginary;
};

/* Ranks that contribute to an element, at most. */
static int most_of(enum reduction op)
{
    return op == REDUCTION_PROD ? FACTORS : op == REDUCTION_BAND || op == REDUCTION_BOR ? 4 : 16;
}

/* The least that is compared.  Numbers lie below and above 0 or, without signs, below and above
   the first that is negative where it is taken for a number with a sign. */
static double least_of(enum element type)
{
    return element_kind(type) == ELEMENT_UNSIGNED ? 78 : -50;
}

/* What is added to factors so that a product of them needs most bits of the type. */
static double base_of(enum element type)
{
    const int bits = ilogb(exact_limit(type)) / FACTORS - 1;

    return bits > 4 ? ldexp(1, bits) : 0;
}

/* What changes nothing. */
static struct number neutral(enum reduction op, enum element type)
{
    switch (op) {
    case REDUCTION_PROD:
        return (struct number){ .real = 1 };
    case REDUCTION_MIN:
        return (struct number){ .real = least_of(type) + SPAN };
    case REDUCTION_MAX:
        return (struct number){ .real = least_of(type) - 1 };
    case REDUCTION_BAND:
        return (struct number){ .bits = UINT64_MAX };
    default:
        return (struct number){ .bits = 0 };
    }
}

static struct number contributed(enum reduction op, enum element type, int rank, size_t place)
{
    static const int factor[FACTORS] = { 2, 3, 5 };
    static const struct number complex[] = { { 0, 2, 1 }, { 0, 1, 2 }, { 0, 1, -2 } };
    const uint64_t any = shuffle_hash(shuffle_hash((uint64_t)place) + (uint64_t)rank);
    const uint64_t few = any & shuffle_hash(any);

    switch (op) {
    case REDUCTION_PROD:
        return element_kind(type) == ELEMENT_IMAGINARY
                   ? complex[any % FACTORS]
                   : (struct number){ .real = factor[any % FACTORS] + base_of(type) };
    case REDUCTION_MIN:
    case REDUCTION_MAX:
        return (struct number){ .real = least_of(type) + (double)(any % SPAN) };
    case REDUCTION_BAND:
        return (struct number){ .bits = ~few };
    case REDUCTION_BOR:
        return (struct number){ .bits = few };
    default:
        return (struct number){ .bits = any };
    }
}

static struct number combine(enum reduction op, struct number a, struct number b)
{
    switch (op) {
    case REDUCTION_PROD:
        return (struct number){ .real = a.real * b.real - a.imaginary * b.imaginary,
                                .imaginary = a.real * b.imaginary + a.imaginary * b.real };
    case REDUCTION_MIN:
        return a.real < b.real ? a : b;
    case REDUCTION_MAX:
        return a.real > b.real ? a : b;
    case REDUCTION_BAND:
        return (struct number){ .bits = a.bits & b.bits };
    case REDUCTION_BOR:
        return (struct number){ .bits = a.bits | b.bits };
    default:
        return (struct number){ .bits = a.bits ^ b.bits };
    }
}

static void store_bits(size_t size, void *to, uint64_t bits)
{
    const uint8_t byte = (uint8_t)bits;
    const uint32_t word = (uint32_t)bits;

    memcpy(to,
           size == 1   ? (const void *)&byte
           : size == 4 ? (const void *)&word
                       : (const void *)&bits,
           size);
}

static void store(enum reduction op, enum element type, void *to, struct number number)
{
    const float both[] = { (float)number.real, (float)number.imaginary };

    if (is_of_bits(op))
        store_bits(element_size(type), to, number.bits);
    else if (element_kind(type) == ELEMENT_IMAGINARY)
        memcpy(to, both, sizeof both);
    else
        store_wide(type, to, number.real,
                   is_of_order(op) ? spare_bits(type, least_of(type) + SPAN) : 0);
}

/* The result over the first ranks or, of 0, what rank contributes. */
static struct number number_at(enum reduction op, enum element type, size_t place, int ranks,
                               int rank, int nranks)
{
    const int most = most_of(op), gap = (nranks + most - 1) / most;
    const int first = (int)(((size_t)gap - place % (size_t)gap) % (size_t)gap);
    struct number result = neutral(op, type);

    if (ranks == 0)
        return rank % gap == first ? contributed(op, type, rank, place) : result;
    for (int i = first; i < ranks; i += gap)
        result = combine(op, result, contributed(op, type, i, place));
    return result;
}

void reduction_contents(enum reduction op, enum element type, void *to, size_t first, size_t n,
                        int ranks, int rank, int nranks)
{
    char *at = to;

    if (op == REDUCTION_SUM || op == REDUCTION_USER) {
        sum_numbers(type, to, first, n, ranks, rank, nranks);
        return;
    }
    for (size_t i = 0; i < n; i++, at += element_size(type))
        store(op, type, at, number_at(op, type, first + i, ranks, rank, nranks));
}

void reduction_numbers(const struct bench_run *r, enum element type, void *to, size_t first,
                       size_t n, int ranks, int rank, int nranks)
{
    int op = 0;

    while (op < REDUCTION_USER && op_of((enum reduction)op) != r->op)
        op++;
    reduction_contents((enum reduction)op, type, to, first, n, ranks, rank, nranks);
}
