/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * below.c - transport baselines that deliver wrong data.
 *
 *   FAULT=copy   memcpy of FAULT_BYTES, number FAULT_NTH of them: one bit in the
 *                middle differs
 *   FAULT=stale  the same copies nothing
 *   FAULT=recv   recv that asks for FAULT_BYTES, number FAULT_NTH: one bit of the
 *                last byte that it gives differs
 *   FAULT=send   ucp_tag_send_nbx of FAULT_BYTES, number FAULT_NTH: the same for
 *                the sent data
 *   FAULT=close  recv as above reports that the other side has closed
 *
 * FAULT_BYTES is 1000 unless it is set.
 */
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "fault.h"

enum { ROOM = 1 << 16 };

static long seen;

/* Is this the call that the fault is meant for? */
static bool is_it(const char *kind, size_t bytes)
{
    return fault_is(kind) && fault_hits(bytes) && ++seen == fault_number("FAULT_NTH", 1);
}

void *memcpy(void *to, const void *from, size_t n)
{
    if (is_it("stale", n))
        return to;
    memmove(to, from, n);
    if (is_it("copy", n))
        ((char *)to)[n / 2] ^= 1;
    return to;
}

ssize_t recv(int socket, void *to, size_t n, int flags)
{
    static ssize_t (*next)(int, void *, size_t, int);
    ssize_t got;

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "recv");
    got = next(socket, to, n, flags);
    if (got > 0 && is_it("close", n))
        return 0;
    if (got > 0 && is_it("recv", n))
        ((char *)to)[got - 1] ^= 1;
    return got;
}

void *ucp_tag_send_nbx(void *peer, const void *message, size_t n, uint64_t tag, const void *how);

void *ucp_tag_send_nbx(void *peer, const void *message, size_t n, uint64_t tag, const void *how)
{
    static void *(*next)(void *, const void *, size_t, uint64_t, const void *);
    static char other[ROOM];

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
    if (n <= ROOM && is_it("send", n)) {
        memmove(other, message, n);
        other[n - 1] ^= 1;
        message = other;
    }
    return next(peer, message, n, tag, how);
}
