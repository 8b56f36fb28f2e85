/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock.c - one lock for all threads, as in a library without independent resources, in
 *          messages of FAULT_BYTES.
 *
 *   FAULT=lock  MPI_Isend holds it for FAULT_US, so that a rank sends one message in that
 *               time, whatever the number of its threads; it sleeps, but for the last
 *               millisecond, since threads that wait may need its CPU
 *   FAULT=flip  MPI_Isend number FAULT_NTH sends one bit that differs
 *   FAULT=info  MPI_Comm_dup_with_info prints "# info KEYS" on rank 0
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "fault.h"

static const int64_t AWAKE = 1000000; /* ns */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void hold(int64_t ns)
{
    const int64_t end = now() + ns;

    if (ns > 2 * AWAKE)
        clock_nanosleep(CLOCK_MONOTONIC, 0,
                        &(struct timespec){ (ns - AWAKE) / 1000000000, (ns - AWAKE) % 1000000000 },
                        NULL);
    while (now() < end)
        continue;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    static char other[1 << 16];
    static long sent;
    int result;

    if (fault_size(count, type) != (size_t)fault_number("FAULT_BYTES", 1000))
        return PMPI_Isend(buffer, count, type, to, tag, comm, request);
    pthread_mutex_lock(&lock);
    if (fault_is("lock"))
        hold(1000 * fault_number("FAULT_US", 0));
    if (fault_is("flip") && ++sent == fault_number("FAULT_NTH", 1)) {
        memcpy(other, buffer, fault_size(count, type));
        other[0] ^= 1;
        buffer = other;
    }
    result = PMPI_Isend(buffer, count, type, to, tag, comm, request);
    pthread_mutex_unlock(&lock);
    return result;
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *copy)
{
    char key[MPI_MAX_INFO_KEY + 1];
    int n;

    PMPI_Info_get_nkeys(info, &n);
    if (fault_is("info") && fault_rank() == 0) {
        fputs("# info", stderr);
        for (int i = 0; i < n; i++) {
            PMPI_Info_get_nthkey(info, i, key);
            fprintf(stderr, " %s", key);
        }
        fputc('\n', stderr);
    }
    return PMPI_Comm_dup_with_info(comm, info, copy);
}
