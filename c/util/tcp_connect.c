/* SPDX-License-Identifier: BSD-3-Clause */
/* How two ranks find each other: transport_tcp.  Address by address, rank 0 says
   by MPI whether it could connect, and then rank 1 whether it was with it. */
#include "tcp.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tcp_socket.h"

enum { TCP_TAG = 1 };

/* What rank 1 tells of itself. */
struct offer {
    unsigned long token; /* sent first on a connection: it is from rank 0 */
    int port;
    struct tcp_addresses address;
};

/* Rank 1; the connection, or -1. */
static int wait_for(const struct bench_run *r, MPI_Comm comm, bool one_node)
{
    struct offer o = { 0 };
    const int listener = tcp_listen(&o.port);
    int s = -1;

    if (getrandom(&o.token, sizeof o.token, 0) < 0)
        o.token = (unsigned long)getpid();
    if (listener >= 0 && one_node)
        tcp_add_loopback(&o.address);
    if (listener >= 0)
        tcp_add_interfaces(&o.address);
    if (listener >= 0 && !one_node)
        tcp_add_loopback(&o.address);
    MPI_Send(&o, sizeof o, MPI_BYTE, r->peer, TCP_TAG, comm);
    for (int i = 0; i < o.address.n && s < 0; i++) {
        int tried, good;

        MPI_Recv(&tried, 1, MPI_INT, r->peer, TCP_TAG, comm, MPI_STATUS_IGNORE);
        if (!tried)
            continue;
        s = tcp_accept(listener, o.token);
        good = s >= 0;
        MPI_Send(&good, 1, MPI_INT, r->peer, TCP_TAG, comm);
    }
    if (listener >= 0)
        close(listener);
    return s;
}

/* Rank 0; the connection, and the address it leads to; or -1. */
static int seek(const struct bench_run *r, MPI_Comm comm, char *address)
{
    struct offer o;
    int s = -1;

    MPI_Recv(&o, sizeof o, MPI_BYTE, r->peer, TCP_TAG, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < o.address.n && s < 0; i++) {
        int tried, good;

        s = tcp_connect(o.address.name[i], o.port, o.token);
        tried = s >= 0;
        MPI_Send(&tried, 1, MPI_INT, r->peer, TCP_TAG, comm);
        if (!tried)
            continue;
        MPI_Recv(&good, 1, MPI_INT, r->peer, TCP_TAG, comm, MPI_STATUS_IGNORE);
        if (good) {
            memcpy(address, o.address.name[i], TCP_NAME);
        } else {
            close(s);
            s = -1;
        }
    }
    return s;
}

static bool begin(struct bench_run *r, const struct buffer *send_buffer,
                  MPI_Comm comm, bool one_node, char *why, size_t room)
{
    const int yes = 1;
    char address[TCP_NAME] = "";

    (void)send_buffer;
    r->tcp = malloc(sizeof *r->tcp);
    if (r->tcp == NULL)
        abort();
    r->tcp->socket =
        r->sender ? seek(r, comm, address) : wait_for(r, comm, one_node);
    if (r->tcp->socket < 0) {
        snprintf(why, room,
                 "no TCP connection over any address of the other rank's host");
        return false;
    }
    snprintf(r->over, sizeof r->over, "TCP to %s", address);
    setsockopt(r->tcp->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return true;
}

static void end(struct bench_run *r, MPI_Comm comm)
{
    (void)comm;
    if (r->tcp->socket >= 0)
        close(r->tcp->socket);
    free(r->tcp);
    r->tcp = NULL;
}

const struct transport transport_tcp = {
    .memory = &memory_host,
    .begin = begin,
    .end = end,
};
