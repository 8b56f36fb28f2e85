/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stop.c - one call ends the progress of one rank.
 *
 *   FAULT=hang   it never returns; also in MPI_Init and MPI_Finalize
 *   FAULT=crash  it ends the process by the signal FAULT_SIGNAL; in these too
 *   FAULT=leave  it calls exit(0)
 *   FAULT=error  it is made with a rank that does not exist, so that MPI itself
 *                finds an error and calls the error handler; of calls with a rank.
 *                MPI_Finalize returns an error code
 *   FAULT=late   MPI_Init takes three seconds longer, on every rank
 *   FAULT=busy   one more thread computes all the time, from MPI_Init on
 *   FAULT_CALL   the function, for example MPI_Send, PMPI_Gather, or send; or json_dumpf, at the
 *                end of the call in which FAULT_TEXT is written
 *   FAULT_NTH    which of the calls that match, counted from 1 (the default)
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fault.h"

enum { NOBODY = 12345 }; /* no rank */

static void stop(void)
{
    while (fault_is("hang"))
        pause();
    if (fault_is("crash"))
        raise((int)fault_number("FAULT_SIGNAL", SIGSEGV));
    if (fault_is("leave"))
        exit(0);
}

/* The rank to call with: the right one, unless the fault is due now. */
static int partner(const char *call, size_t bytes, int right)
{
    static long seen;
    const char *wanted = getenv("FAULT_CALL");

    if (wanted == NULL || strcmp(call, wanted) != 0 || !fault_hits(bytes) ||
        ++seen != fault_number("FAULT_NTH", 1))
        return right;
    stop();
    return fault_is("error") ? NOBODY : right;
}

/* The library below may be another one of the tests: tests/gpu. */
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm);

    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Send");
    return next(buffer, count, type, partner("MPI_Send", fault_size(count, type), to), tag, comm);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return PMPI_Isend(buffer, count, type, partner("MPI_Isend", fault_size(count, type), to), tag,
                      comm, request);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return PMPI_Bcast(buffer, count, type, partner("MPI_Bcast", fault_size(count, type), root),
                      comm);
}

int MPI_Put(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint place,
            int target_count, MPI_Datatype target_type, MPI_Win win)
{
    return PMPI_Put(origin, count, type, partner("MPI_Put", fault_size(count, type), target), place,
                    target_count, target_type, win);
}

/* Other calls, which hang or crash. */
#define STOPS(name, parameters, arguments, bytes)                                                  \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        partner("MPI_" #name, bytes, 0);                                                           \
        return PMPI_##name arguments;                                                              \
    }

/* One of the harness itself, too. */
int PMPI_Gather(const void *send, int count, MPI_Datatype type, void *recv, int recv_count,
                MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    partner("PMPI_Gather", fault_size(count, type), 0);
    return FAULT_BELOW(Gather)(send, count, type, recv, recv_count, recv_type, root, comm);
}

/* clang-format off */
STOPS(Allreduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
      (s, r, n, t, o, c), fault_size(n, t))
STOPS(Iallreduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request *q),
      (s, r, n, t, o, c, q), fault_size(n, t))
STOPS(Reduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c),
      (s, r, n, t, o, root, c), fault_size(n, t))
STOPS(Alltoall, (const void *s, int n, MPI_Datatype t, void *r, int m, MPI_Datatype u, MPI_Comm c),
      (s, n, t, r, m, u, c), fault_size(n, t))
STOPS(Neighbor_alltoall, (const void *s, int n, MPI_Datatype t, void *r, int m, MPI_Datatype u, MPI_Comm c),
      (s, n, t, r, m, u, c), fault_size(n, t))
STOPS(Sendrecv, (const void *s, int n, MPI_Datatype t, int to, int tag, void *r, int m, MPI_Datatype u, int from, int other, MPI_Comm c, MPI_Status *x),
      (s, n, t, to, tag, r, m, u, from, other, c, x), fault_size(n, t))
#ifdef HAVE_MPI_PSEND_INIT
STOPS(Psend_init, (const void *s, int parts, MPI_Count n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Info i, MPI_Request *q),
      (s, parts, n, t, to, tag, c, i, q), fault_size(parts * (int)n, t))
#endif
/* clang-format on */

static bool stop_in(const char *call)
{
    const char *wanted = getenv("FAULT_CALL");

    if (wanted == NULL || strcmp(wanted, call) != 0 ||
        fault_rank() != fault_number("FAULT_RANK", 1))
        return false;
    stop();
    return fault_is("error");
}

/* Of programs that move messages without MPI. */
ssize_t send(int socket, const void *buffer, size_t bytes, int flags)
{
    ssize_t (*next)(int, const void *, size_t, int);

    partner("send", bytes, 0);
    *(void **)&next = dlsym(RTLD_NEXT, "send");
    return next(socket, buffer, bytes, flags);
}

int json_dumpf(const void *json, FILE *to, size_t flags);

/* Half of what is written is in the file, and half of it in a buffer. */
int json_dumpf(const void *json, FILE *to, size_t flags)
{
    int (*next)(const void *, FILE *, size_t);
    char *(*text)(const void *, size_t);
    const char *const wanted = getenv("FAULT_TEXT");
    int result;

    *(void **)&next = dlsym(RTLD_NEXT, "json_dumpf");
    *(void **)&text = dlsym(RTLD_NEXT, "json_dumps");
    result = next(json, to, flags);
    if (wanted != NULL) {
        char *const all = text(json, flags);

        if (all != NULL && strstr(all, wanted) != NULL)
            stop_in("json_dumpf");
        free(all);
    }
    return result;
}

static void *compute(void *nothing)
{
    for (volatile long i = 0; nothing == NULL && i >= 0; i++)
        continue;
    return NULL;
}

int MPI_Init(int *argc, char ***argv)
{
    pthread_t thread;

    if (fault_is("busy") && fault_rank() == fault_number("FAULT_RANK", 1))
        pthread_create(&thread, NULL, compute, NULL);
    stop_in("MPI_Init");
    if (fault_is("late"))
        sleep(3);
    return PMPI_Init(argc, argv);
}

int MPI_Finalize(void)
{
    const bool fails = stop_in("MPI_Finalize");
    const int result = fault_finalize();

    return fails ? MPI_ERR_OTHER : result;
}
