/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types.h - element types as MPI sees them, and sizes as MPI counts them.
 */
#ifndef TYPES_H
#define TYPES_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "element.h"
#include "large_counts.h"
#include "pieces.h"

/*
 * The type a program really uses for what -T names: in sums MPI_CHAR becomes
 * MPI_SIGNED_CHAR, since MPI permits no arithmetic on characters (MPI 4.0,
 * section 6.9.2).
 */
enum element types_effective(enum element type, bool sum);

MPI_Datatype types_of(enum element type);

/* A message of a row: count elements of type. */
struct message_type {
    bench_count count;
    MPI_Datatype type;
    bool derived; /* type is our own: release it */
};

/*
 * Count and type for a message.  What -D asks for and, without large counts, what an
 * int cannot count becomes one element of a derived type, as long as the
 * message; sums cannot be expressed so, and false is returned for them.
 */
bool types_message(enum element element, const struct pieces *pieces, bool sum,
                   struct message_type *message);
void types_release(struct message_type *message);

#endif
