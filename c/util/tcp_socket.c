/* SPDX-License-Identifier: BSD-3-Clause */
#include "tcp_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* For a connection: longer ways are not measured. */
enum { PATIENCE_MS = 2000 };

static void add(struct tcp_addresses *o, const char *name)
{
    if (o->n < TCP_ADDRESSES)
        snprintf(o->name[o->n++], TCP_NAME, "%s", name);
}

void tcp_add_interfaces(struct tcp_addresses *o)
{
    struct ifaddrs *all, *i;
    char name[TCP_NAME];

    if (getifaddrs(&all) != 0)
        return;
    for (i = all; i != NULL; i = i->ifa_next) {
        const struct sockaddr *a = i->ifa_addr;
        const bool six = a != NULL && a->sa_family == AF_INET6;

        if (a == NULL || !(i->ifa_flags & IFF_UP) ||
            i->ifa_flags & IFF_LOOPBACK || (!six && a->sa_family != AF_INET))
            continue;
        if (six &&
            IN6_IS_ADDR_LINKLOCAL(
                &((const struct sockaddr_in6 *)(const void *)a)->sin6_addr))
            continue;
        if (getnameinfo(a,
                        six ? sizeof(struct sockaddr_in6)
                            : sizeof(struct sockaddr_in),
                        name, sizeof name, NULL, 0, NI_NUMERICHOST) == 0)
            add(o, name);
    }
    freeifaddrs(all);
}

void tcp_add_loopback(struct tcp_addresses *o)
{
    add(o, "127.0.0.1");
    add(o, "::1");
}

/* A socket that listens on every address of a family; -1: not this one. */
static int listen_on(const struct addrinfo *a)
{
    const int no = 0, s = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (s < 0)
        return -1;
    if (a->ai_family == AF_INET6) /* and those of IPv4 */
        setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (bind(s, a->ai_addr, a->ai_addrlen) == 0 && listen(s, 8) == 0 &&
        fcntl(s, F_SETFL, O_NONBLOCK) == 0)
        return s;
    close(s);
    return -1;
}

int tcp_listen(int *port)
{
    static const int families[] = { AF_INET6, AF_INET };
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    char text[16];
    int s = -1;

    for (int i = 0; i < 2 && s < 0; i++) {
        const struct addrinfo wanted = { .ai_family = families[i],
                                         .ai_socktype = SOCK_STREAM,
                                         .ai_flags =
                                             AI_PASSIVE | AI_NUMERICSERV };
        struct addrinfo *found;

        if (getaddrinfo(NULL, "0", &wanted, &found) != 0)
            continue;
        s = listen_on(found);
        freeaddrinfo(found);
    }
    if (s < 0 || getsockname(s, (struct sockaddr *)&own, &length) != 0 ||
        getnameinfo((struct sockaddr *)&own, length, NULL, 0, text, sizeof text,
                    NI_NUMERICSERV) != 0)
        return s;
    *port = atoi(text);
    return s;
}

static bool is_ready(int s, short what)
{
    struct pollfd one = { .fd = s, .events = what };

    return poll(&one, 1, PATIENCE_MS) == 1;
}

int tcp_accept(int listener, unsigned long token)
{
    while (is_ready(listener, POLLIN)) {
        const int s =
            accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        unsigned long said = 0;

        if (s < 0)
            continue;
        if (is_ready(s, POLLIN) &&
            recv(s, &said, sizeof said, 0) == (ssize_t)sizeof said &&
            said == token)
            return s;
        close(s);
    }
    return -1;
}

static int connect_one(const struct addrinfo *a)
{
    const int s =
        socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int error = 0;
    socklen_t length = sizeof error;

    if (s < 0)
        return -1;
    if (connect(s, a->ai_addr, a->ai_addrlen) == 0 ||
        (errno == EINPROGRESS && is_ready(s, POLLOUT) &&
         getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &length) == 0 &&
         error == 0))
        return s;
    close(s);
    return -1;
}

int tcp_connect(const char *name, int port, unsigned long token)
{
    const struct addrinfo wanted = { .ai_socktype = SOCK_STREAM,
                                     .ai_flags =
                                         AI_NUMERICHOST | AI_NUMERICSERV };
    struct addrinfo *found;
    char text[16];
    int s = -1;

    snprintf(text, sizeof text, "%d", port);
    if (getaddrinfo(name, text, &wanted, &found) != 0)
        return -1;
    for (struct addrinfo *a = found; a != NULL && s < 0; a = a->ai_next)
        s = connect_one(a);
    freeaddrinfo(found);
    if (s >= 0 &&
        send(s, &token, sizeof token, MSG_NOSIGNAL) != (ssize_t)sizeof token) {
        close(s);
        s = -1;
    }
    return s;
}
