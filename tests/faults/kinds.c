/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kinds.c - the memory of messages of FAULT_BYTES and of RMA windows, as the kernel
 *           describes it.
 *
 *   FAULT_TRACE   file, to which .RANK is added, for "CALL PATH PAGES" once for each
 *                 call: PATH of the file or -, PAGES huge or small
 */
#include <stdio.h>

#include "fault.h"

static void describe(const void *buffer, char path[4096], bool *huge)
{
    const unsigned long at = (unsigned long)buffer;
    unsigned long begin, end, kilobytes;
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[5000];
    bool here = false;

    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        char name[4096] = "-";

        if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %4095s", &begin, &end, name) >= 2) {
            here = begin <= at && at < end;
            if (here)
                strcpy(path, name);
        } else if (here && (sscanf(line, "AnonHugePages: %lu", &kilobytes) == 1 ||
                            sscanf(line, "Private_Hugetlb: %lu", &kilobytes) == 1))
            *huge |= kilobytes > 0;
    }
    if (maps != NULL)
        fclose(maps);
}

static void note(const char *call, const void *buffer)
{
    const char *name = getenv("FAULT_TRACE");
    char file[4200], path[4096] = "?";
    bool huge = false;
    FILE *trace;

    if (name == NULL)
        return;
    describe(buffer, path, &huge);
    snprintf(file, sizeof file, "%s.%d", name, fault_rank());
    trace = fopen(file, "a");
    fprintf(trace, "%s %s %s\n", call, path, huge ? "huge" : "small");
    fclose(trace);
}

static void note_message(const char *call, const void *buffer, int count, MPI_Datatype type,
                         bool *noted)
{
    if (*noted || fault_size(count, type) != (size_t)fault_number("FAULT_BYTES", 1000))
        return;
    *noted = true;
    note(call, buffer);
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    static bool noted;

    note_message("MPI_Send", buffer, count, type, &noted);
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    static bool noted;

    note_message("MPI_Recv", buffer, count, type, &noted);
    return PMPI_Recv(buffer, count, type, from, tag, comm, status);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    static bool noted;

    note_message("MPI_Isend", buffer, count, type, &noted);
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    static bool noted;

    note_message("MPI_Irecv", buffer, count, type, &noted);
    return PMPI_Irecv(buffer, count, type, from, tag, comm, request);
}

int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    note("MPI_Win_create", base);
    return PMPI_Win_create(base, size, unit, info, comm, win);
}
