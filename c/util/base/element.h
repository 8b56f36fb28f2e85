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
enum element_kind { ELEMENT_SIGNED, ELEMENT_UNSIGNED, ELEMENT_FLOATING, ELEMENT_IMAGINARY };

size_t element_size(enum element type);

enum element_kind element_kind(enum element type);

/* Name as MPI spells it, for example "MPI_FLOAT". */
const char *element_name(enum element type);

/* The number at *from; of a complex number the real part. */
double element_load(enum element type, const void *from);

/* That number in digits: of different ones they differ. */
enum { ELEMENT_DIGITS = 32 };
void element_print(enum element type, const void *from, char text[ELEMENT_DIGITS]);

#endif
