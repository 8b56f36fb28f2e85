/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * refused.c - after MPI_Init the system refuses threads and processes on FAULT_RANK, as it does
 *             where a user, or a container, has as many as its limit.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "fault.h"

static bool full;

static void begin(void)
{
    int rank;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    full = rank == fault_number("FAULT_RANK", 1);
}

int MPI_Init(int *argc, char ***argv)
{
    const int code = PMPI_Init(argc, argv);

    begin();
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const int code = PMPI_Init_thread(argc, argv, required, provided);

    begin();
    return code;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                   void *argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        dlsym(RTLD_NEXT, "pthread_create");

    return full ? EAGAIN : next(thread, attributes, work, argument);
}

pid_t fork(void)
{
    pid_t (*next)(void) = dlsym(RTLD_NEXT, "fork");

    if (!full)
        return next();
    errno = EAGAIN;
    return -1;
}

FILE *popen(const char *command, const char *type)
{
    FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "popen");

    if (!full)
        return next(command, type);
    errno = EAGAIN;
    return NULL;
}
