/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * says.c - no fault: an MPI that says FAULT_TEXT of itself.
 */
#include <stdio.h>

#include "fault.h"

int PMPI_Get_library_version(char *text, int *length)
{
    const char *said = getenv("FAULT_TEXT");

    *length = snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "%s", said != NULL ? said : "");
    return MPI_SUCCESS;
}
