/* SPDX-License-Identifier: BSD-3-Clause */
#include "element.h"

#include <stdint.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
    double exact_limit;
} element[ELEMENT_COUNT] = {
    [ELEMENT_CHAR] = { "MPI_CHAR", 1, 127 },
    [ELEMENT_SIGNED_CHAR] = { "MPI_SIGNED_CHAR", 1, 127 },
    [ELEMENT_INT] = { "MPI_INT", sizeof(int), 2147483647 },
    [ELEMENT_FLOAT] = { "MPI_FLOAT", sizeof(float), 16777216 },
    [ELEMENT_DOUBLE] = { "MPI_DOUBLE", sizeof(double), 9007199254740992 },
    [ELEMENT_INT64] = { "MPI_INT64_T", sizeof(int64_t), 9007199254740992 },
};

size_t element_size(enum element type)
{
    return element[type].size;
}

const char *element_name(enum element type)
{
    return element[type].name;
}

double element_exact_limit(enum element type)
{
    return element[type].exact_limit;
}

/* memcpy, not a cast: slots of a window need not be aligned for the type. */
#define STORE(ctype)                                                           \
    {                                                                          \
        const ctype v = (ctype)value;                                          \
        memcpy(to, &v, sizeof v);                                              \
    }

void element_store(enum element type, void *to, double value)
{
    if (type == ELEMENT_INT)
        STORE(int)
    else if (type == ELEMENT_FLOAT)
        STORE(float)
    else if (type == ELEMENT_DOUBLE)
        STORE(double)
    else if (type == ELEMENT_INT64)
        STORE(int64_t)
    else
        STORE(signed char)
}

#define LOAD(ctype)                                                            \
    {                                                                          \
        ctype v;                                                               \
        memcpy(&v, from, sizeof v);                                            \
        return (double)v;                                                      \
    }

double element_load(enum element type, const void *from)
{
    if (type == ELEMENT_INT)
        LOAD(int)
    if (type == ELEMENT_FLOAT)
        LOAD(float)
    if (type == ELEMENT_DOUBLE)
        LOAD(double)
    if (type == ELEMENT_INT64)
        LOAD(int64_t)
    LOAD(signed char)
}
