/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * element.h - the element types a message can be made of.  No MPI here: the
 *             pure layers need their size and arithmetic, datatype.h the rest.
 */
#ifndef ELEMENT_H
#define ELEMENT_H

#include <stddef.h>

enum element {
    ELEMENT_CHAR,
    ELEMENT_SIGNED_CHAR, /* what MPI_CHAR becomes in a reduction */
    ELEMENT_INT,
    ELEMENT_FLOAT,
    ELEMENT_DOUBLE,
    ELEMENT_INT64,
    ELEMENT_UINT8,
    ELEMENT_UINT64,
    ELEMENT_COMPLEX,  /* of two floats */
    ELEMENT_FLOAT16,  /* IEEE 754 binary16 */
    ELEMENT_BFLOAT16, /* the upper half of a float */
    ELEMENT_COUNT
};

/* What its arithmetic is. */
enum element_kind {
    ELEMENT_SIGNED,
    ELEMENT_UNSIGNED,
    ELEMENT_FLOATING,
    ELEMENT_IMAGINARY
};

size_t element_size(enum element type);

enum element_kind element_kind(enum element type);

/* Name as MPI spells it, for example "MPI_FLOAT". */
const char *element_name(enum element type);

/* Up to this every whole number is exact in type: sums that are verified stay below. */
double element_exact_limit(enum element type);

/* Store the whole number value, which must be within the limit, at *to.  A complex
   number gets the negative of it as its imaginary part. */
void element_store(enum element type, void *to, double value);

/* The largest k with which whole numbers up to most, times 2^k + 1, are exact; 0: none. */
int element_spare(enum element type, double most);

/* Store value * (2^spare + 1), which a narrower type does not hold; of 0 the value itself. */
void element_store_wide(enum element type, void *to, double value, int spare);

/* The number at *from; of a complex number the real part. */
double element_load(enum element type, const void *from);

/* That number in digits: of different ones they differ. */
enum { ELEMENT_DIGITS = 32 };
void element_print(enum element type, const void *from,
                   char text[ELEMENT_DIGITS]);

#endif
