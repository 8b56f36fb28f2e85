/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tcp.h - messages between two processes over one TCP connection.
 *
 * Rank 1 listens, on all its addresses; rank 0 tries them, on one node the
 * loopback first, between nodes the others, in the order the kernel has them.
 * The first by which it reaches rank 1, and no other process, is taken: r->over
 * names it.  Small messages are not held back (TCP_NODELAY).
 *
 * Either side polls, as MPI libraries do: a process that sleeps until data come
 * is woken up some microseconds later.  A stream has no messages without bytes:
 * one byte stands for them.
 */
#ifndef TCP_H
#define TCP_H

#include <stddef.h>

#include "transport.h"

struct tcp {
    int socket; /* -1: none */
};

/* The whole message, until it is with the kernel, and until all of it is here. */
void tcp_send(struct tcp *t, const void *message, size_t bytes);
void tcp_recv(struct tcp *t, void *to, size_t bytes);

#endif
