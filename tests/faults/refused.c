/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * refused.c - after MPI_Init the system refuses threads and processes on FAULT_RANK, as it does
 *             where a user, or a container, has as many as its limit.
 */
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
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

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*work)(void *), void *argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                void *) = dlsym(RTLD_NEXT, "pthread_create");

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

int posix_spawnp(pid_t *pid, const char *file,
                 const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[],
                 char *const environment[])
{
    int (*next)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                const posix_spawnattr_t *, char *const[], char *const[]) =
        dlsym(RTLD_NEXT, "posix_spawnp");

    return full ? EAGAIN
                : next(pid, file, actions, attributes, argv, environment);
}
