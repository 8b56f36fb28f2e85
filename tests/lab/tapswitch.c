/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tapswitch.c - an Ethernet switch in user space that takes a known time.
 *
 *   tapswitch DELAY NAMESPACE...
 *
 * DELAY in ns, NAMESPACE the file of a network namespace (/proc/PID/ns/net).
 * In each it makes a TAP device eth0, prints "ready", and passes frames on until
 * it is killed:
 *
 *   departure = when the switch got the frame from its sender
 *   arrival   = departure + DELAY
 *
 * so that a delay is never shorter than DELAY; it is longer by what waking the
 * switch and the receiver takes, 25 to 45 us on an idle machine.  Frames of one
 * sender stay in order, and none is dropped.  The switch has no rate: the sender
 * sets it (tbf before its eth0), where TCP sees the waiting data and does not fill
 * an endless queue.
 *
 * A sender hands over up to 64 KiB as one frame and leaves cutting it up to the
 * device (TSO); it is passed on in one piece.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    PORTS = 64,
    BUFFER_BYTES = 1 << 17, /* more than the largest TSO frame */
    BATCH = 16,             /* frames read from one port before others' turn */
    ADDRESS_BYTES = 6,
    PRIORITY = 10
};

struct frame {
    struct frame *next;
    int64_t arrival_ns;
    size_t bytes;         /* bytes, with the header of virtio */
    unsigned char data[]; /* header of virtio, then the Ethernet frame */
};

struct port {
    int fd;
    struct frame *first, **end;
    unsigned char address[ADDRESS_BYTES];
    bool known; /* has it sent from that address? */
};

static struct port ports[PORTS];
static int nports;

static void die(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void open_port(struct port *port, const char *namespace)
{
    struct ifreq request = { .ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR };
    const int file = open(namespace, O_RDONLY);

    if (file < 0 || setns(file, CLONE_NEWNET) != 0)
        die(namespace);
    close(file);
    port->end = &port->first;
    port->fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    if (port->fd < 0)
        die("/dev/net/tun");
    strcpy(request.ifr_name, "eth0");
    if (ioctl(port->fd, TUNSETIFF, &request) != 0)
        die("a TAP device eth0");
    if (ioctl(port->fd, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6))
        die("offloading to a TAP device");
}

static void take(struct port *from, int64_t delay_ns)
{
    static unsigned char data[BUFFER_BYTES];
    const size_t source = sizeof(struct virtio_net_hdr) + ADDRESS_BYTES;

    for (int i = 0; i < BATCH; i++) {
        const ssize_t got = read(from->fd, data, sizeof data);
        const int64_t departure_ns = now_ns();
        struct frame *frame;

        if (got < (ssize_t)source + ADDRESS_BYTES)
            return;
        memcpy(from->address, data + source, ADDRESS_BYTES);
        from->known = true;
        frame = malloc(sizeof *frame + (size_t)got);
        if (frame == NULL)
            die("memory for a frame");
        frame->next = NULL;
        frame->arrival_ns = departure_ns + delay_ns;
        frame->bytes = (size_t)got;
        memcpy(frame->data, data, (size_t)got);
        *from->end = frame;
        from->end = &frame->next;
    }
}

/* Deliver to the port of the destination, or to all ports if it is a group or
   unknown. */
static void deliver(const struct port *from, const struct frame *frame)
{
    const unsigned char *to = frame->data + sizeof(struct virtio_net_hdr);
    const struct port *only = NULL;

    for (int i = 0; i < nports && (to[0] & 1) == 0; i++)
        if (ports[i].known && memcmp(ports[i].address, to, ADDRESS_BYTES) == 0)
            only = &ports[i];
    for (int i = 0; i < nports; i++) {
        if (&ports[i] == from || (only != NULL && &ports[i] != only))
            continue;
        /* EIO: the device is not up yet. */
        if (write(ports[i].fd, frame->data, frame->bytes) < 0 && errno != EIO)
            perror("a frame was lost");
    }
}

/* Deliver all frames that are due; returns the time until the next one is. */
static int64_t deliver_due(void)
{
    int64_t next_ns = INT64_MAX;

    for (struct port *port = ports; port < ports + nports; port++) {
        struct frame *frame;

        while ((frame = port->first) != NULL && frame->arrival_ns <= now_ns()) {
            port->first = frame->next;
            if (port->first == NULL)
                port->end = &port->first;
            deliver(port, frame);
            free(frame);
        }
        if (frame != NULL && frame->arrival_ns < next_ns)
            next_ns = frame->arrival_ns;
    }
    if (next_ns == INT64_MAX)
        return -1;
    next_ns -= now_ns();
    return next_ns > 0 ? next_ns : 0;
}

/* A delay is only as exact as the moment at which this process wakes. */
static void hurry(void)
{
    const struct sched_param real_time = { .sched_priority = PRIORITY };

    if (sched_setscheduler(0, SCHED_FIFO, &real_time) != 0)
        perror("tapswitch: no real-time priority, delays may be longer");
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

int main(int argc, char **argv)
{
    struct pollfd polled[PORTS];
    int64_t delay_ns;

    if (argc < 3 || argc > 2 + PORTS) {
        fputs("usage: tapswitch DELAY NAMESPACE...\n", stderr);
        return EXIT_FAILURE;
    }
    delay_ns = atoll(argv[1]);
    nports = argc - 2;
    for (int i = 0; i < nports; i++) {
        open_port(&ports[i], argv[2 + i]);
        polled[i] = (struct pollfd){ .fd = ports[i].fd, .events = POLLIN };
    }
    hurry();
    puts("ready");
    fclose(stdout);
    for (;;) {
        const int64_t wait_ns = deliver_due();
        const struct timespec wait = { .tv_sec = wait_ns / 1000000000,
                                       .tv_nsec = wait_ns % 1000000000 };

        if (ppoll(polled, (nfds_t)nports, wait_ns < 0 ? NULL : &wait, NULL) < 0 && errno != EINTR)
            die("poll");
        for (int i = 0; i < nports; i++)
            if (polled[i].revents & POLLIN)
                take(&ports[i], delay_ns);
    }
}
