/* SPDX-License-Identifier: BSD-3-Clause */
#include "element.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
    double exact_limit;
    enum element_kind kind;
} element[ELEMENT_COUNT] = {
    [ELEMENT_CHAR] = { "MPI_CHAR", 1, 127, ELEMENT_SIGNED },
    [ELEMENT_SIGNED_CHAR] = { "MPI_SIGNED_CHAR", 1, 127, ELEMENT_SIGNED },
    [ELEMENT_INT] = { "MPI_INT", sizeof(int), 2147483647, ELEMENT_SIGNED },
    [ELEMENT_FLOAT] = { "MPI_FLOAT", sizeof(float), 16777216,
                        ELEMENT_FLOATING },
    [ELEMENT_DOUBLE] = { "MPI_DOUBLE", sizeof(double), 9007199254740992,
                         ELEMENT_FLOATING },
    [ELEMENT_INT64] = { "MPI_INT64_T", sizeof(int64_t), 9007199254740992,
                        ELEMENT_SIGNED },
    [ELEMENT_UINT8] = { "MPI_UINT8_T", 1, 255, ELEMENT_UNSIGNED },
    [ELEMENT_UINT64] = { "MPI_UINT64_T", sizeof(uint64_t), 9007199254740992,
                         ELEMENT_UNSIGNED },
    [ELEMENT_COMPLEX] = { "MPI_C_FLOAT_COMPLEX", 2 * sizeof(float), 16777216,
                          ELEMENT_IMAGINARY },
    [ELEMENT_FLOAT16] = { "MPIX_C_FLOAT16", 2, 2048, ELEMENT_FLOATING },
    [ELEMENT_BFLOAT16] = { "MPIX_BFLOAT16", 2, 256, ELEMENT_FLOATING },
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

double element_exact_limit(enum element type)
{
    return element[type].exact_limit;
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

static double number_of(uint16_t half)
{
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    const double size = exponent == 31
                            ? (mantissa == 0 ? (double)INFINITY : (double)NAN)
                        : exponent == 0 ? ldexp(mantissa, -24)
                                        : ldexp(1024 + mantissa, exponent - 25);

    return half >> 15 ? -size : size;
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

static double number_of_upper(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float number;

    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

/* memcpy, not a cast: slots of a window need not be aligned for the type. */
#define STORE(ctype, number)                                                   \
    {                                                                          \
        const ctype v = (ctype)(number);                                       \
        memcpy(to, &v, sizeof v);                                              \
        break;                                                                 \
    }

void element_store(enum element type, void *to, double value)
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

static bool is_long(enum element type)
{
    return element[type].kind <= ELEMENT_UNSIGNED && element[type].size == 8;
}

int element_spare(enum element type, double most)
{
    const int bits = !is_long(type) ? ilogb(element[type].exact_limit + 1)
                     : element[type].kind == ELEMENT_SIGNED ? 63
                                                            : 64;
    const int needed = ilogb(most) + 1, spare = bits - needed;

    /* If the value and 2^k times the value have bits in common, their sum may need one more. */
    return spare >= needed ? spare : spare > 1 ? spare - 1 : 0;
}

void element_store_wide(enum element type, void *to, double value, int spare)
{
    const uint64_t whole = (uint64_t)(int64_t)value;
    const uint64_t wide = (whole << spare) + whole; /* a double holds less */

    if (spare > 0 && is_long(type))
        memcpy(to, &wide, sizeof wide);
    else
        element_store(type, to,
                      spare > 0 ? ldexp(value, spare) + value : value);
}

#define LOAD(ctype, convert)                                                   \
    {                                                                          \
        ctype v;                                                               \
        memcpy(&v, from, sizeof v);                                            \
        return (double)convert(v);                                             \
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

void element_print(enum element type, const void *from,
                   char text[ELEMENT_DIGITS])
{
    int64_t whole;

    if (!is_long(type)) {
        snprintf(text, ELEMENT_DIGITS, "%.17g", element_load(type, from));
        return;
    }
    memcpy(&whole, from, sizeof whole); /* a double holds less */
    snprintf(text, ELEMENT_DIGITS,
             element[type].kind == ELEMENT_SIGNED ? "%" PRId64 : "%" PRIu64,
             whole);
}
