/* SPDX-License-Identifier: BSD-3-Clause */
#include "devices.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/proc_file.h"

enum { PATH = 700, INFINIBAND_HARDWARE = 32 /* <linux/if_arp.h> */ };

static const double FASTER = 2; /* times the rate is clearly faster */
static const double PART = 0.1; /* of the bytes: worth a name */
static const double SEEN = 0.5; /* of a message, at least */
static const double WORDS = 4;  /* bytes */

/* The word in a file is that one; "4: ACTIVE" has its number before it. */
static bool says(const char *folder, const char *name, const char *word)
{
    char text[32];

    return proc_line(folder, name, "", text, sizeof text) &&
           strstr(text, word) != NULL;
}

/* Adapters that have no port_xmit_data count in bytes, under names of their drivers:
   efa and bnxt_re, irdma. */
static double port_sent(const char *folder)
{
    static const char *const names[] = { "hw_counters/tx_bytes",
                                         "hw_counters/ip4OutOctets",
                                         "hw_counters/ip6OutOctets" };
    const double words = proc_number(folder, "counters/port_xmit_data", "");
    double sum = NAN;

    if (isfinite(words))
        return WORDS * words;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const double bytes = proc_number(folder, names[i], "");

        if (isfinite(bytes))
            sum = isfinite(sum) ? sum + bytes : bytes;
    }
    return sum;
}

static double device_sent(const struct net_device *device)
{
    return device->port
               ? port_sent(device->folder)
               : proc_number(device->folder, "statistics/tx_bytes", "");
}

/* The adapter of a port, and its number there: ROOT/class/infiniband/mlx5_0/ports/1. */
static void split_port(const char *folder, char adapter[64],
                       unsigned char *number)
{
    adapter[0] = '\0';
    *number = 0;
    sscanf(folder + strlen(proc_sys()), "/class/infiniband/%63[^/]/ports/%hhu",
           adapter, number);
}

static void describe_port(struct net_device *port)
{
    char adapter[64];
    unsigned char number;

    split_port(port->folder, adapter, &number);
    if (proc_has(port->folder, "../2"))
        snprintf(port->name, sizeof port->name, "%.24s:%d", adapter, number);
    else
        snprintf(port->name, sizeof port->name, "%.31s", adapter);
    port->port = port->link = true;
    port->below = -1;
    port->rate = fmax(0, 1e9 / 8 * proc_number(port->folder, "rate", ""));
}

static bool is_up(const char *interface)
{
    return !says(interface, "operstate", "down") && /* also lowerlayerdown */
           !says(interface, "operstate", "notpresent") &&
           !says(interface, "operstate", "dormant");
}

/* The number of the port that an IP interface sends through; -1: of no such port. */
static int port_below(const struct devices *d, const char *interface)
{
    const double before = fmax(0, proc_number(interface, "dev_port", ""));
    char adapter[64], name[100];
    unsigned char number;

    if (proc_number(interface, "type", "") != INFINIBAND_HARDWARE)
        return -1;
    for (int i = 0; i < d->n; i++) {
        if (!d->device[i].port)
            continue;
        split_port(d->device[i].folder, adapter, &number);
        snprintf(name, sizeof name, "device/infiniband/%s", adapter);
        if (number == before + 1 && proc_has(interface, name))
            return i;
    }
    return -1;
}

static void describe_interface(struct devices *d, struct net_device *interface)
{
    const char *folder = interface->folder;

    snprintf(interface->name, sizeof interface->name, "%.31s",
             strrchr(folder, '/') + 1);
    interface->loops = strcmp(interface->name, "lo") == 0;
    interface->below = port_below(d, folder);
    /* Virtual devices state a rate that nobody keeps to. */
    if (!proc_has(folder, "device"))
        return;
    interface->rate = fmax(0, 1e6 / 8 * proc_number(folder, "speed", ""));
    interface->link = !proc_has(folder, "device/infiniband") &&
                      says(folder, "operstate", "up");
}

/* Append the device of that folder, if it counts. */
static void add(struct devices *d, const char *folder, bool port)
{
    struct net_device *device = &d->device[d->n];
    const bool more = d->more;

    d->more = true;
    if (d->n == DEVICES_MAX || strlen(folder) >= sizeof device->folder)
        return;
    *device = (struct net_device){ .port = port };
    strcpy(device->folder, folder);
    if (!isfinite(device_sent(device)))
        return;
    d->more = more;
    if (port)
        describe_port(device);
    else
        describe_interface(d, device);
    d->n++;
}

static void find(struct devices *d, const char *name, bool port, bool hardware)
{
    char pattern[PATH];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/class/%s", proc_sys(), name);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *folder = found.gl_pathv[i];
        const bool counts = port ? says(folder, "state", "ACTIVE")
                                 : is_up(folder) &&
                                       !proc_has(folder, "lower_*") &&
                                       proc_has(folder, "device") == hardware;

        if (counts)
            add(d, folder, port);
    }
    globfree(&found);
}

void devices_find(struct devices *d)
{
    d->n = 0;
    d->more = false;
    find(d, "infiniband/*/ports/*", true, true);
    find(d, "net/*", false, true);
    find(d, "net/*", false, false);
}

void devices_read(const struct devices *d, double sent[DEVICES_MAX])
{
    for (int i = 0; i < d->n; i++) {
        const double bytes = device_sent(&d->device[i]);

        sent[i] = isfinite(bytes) ? bytes : 0;
    }
    for (int i = 0; i < d->n; i++)
        if (d->device[i].below >= 0)
            sent[d->device[i].below] -= sent[i];
}

double devices_rate(const struct devices *d)
{
    double sum = d->more ? NAN : 0;

    for (int i = 0; i < d->n; i++)
        if (d->device[i].link)
            sum += d->device[i].rate > 0 ? d->device[i].rate : NAN;
    return isfinite(sum) ? sum : 0;
}

/* Would data rather be sent by a than by b? */
static bool is_faster(const struct net_device *a, const struct net_device *b)
{
    if (a->loops || b->loops || (b->port && !a->port))
        return false;
    if (a->port && !b->port)
        return a->rate == 0 || FASTER * a->rate > b->rate;
    return a->rate > 0 && b->rate > 0 && a->rate >= FASTER * b->rate;
}

bool devices_differ(const struct devices *d)
{
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++)
            if (d->device[i].port || is_faster(&d->device[i], &d->device[j]))
                return true;
    return false;
}

/* A faster one than that which sent most, if all such sent less than half. */
static int find_idle(const struct devices *d, const struct carried *carried)
{
    double share = 0;
    int idle = -1;

    for (int i = 0; i < d->n; i++) {
        if (!is_faster(&d->device[i], &d->device[carried->most]))
            continue;
        share += carried->share[i];
        if (idle < 0 || is_faster(&d->device[i], &d->device[idle]))
            idle = i;
    }
    return share < 0.5 ? idle : -1;
}

struct carried devices_judge(const struct devices *d,
                             const double sent[DEVICES_MAX], double bytes)
{
    struct carried carried = { .most = -1, .idle = -1 };
    double all = 0;
    size_t n = 0;

    for (int i = 0; i < d->n; i++)
        all += d->device[i].loops ? 0 : fmax(0, sent[i]);
    if (bytes <= 0 || all < SEEN * bytes)
        return carried;
    for (int i = 0; i < d->n; i++) {
        carried.share[i] = d->device[i].loops ? 0 : fmax(0, sent[i]) / all;
        if (carried.most < 0 || carried.share[i] > carried.share[carried.most])
            carried.most = i;
        if (carried.share[i] >= PART && n < sizeof carried.names)
            n += (size_t)snprintf(carried.names + n, sizeof carried.names - n,
                                  "%s%s", n > 0 ? "+" : "", d->device[i].name);
    }
    carried.idle = find_idle(d, &carried);
    return carried;
}
