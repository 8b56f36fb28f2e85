/* SPDX-License-Identifier: BSD-3-Clause */
#include "types.h"

#include <limits.h>

#include "derived.h"

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

bool types_message(enum element element, const struct pieces *pieces, bool sum,
                   struct message_type *message)
{
    *message = (struct message_type){ .type = types_of(element) };
    if (pieces->kind == PIECES_WHOLE &&
        (pieces->elements <= INT_MAX || LARGE_COUNTS)) {
        message->count = (bench_count)pieces->elements;
        return true;
    }
    message->count = 1;
    message->derived =
        !sum && derived_type(pieces, message->type, &message->type);
    return message->derived;
}

void types_release(struct message_type *message)
{
    if (message->derived)
        MPI_Type_free(&message->type);
    message->derived = false;
}
