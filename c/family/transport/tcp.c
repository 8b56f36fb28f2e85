/* SPDX-License-Identifier: BSD-3-Clause */
#include "tcp.h"

#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "job/placement.h"

enum { TCP_TAG = 1, PATIENCE = 64, CONNECT_MS = 5000 };

/* The offer that rank 1 sends to rank 0. */
struct offer {
    unsigned long token; /* comes first on the connection of rank 0 */
    socklen_t length;    /* length of the address; 0: there is none */
    struct sockaddr_storage address;
    char name[200]; /* the address as text, or why there is none */
};

/* A call moved no bytes: poll again, or end the job if the connection failed. */
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

/* A socket that listens on an address, which becomes that of the offer; -1: errno says why. */
static int listen_on(const struct sockaddr *address, struct offer *o)
{
    const int s = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const socklen_t length =
        address->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);

    o->length = sizeof o->address;
    if (s >= 0 && bind(s, address, length) == 0 && listen(s, 8) == 0 &&
        getsockname(s, (struct sockaddr *)&o->address, &o->length) == 0 &&
        getnameinfo((struct sockaddr *)&o->address, o->length, o->name, sizeof o->name, NULL, 0,
                    NI_NUMERICHOST) == 0)
        return s;
    o->length = 0;
    if (s >= 0)
        close(s);
    return -1;
}

/* The first address of that host name, or of that address written out. */
static int listen_at(const char *host, struct offer *o)
{
    const struct addrinfo wanted = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
    struct addrinfo *found;
    const int unknown = getaddrinfo(host, "0", &wanted, &found);
    int s = -1;

    if (unknown == 0) {
        s = listen_on(found->ai_addr, o);
        freeaddrinfo(found);
    }
    if (s < 0)
        snprintf(o->name, sizeof o->name, "rank 1 cannot listen on %.80s (%s)", host,
                 unknown ? gai_strerror(unknown) : strerror(errno));
    return s;
}

/* The first address of an interface that is up: of one that reaches other hosts, or of
   the loopback. */
static int listen_at_interface(bool loopback, struct offer *o)
{
    const unsigned up = IFF_UP | IFF_RUNNING;
    struct ifaddrs *all = NULL;
    int s = -1;

    if (getifaddrs(&all) != 0)
        return -1;
    for (const struct ifaddrs *i = all; i != NULL && s < 0; i = i->ifa_next) {
        const struct sockaddr *a = i->ifa_addr;
        const struct sockaddr_in6 *six = (const void *)a;

        if (a != NULL && (i->ifa_flags & up) == up &&
            ((i->ifa_flags & IFF_LOOPBACK) != 0) == loopback &&
            (a->sa_family == AF_INET ||
             (a->sa_family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr))))
            s = listen_on(a, o);
    }
    freeifaddrs(all);
    return s;
}

/* Does it lead back to this host, as Debian's 127.0.1.1 for its own name does? */
static bool is_loopback(const struct sockaddr_storage *address)
{
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;

    return address->ss_family == AF_INET ? ntohl(four->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET
                                         : IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* At an address that other hosts can reach: that of the host's name, or of an interface
   where the name is unknown or leads back here.  The last resort is the loopback, which
   reaches containers that share it. */
static int listen_to_others(struct offer *o)
{
    char host[HOST_NAME_MAX + 1] = "";
    int s;

    gethostname(host, sizeof host);
    s = listen_at(host, o);
    if (s >= 0 && !is_loopback(&o->address))
        return s;
    if (s >= 0)
        close(s);
    s = listen_at_interface(false, o);
    return s >= 0 ? s : listen_at_interface(true, o);
}

static bool is_ready(int s, short what)
{
    struct pollfd one = { .fd = s, .events = what };

    return poll(&one, 1, CONNECT_MS) == 1;
}

/* The connection that begins with the token; others are closed. */
static int accept_from(int listener, unsigned long token)
{
    while (is_ready(listener, POLLIN)) {
        const int s = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        unsigned long said = 0;

        if (s < 0)
            continue;
        if (is_ready(s, POLLIN) && recv(s, &said, sizeof said, 0) == (ssize_t)sizeof said &&
            said == token)
            return s;
        close(s);
    }
    return -1;
}

/* On rank 1: the connection, or -1. */
static int wait_for(const struct bench_run *r, MPI_Comm comm, bool one_node, struct offer *o)
{
    const char *named = getenv("ALIDADE_TCP_ADDRESS");
    const int listener = named != NULL ? listen_at(named, o)
                         : one_node    ? listen_at("127.0.0.1", o)
                                       : listen_to_others(o);
    int s = -1;

    if (getrandom(&o->token, sizeof o->token, 0) < 0)
        o->token = (unsigned long)getpid();
    PMPI_Send(o, sizeof *o, MPI_BYTE, r->peer, TCP_TAG, comm);
    if (listener >= 0) {
        s = accept_from(listener, o->token);
        close(listener);
    }
    return s;
}

/* On rank 0: the connection, or -1. */
static int seek(const struct bench_run *r, MPI_Comm comm, struct offer *o)
{
    int s, error = 0;
    socklen_t length = sizeof error;

    PMPI_Recv(o, sizeof *o, MPI_BYTE, r->peer, TCP_TAG, comm, MPI_STATUS_IGNORE);
    if (o->length == 0)
        return -1;
    s = socket(o->address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s >= 0 &&
        (connect(s, (struct sockaddr *)&o->address, o->length) == 0 ||
         (errno == EINPROGRESS && is_ready(s, POLLOUT) &&
          getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0)) &&
        send(s, &o->token, sizeof o->token, MSG_NOSIGNAL) == (ssize_t)sizeof o->token)
        return s;
    if (s >= 0)
        close(s);
    return -1;
}

static bool connect_ranks(const struct context *c, const struct buffer *send, char *why,
                          size_t room)
{
    const int yes = 1;
    const struct bench_run *r = c->run;
    struct tcp *t = tcp_of(r);
    struct offer o = { 0 };

    t->socket = r->sender ? seek(r, c->world->comm, &o)
                          : wait_for(r, c->world->comm, c->placement->nodes == 1, &o);
    if (t->socket < 0) {
        snprintf(why, room, "%s%s; ALIDADE_TCP_ADDRESS may name another address of rank 1's host",
                 o.length > 0 ? "no TCP connection to " : "", o.name);
        return false;
    }
    snprintf(t->transport.over, sizeof t->transport.over, "TCP to %.70s", o.name);
    setsockopt(t->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return true;
}

static void describe(const struct context *c)
{
    tcp_of(c->run)->socket = -1;
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    return transport_connect(c, &b->send, connect_ranks);
}

static void end(const struct context *c)
{
    const struct tcp *t = tcp_of(c->run);

    if (t->socket >= 0)
        close(t->socket);
}

const struct family transport_tcp_family = {
    .name = "transport",
    .state = sizeof(struct tcp),
    .describe = describe,
    .plan = transport_plan,
    .ready = ready,
    .end = end,
    .record = transport_record,
};
