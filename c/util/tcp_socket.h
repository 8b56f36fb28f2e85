/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tcp_socket.h - sockets of two processes that look for each other: addresses,
 *                listening, connecting.  What is returned does not block; -1:
 *                there is none.
 */
#ifndef TCP_SOCKET_H
#define TCP_SOCKET_H

enum { TCP_ADDRESSES = 32, TCP_NAME = 64 };

/* Of a host, as numbers. */
struct tcp_addresses {
    int n;
    char name[TCP_ADDRESSES][TCP_NAME];
};

/* Those of interfaces that are up, IPv4 and IPv6; not those that hold on one link
   only, which would need that link's name too. */
void tcp_add_interfaces(struct tcp_addresses *o);
void tcp_add_loopback(struct tcp_addresses *o);

/* A socket that listens on all of them, and its port. */
int tcp_listen(int *port);

/* The connection that begins with this token; others are closed.  Waits for two
   seconds. */
int tcp_accept(int listener, unsigned long token);

/* A connection that begins with the token; tried for two seconds. */
int tcp_connect(const char *name, int port, unsigned long token);

#endif
