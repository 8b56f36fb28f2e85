/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matching.c - queues whose entries cost a known time (match_queue), in messages of
 *              FAULT_BYTES.
 *
 *   FAULT=posted      MPI_Wait takes FAULT_NS for each receive that stays posted
 *   FAULT=unexpected  MPI_Irecv takes FAULT_NS for each message that this rank has sent
 *                     and not waited for: as many as the other rank has sent to it
 *   FAULT=reverse     MPI_Isend takes FAULT_NS for each tag below its own, down to
 *                     that of entry 0, if it is the next lower one after that of the
 *                     call before
 *   FAULT=flip        MPI_Isend with FAULT_TAG sends one bit that differs
 */
#include <stdint.h>
#include <time.h>

#include "fault.h"

enum { ROOM = 1 << 16, ENTRY_0 = 100 };

/* Requests of receives, and of messages, that nobody has waited for. */
static struct {
    MPI_Request *request[ROOM];
    int n;
} received, sent;

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void spin(const char *fault, long entries)
{
    const int64_t end = now() + entries * fault_number("FAULT_NS", 0);

    while (fault_is(fault) && now() < end)
        continue;
}

static bool meant(int count, MPI_Datatype type)
{
    return fault_size(count, type) == (size_t)fault_number("FAULT_BYTES", 1000);
}

#define ADD(set, which)                                                                            \
    do {                                                                                           \
        if ((set).n == ROOM)                                                                       \
            abort();                                                                               \
        (set).request[(set).n++] = (which);                                                        \
    } while (0)

#define REMOVE(set, from, count)                                                                   \
    do {                                                                                           \
        int left = 0;                                                                              \
                                                                                                   \
        for (int i = 0; i < (set).n; i++)                                                          \
            if ((set).request[i] < (from) || (set).request[i] >= (from) + (count))                 \
                (set).request[left++] = (set).request[i];                                          \
        (set).n = left;                                                                            \
    } while (0)

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (meant(count, type)) {
        spin("unexpected", sent.n);
        ADD(received, request);
    }
    return PMPI_Irecv(buffer, count, type, from, tag, comm, request);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    static char other[1 << 16];
    static int last;

    if (meant(count, type)) {
        if (tag == last - 1)
            spin("reverse", tag - ENTRY_0);
        last = tag;
        ADD(sent, request);
        if (fault_is("flip") && tag == fault_number("FAULT_TAG", 0)) {
            memcpy(other, buffer, fault_size(count, type));
            other[0] ^= 1;
            buffer = other;
        }
    }
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    const int result = PMPI_Wait(request, status);

    REMOVE(received, request, 1);
    spin("posted", received.n);
    return result;
}

int MPI_Waitall(int n, MPI_Request *request, MPI_Status *status)
{
    const int result = PMPI_Waitall(n, request, status);

    REMOVE(received, request, n);
    REMOVE(sent, request, n);
    return result;
}
