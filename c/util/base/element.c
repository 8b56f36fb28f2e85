/* SPDX-License-Identifier: BSD-3-Clause */
#include "element.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
    enum element_kind kind;
} element[ELEMENT_COUNT] = {
    [ELEMENT_CHAR] = { "MPI_CHAR", 1, ELEMENT_SIGNED },
    [ELEMENT_SIGNED_CHAR] = { "MPI_SIGNED_CHAR", 1, ELEMENT_SIGNED },
    [ELEMENT_INT] = { "MPI_INT", sizeof(int), ELEMENT_SIGNED },
    [ELEMENT_FLOAT] = { "MPI_FLOAT", sizeof(float), ELEMENT_FLOATING },
    [ELEMENT_DOUBLE] = { "MPI_DOUBLE", sizeof(double), ELEMENT_FLOATING },
    [ELEMENT_INT64] = { "MPI_INT64_T", sizeof(int64_t), ELEMENT_SIGNED },
    [ELEMENT_UINT8] = { "MPI_UINT8_T", 1, ELEMENT_UNSIGNED },
    [ELEMENT_UINT64] = { "MPI_UINT64_T", sizeof(uint64_t), ELEMENT_UNSIGNED },
    [ELEMENT_COMPLEX] = { "MPI_C_FLOAT_COMPLEX", 2 * sizeof(float), ELEMENT_IMAGINARY },
    [ELEMENT_FLOAT16] = { "MPIX_C_FLOAT16", 2, ELEMENT_FLOATING },
    [ELEMENT_BFLOAT16] = { "MPIX_BFLOAT16", 2, ELEMENT_FLOATING },
};

size_t element_size(enum element type)
{
    return element[type].size;
}

enum element_kind element_kind(enum element type)
{
    return element[type].kind;
}

const char *element_name(enum element type)
{
    return element[type].name;
}

/* Compilers need not have these two types: a sign, 5 bits of exponent and 10 of mantissa, or the
   upper half of a float. */
static double number_of(uint16_t half)
{
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    const double size = exponent == 31  ? (mantissa == 0 ? (double)INFINITY : (double)NAN)
                        : exponent == 0 ? ldexp(mantissa, -24)
                                        : ldexp(1024 + mantissa, exponent - 25);

    return half >> 15 ? -size : size;
}

static double number_of_upper(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float number;

    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

/* memcpy, not a cast: slots of a window need not be aligned for the type. */
#define LOAD(ctype, convert)                                                                       \
    {                                                                                              \
        ctype v;                                                                                   \
        memcpy(&v, from, sizeof v);                                                                \
        return (double)convert(v);                                                                 \
    }

double element_load(enum element type, const void *from)
{
    switch (type) {
    case ELEMENT_INT:
        LOAD(int, )
    case ELEMENT_FLOAT:
    case ELEMENT_COMPLEX:
        LOAD(float, )
    case ELEMENT_DOUBLE:
        LOAD(double, )
    case ELEMENT_INT64:
        LOAD(int64_t, )
    case ELEMENT_UINT8:
        LOAD(uint8_t, )
    case ELEMENT_UINT64:
        LOAD(uint64_t, )
    case ELEMENT_FLOAT16:
        LOAD(uint16_t, number_of)
    case ELEMENT_BFLOAT16:
        LOAD(uint16_t, number_of_upper)
    default:
        LOAD(signed char, )
    }
}

void element_print(enum element type, const void *from, char text[ELEMENT_DIGITS])
{
    int64_t whole;

    if (type != ELEMENT_INT64 && type != ELEMENT_UINT64) {
        snprintf(text, ELEMENT_DIGITS, "%.17g", element_load(type, from));
        return;
    }
    memcpy(&whole, from, sizeof whole); /* a double holds less */
    snprintf(text, ELEMENT_DIGITS, type == ELEMENT_INT64 ? "%" PRId64 : "%" PRIu64, whole);
}
