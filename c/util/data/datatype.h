/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * datatype.h - element types as MPI sees them, and sizes as MPI counts them.
 */
#ifndef DATATYPE_H
#define DATATYPE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/element.h"
#include "base/typemap.h"
#include "job/large_counts.h"

/* A message of a row: count elements of type. */
struct message_type {
    bench_count count;
    MPI_Datatype type;
    bool derived; /* type is our own: release it */
};

/* The MPI type; MPI_DATATYPE_NULL: this library has none. */
MPI_Datatype datatype_of(enum element element);

/* The name of the first of n types that this library has not; NULL: it has all.  Once
   MPI runs, also of one that the library declares but was built without. */
const char *datatype_missing(const enum element *types, int n, bool runs);

/*
 * Count and type for a message.  What -D asks for and, without large counts, what an
 * int cannot count becomes one element of a derived type, as long as the
 * message; sums cannot be expressed so, and false is returned for them.
 */
bool datatype_message(enum element element, const struct typemap *pieces,
                      bool sum, struct message_type *message);
void datatype_release(struct message_type *message);

/* Read the blocks of the file, if spec names one, alike on all ranks of comm,
   collectively.  false: why (room bytes) says why not, on every rank. */
bool derived_read(const struct typemap_spec *spec, MPI_Comm comm,
                  struct typemap_list *list, char *why, size_t room);

#endif
