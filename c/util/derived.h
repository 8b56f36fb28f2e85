/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * derived.h - derived types out of pieces.h: what one message of -D is made
 *             of, and of messages with more elements than an int counts.
 */
#ifndef DERIVED_H
#define DERIVED_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "pieces.h"

/* Read the blocks of the file, if spec names one, alike on all ranks of comm,
   collectively.  false: why (room bytes) says why not, on every rank. */
bool derived_read(const struct pieces_spec *spec, MPI_Comm comm,
                  struct pieces_list *list, char *why, size_t room);

/* A committed type of those pieces of base, whose extent is that of the
   message.  false: MPI cannot count them, or out of memory. */
bool derived_type(const struct pieces *p, MPI_Datatype base,
                  MPI_Datatype *type);

#endif
