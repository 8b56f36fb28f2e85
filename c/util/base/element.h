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
    ELEMENT_COUNT
};

size_t element_size(enum element type);

/* Name as MPI spells it, for example "MPI_FLOAT". */
const char *element_name(enum element type);

/* Up to this every whole number is exact in type: sums that are verified stay below. */
double element_exact_limit(enum element type);

/* Store the whole number value, which must be within the limit, at *to. */
void element_store(enum element type, void *to, double value);

/* The number at *from. */
double element_load(enum element type, const void *from);

#endif
