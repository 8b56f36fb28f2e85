/* SPDX-License-Identifier: BSD-3-Clause */
#include "types.h"

#include <limits.h>

enum { CHUNK = 1 << 20 }; /* elements in one block of a derived type */

enum element types_effective(enum element type, bool sum)
{
    return sum && type == ELEMENT_CHAR ? ELEMENT_SIGNED_CHAR : type;
}

MPI_Datatype types_of(enum element type)
{
    switch (type) {
    case ELEMENT_SIGNED_CHAR:
        return MPI_SIGNED_CHAR;
    case ELEMENT_INT:
        return MPI_INT;
    case ELEMENT_FLOAT:
        return MPI_FLOAT;
    case ELEMENT_DOUBLE:
        return MPI_DOUBLE;
    case ELEMENT_INT64:
        return MPI_INT64_T;
    default:
        return MPI_CHAR;
    }
}

/* blocks of CHUNK elements, then the rest, as one contiguous type */
static MPI_Datatype derive(MPI_Datatype base, size_t size, size_t count)
{
    const int blocks = (int)(count / CHUNK), rest = (int)(count % CHUNK);
    const MPI_Aint place[2] = { 0, (MPI_Aint)blocks * CHUNK * (MPI_Aint)size };
    const int length[2] = { 1, rest };
    MPI_Datatype chunk, part[2], whole;

    MPI_Type_contiguous(CHUNK, base, &chunk);
    MPI_Type_contiguous(blocks, chunk, &part[0]);
    part[1] = base;
    MPI_Type_create_struct(rest > 0 ? 2 : 1, length, place, part, &whole);
    MPI_Type_commit(&whole);
    MPI_Type_free(&part[0]);
    MPI_Type_free(&chunk);
    return whole;
}

bool types_message(enum element element, size_t bytes, bool sum,
                   struct message_type *message)
{
    const size_t size = element_size(element), count = bytes / size;

    *message = (struct message_type){ .type = types_of(element) };
    if (count <= INT_MAX || LARGE_COUNTS) {
        message->count = (bench_count)count;
        return true;
    }
    if (sum || count / CHUNK > INT_MAX)
        return false;
    message->count = 1;
    message->type = derive(message->type, size, count);
    message->derived = true;
    return true;
}

void types_release(struct message_type *message)
{
    if (message->derived)
        MPI_Type_free(&message->type);
    message->derived = false;
}
