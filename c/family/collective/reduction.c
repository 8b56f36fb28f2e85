/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduction.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/shuffle.h"
#include "data/datatype.h"
#include "data/verify.h"

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

void reduction_refuse(enum reduction op, const enum element *types, int n,
                      struct refusal *r)
{
    for (int i = 0; i < n; i++) {
        const enum element_kind kind = element_kind(types[i]);

        if (is_of_bits(op) && kind != ELEMENT_SIGNED &&
            kind != ELEMENT_UNSIGNED)
            refusal_because(r, E12_USAGE,
                            "--op=band, bor and bxor combine whole numbers "
                            "only: add -T mpi_int, mpi_int64, mpi_char, "
                            "mpi_uint8 or mpi_uint64");
        if (is_of_order(op) && kind == ELEMENT_IMAGINARY)
            refusal_because(r, E12_USAGE,
                            "--op=min and max cannot compare complex numbers: "
                            "leave out -T mpi_complex");
    }
}

/* --- The operation in MPI --------------------------------------------------- */

#define ADD(ctype)                                                             \
    {                                                                          \
        const ctype *a = in;                                                   \
        ctype *b = inout;                                                      \
                                                                               \
        for (int i = 0; i < numbers; i++)                                      \
            b[i] = (ctype)(a[i] + b[i]);                                       \
        return;                                                                \
    }

/* Types that compilers need not have. */
static void add_halves(enum element type, const char *in, char *inout, int n)
{
    for (int i = 0; i < 2 * n; i += 2)
        element_store(type, inout + i,
                      element_load(type, in + i) +
                          element_load(type, inout + i));
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int element = 0, numbers = *n;

    while (element < ELEMENT_COUNT &&
           datatype_of((enum element)element) != *type)
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
        [REDUCTION_SUM] = MPI_SUM,   [REDUCTION_PROD] = MPI_PROD,
        [REDUCTION_MIN] = MPI_MIN,   [REDUCTION_MAX] = MPI_MAX,
        [REDUCTION_BAND] = MPI_BAND, [REDUCTION_BOR] = MPI_BOR,
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

/* --- Numbers whose result is known ------------------------------------------- */

enum { SPAN = 100, FACTORS = 3 };

/* A number in whatever form the operation needs: of bits, or real and imaginary. */
struct number {
    uint64_t bits;
    double real, imaginary;
};

/* Ranks that contribute to an element, at most. */
static int most_of(enum reduction op)
{
    return op == REDUCTION_PROD                          ? FACTORS
           : op == REDUCTION_BAND || op == REDUCTION_BOR ? 4
                                                         : 16;
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
    const int bits = ilogb(element_exact_limit(type)) / FACTORS - 1;

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

static struct number contributed(enum reduction op, enum element type, int rank,
                                 size_t place)
{
    static const int factor[FACTORS] = { 2, 3, 5 };
    static const struct number complex[] = { { 0, 2, 1 },
                                             { 0, 1, 2 },
                                             { 0, 1, -2 } };
    const uint64_t any =
        shuffle_hash(shuffle_hash((uint64_t)place) + (uint64_t)rank);
    const uint64_t few = any & shuffle_hash(any);

    switch (op) {
    case REDUCTION_PROD:
        return element_kind(type) == ELEMENT_IMAGINARY
                   ? complex[any % FACTORS]
                   : (struct number){ .real = factor[any % FACTORS] +
                                              base_of(type) };
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

static struct number combine(enum reduction op, struct number a,
                             struct number b)
{
    switch (op) {
    case REDUCTION_PROD:
        return (struct number){
            .real = a.real * b.real - a.imaginary * b.imaginary,
            .imaginary = a.real * b.imaginary + a.imaginary * b.real
        };
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

static void store(enum reduction op, enum element type, void *to,
                  struct number number)
{
    const float both[] = { (float)number.real, (float)number.imaginary };

    if (is_of_bits(op))
        store_bits(element_size(type), to, number.bits);
    else if (element_kind(type) == ELEMENT_IMAGINARY)
        memcpy(to, both, sizeof both);
    else
        element_store_wide(
            type, to, number.real,
            is_of_order(op) ? element_spare(type, least_of(type) + SPAN) : 0);
}

/* The result over the first ranks or, of 0, what rank contributes. */
static struct number number_at(enum reduction op, enum element type,
                               size_t place, int ranks, int rank, int nranks)
{
    const int most = most_of(op), gap = (nranks + most - 1) / most;
    const int first = (int)(((size_t)gap - place % (size_t)gap) % (size_t)gap);
    struct number result = neutral(op, type);

    if (ranks == 0)
        return rank % gap == first ? contributed(op, type, rank, place)
                                   : result;
    for (int i = first; i < ranks; i += gap)
        result = combine(op, result, contributed(op, type, i, place));
    return result;
}

void reduction_contents(enum reduction op, enum element type, void *to,
                        size_t first, size_t n, int ranks, int rank, int nranks)
{
    char *at = to;

    if (op == REDUCTION_SUM || op == REDUCTION_USER) {
        contents_numbers(type, to, first, n, ranks, rank, nranks);
        return;
    }
    for (size_t i = 0; i < n; i++, at += element_size(type))
        store(op, type, at,
              number_at(op, type, first + i, ranks, rank, nranks));
}

void reduction_numbers(const struct bench_run *r, enum element type, void *to,
                       size_t first, size_t n, int ranks, int rank, int nranks)
{
    int op = 0;

    while (op < REDUCTION_USER && op_of((enum reduction)op) != r->op)
        op++;
    reduction_contents((enum reduction)op, type, to, first, n, ranks, rank,
                       nranks);
}
