/* SPDX-License-Identifier: BSD-3-Clause */
#include "bcast_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

char *bcast_file_read(const char *path, MPI_Comm comm)
{
    FILE *file = NULL;
    char *text = NULL;
    long size = -1;
    int rank, all_have;

    MPI_Comm_rank(comm, &rank);
    if (rank == 0)
        file = fopen(path, "r");
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    MPI_Bcast(&size, 1, MPI_LONG, 0, comm);
    if (size >= 0 && size < INT_MAX)
        text = calloc((size_t)size + 1, 1);
    if (text != NULL && file != NULL) {
        rewind(file);
        if (fread(text, 1, (size_t)size, file) < (size_t)size)
            text[0] = '\0'; /* shorter than it was: as if empty */
    }
    if (file != NULL)
        fclose(file);
    all_have = text != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_MIN, comm);
    if (!all_have) {
        free(text);
        return NULL;
    }
    MPI_Bcast(text, (int)size, MPI_CHAR, 0, comm);
    return text;
}
