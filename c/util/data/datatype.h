/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * datatype.h - which bytes of a message move, and how MPI counts them: its element types,
 *              and derived ones (-D), which may leave gaps.
 *
 * The size of a message is the extent of its type.  Blocks that would end after it are left out.
 */
#ifndef DATATYPE_H
#define DATATYPE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/element.h"
#include "job/large_counts.h"
#include "options/settings.h"

/* One block, in elements. */
struct piece {
    size_t at, length;
};

/* The blocks of a file, to be freed. */
struct typemap_list {
    struct piece *piece;
    size_t n;
};

/* The blocks of one message. */
struct typemap {
    enum typemap_kind kind;
    size_t unit;               /* bytes of an element */
    size_t elements;           /* their number in the extent */
    size_t n;                  /* blocks; 0: nothing moves */
    size_t stride, block;      /* elements, unless there is a list */
    const struct piece *piece; /* the list of indx */
};

/* Read the blocks of the file, if spec names one, alike on all ranks of comm,
   collectively.  false: why (room bytes) says why not, on every rank. */
bool derived_read(const struct typemap_spec *spec, MPI_Comm comm, struct typemap_list *list,
                  char *why, size_t room);

/* The blocks of a message of so many bytes, with elements of unit bytes; of a file
   that was not read (NULL) one, of all of it. */
struct typemap typemap_of(const struct typemap_spec *spec, const struct typemap_list *list,
                          size_t unit, size_t bytes);

/* Bytes that move. */
size_t typemap_bytes(const struct typemap *p);

/* A message of a row: count elements of type. */
struct message_type {
    bench_count count;
    MPI_Datatype type;
    bool derived; /* type is our own: release it */
};

/* The MPI type; MPI_DATATYPE_NULL: this library has none. */
MPI_Datatype datatype_of(enum element element);

/*
 * Count and type for a message.  What -D asks for and, without large counts, what an
 * int cannot count becomes one element of a derived type, as long as the
 * message; sums cannot be expressed so, and false is returned for them.
 */
bool datatype_message(enum element element, const struct typemap *pieces, bool sum,
                      struct message_type *message);

#endif
