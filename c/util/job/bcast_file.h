/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_file.h - a text file that all ranks need and rank 0 alone reads: the
 *               other nodes need not have it.
 */
#ifndef BCAST_FILE_H
#define BCAST_FILE_H

#include <mpi.h>

/* Its text on every rank of comm, to be freed; NULL on all: it cannot be
   read. */
char *bcast_file_read(const char *path, MPI_Comm comm);

#endif
