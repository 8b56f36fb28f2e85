/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * devices.h - the network devices of this node that are up, and how many bytes each
 *             has sent, as the kernel counts them below /sys/class.
 *
 * A device is a port of an InfiniBand adapter (also of its relatives: RoCE, EFA) or of
 * Slingshot, or an interface.  A port counts in words of 4 bytes (port_xmit_data: "octets,
 * divided by 4", Documentation/ABI/stable/sysfs-class-infiniband of Linux), or in bytes in its
 * hw_counters or its telemetry; it counts what passes by the kernel.  An interface counts in
 * bytes.
 *
 * Each byte is counted once.  Interfaces that are made of others (bonds, bridges, VLANs)
 * are left out, as the others count.  What an IP interface on such a port has sent is not
 * the port's.  Memory that processes share (also xpmem and CMA) has no counter.
 */
#ifndef DEVICES_H
#define DEVICES_H

#include <stdbool.h>

#include "record/fields.h"
#include "watch.h"

enum { DEVICES_MAX = 48, DEVICE_NAME = 32, DEVICE_NAMES = 128 };

struct net_device {
    char name[DEVICE_NAME];         /* "mlx5_0", its second port "mlx5_0:2", "eth0" */
    char folder[256];               /* of the port or the interface */
    const struct device_kind *kind; /* whose files it has */
    bool port;                      /* of an adapter; else an interface */
    bool loops;                     /* what is sent arrives on this node */
    bool link;                      /* hardware of its own: a port, or an interface without one */
    int below;                      /* number of the port that counts it too; -1: none */
    double rate;                    /* bytes/s, one direction; 0: unknown, or no hardware */
};

struct devices {
    int n;
    bool more; /* there are others, which do not count or find no room */
    struct net_device device[DEVICES_MAX]; /* ports, then interfaces; those beyond are
                                          left out, virtual ones first */
};

/* Those that are up and count. */
void devices_find(struct devices *d);

/* Bytes that each has sent since an unknown moment.  Takes 20 ms, and at most 3 s, if a driver keeps
   what it has read and says since when. */
void devices_read(const struct devices *d, double sent[DEVICES_MAX]);

/* Bytes per second of all their links, one direction, as the kernel states them; 0: one of
   them does not say, or there are none. */
double devices_rate(const struct devices *d);

/* Is one up that is clearly faster than another: a port of an adapter, or an interface
   with at least twice the rate? */
bool devices_differ(const struct devices *d);

/* Who carried a message to another node. */
struct carried {
    char names[DEVICE_NAMES];  /* with a tenth of the bytes or more, the first part
                                 before '+'; "": the counters do not tell */
    int most;                  /* number of the one that sent most; -1: unknown */
    int idle;                  /* a faster one, if those that are faster sent less than half; -1 */
    double share[DEVICES_MAX]; /* of what all sent that do not loop */
};

/* Of so many bytes of the message, each device sent sent[i].  Counters that missed half
   of it do not tell. */
struct carried devices_judge(const struct devices *d, const double sent[DEVICES_MAX], double bytes);

extern const struct watcher devices_watcher;

/* Count what devices send in each row, once the ranks are placed.  Collective. */
void carriers_begin(const struct context *c);

/* "links": the devices of this node, but the one that loops. */
void links_record(struct fields to);

/* "devices": what each sent in the row that was measured last, the most first; null: too little,
   or not counted.  On rank 0. */
void carriers_record(struct fields to);

#endif
