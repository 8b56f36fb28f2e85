/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tcp.h - messages between two processes over one TCP connection.
 *
 * Rank 1 listens on one address, sends it to rank 0 by MPI, and rank 0 connects; either gives up
 * after five seconds.  The address is what ALIDADE_TCP_ADDRESS names in the environment of rank 1;
 * otherwise, on one node, 127.0.0.1, and between nodes the first that the resolver has for the name
 * of rank 1's host.  Where it has none, or that of the loopback, the address is that of an
 * interface.  transport.over names it.  Small messages are not held back (TCP_NODELAY).
 *
 * Either side polls, as MPI libraries do: a process that sleeps until data come is woken up some
 * microseconds later.  A stream has no messages without bytes: one byte stands for them.
 */
#ifndef TCP_H
#define TCP_H

#include "transport.h"

extern const struct family transport_tcp_family;

struct tcp {
    struct transport transport;
    int socket; /* -1: none */
};

FAMILY_OF(bench_run, struct tcp, tcp_of)

/* Send a whole message, until the kernel has it; receive one, until all of it is here. */
void tcp_send(struct tcp *t, const void *message, size_t bytes);
void tcp_recv(struct tcp *t, void *to, size_t bytes);

#endif
