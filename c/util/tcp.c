/* SPDX-License-Identifier: BSD-3-Clause */
/* Sending and receiving: what is timed.  Connections: tcp_connect.c. */
#include "tcp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { PATIENCE = 64 };

/* After a call that has moved nothing: try again, unless there is no sense in
   it. */
static void wait_on(ssize_t moved, unsigned *times)
{
    char why[120];

    if (moved < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        transport_idle(times, PATIENCE);
        return;
    }
    if (moved < 0 && errno == EINTR)
        return;
    snprintf(why, sizeof why, "TCP connection: %s",
             moved == 0 ? "closed by the other rank" : strerror(errno));
    transport_lost(why);
}

void tcp_send(struct tcp *t, const void *message, size_t bytes)
{
    const char nothing = 0, *from = bytes > 0 ? message : &nothing;
    size_t left = bytes > 0 ? bytes : 1;
    unsigned times = 0;

    while (left > 0) {
        const ssize_t sent = send(t->socket, from, left, MSG_NOSIGNAL);

        if (sent <= 0) {
            wait_on(sent, &times);
            continue;
        }
        from += sent;
        left -= (size_t)sent;
    }
}

void tcp_recv(struct tcp *t, void *to, size_t bytes)
{
    char nothing, *at = bytes > 0 ? to : &nothing;
    size_t left = bytes > 0 ? bytes : 1;
    unsigned times = 0;

    while (left > 0) {
        const ssize_t got = recv(t->socket, at, left, 0);

        if (got <= 0) {
            wait_on(got, &times);
            continue;
        }
        at += got;
        left -= (size_t)got;
    }
}
