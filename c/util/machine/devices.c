/* SPDX-License-Identifier: BSD-3-Clause */
#include "devices.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/proc_file.h"

enum { PATH = 700, INFINIBAND_HARDWARE = 32 /* <linux/if_arp.h> */ };

static const double FASTER = 2; /* times the rate is clearly faster */
static const double PART = 0.1; /* of the bytes: worth a name */
static const double SEEN = 0.5; /* of a message, at least */
static const double WORDS = 4;  /* bytes */

static double number_in(const char *folder, const char *name)
{
    char path[PATH];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return proc_number(path, "");
}

static bool exists(const char *folder, const char *name)
{
    char path[PATH];
    glob_t found;
    bool any;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    any = glob(path, 0, NULL, &found) == 0;
    if (any)
        globfree(&found);
    return any;
}

/* The word in a file is that one; "4: ACTIVE" has its number before it. */
static bool says(const char *folder, const char *name, const char *word)
{
    char path[PATH], text[32];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return proc_line(path, "", text, sizeof text) && strstr(text, word) != NULL;
}

/* Adapters that have no port_xmit_data count in bytes, under names of their drivers:
   efa and bnxt_re, irdma. */
static double port_sent(const char *folder)
{
    static const char *const names[] = { "hw_counters/tx_bytes",
                                         "hw_counters/ip4OutOctets",
                                         "hw_counters/ip6OutOctets" };
    const double words = number_in(folder, "counters/port_xmit_data");
    double sum = NAN;

    if (isfinite(words))
        return WORDS * words;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const double bytes = number_in(folder, names[i]);

        if (isfinite(bytes))
            sum = isfinite(sum) ? sum + bytes : bytes;
    }
    return sum;
}

static double device_sent(const struct net_device *device)
{
    return device->port ? port_sent(device->folder)
                        : number_in(device->folder, "statistics/tx_bytes");
}

/* The last part of a path that ends after n characters, and its length. */
static const char *last_part(const char *path, size_t n, int *length)
{
    const char *end = path + n, *begin = end;

    while (begin > path && begin[-1] != '/')
        begin--;
    *length = (int)(end - begin);
    return begin;
}

/* ROOT/class/infiniband/mlx5_0/ports/1 */
static void describe_port(struct net_device *port)
{
    int length, digits;
    const size_t n = strlen(port->folder);
    const char *number = last_part(port->folder, n, &digits);
    const size_t adapter = n - (size_t)digits - strlen("/ports/");
    const char *name = last_part(port->folder, adapter, &length);
    char other[PATH];

    snprintf(other, sizeof other, "%.*s/ports/2", (int)adapter, port->folder);
    if (access(other, F_OK) == 0)
        snprintf(port->name, sizeof port->name, "%.*s:%s",
                 length < 24 ? length : 24, name, number);
    else
        snprintf(port->name, sizeof port->name, "%.*s", length, name);
    port->port = true;
    port->below = -1;
    port->rate = fmax(0, 1e9 / 8 * number_in(port->folder, "rate"));
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
    const double number = number_in(interface, "dev_port");
    char name[300], port[32];

    if (number_in(interface, "type") != INFINIBAND_HARDWARE)
        return -1;
    snprintf(port, sizeof port, "ports/%.0f", number >= 0 ? number + 1 : 1);
    for (int i = 0; i < d->n; i++) {
        int adapter;
        const char *at = strstr(d->device[i].folder, "/ports/");

        if (!d->device[i].port || at == NULL || strcmp(at + 1, port) != 0)
            continue;
        at = last_part(d->device[i].folder, (size_t)(at - d->device[i].folder),
                       &adapter);
        snprintf(name, sizeof name, "device/infiniband/%.*s", adapter, at);
        if (exists(interface, name))
            return i;
    }
    return -1;
}

static void describe_interface(struct devices *d, struct net_device *interface)
{
    int length;
    const char *folder = interface->folder;
    const char *name = last_part(folder, strlen(folder), &length);

    snprintf(interface->name, sizeof interface->name, "%.*s", length, name);
    interface->loops = strcmp(interface->name, "lo") == 0;
    interface->below = port_below(d, folder);
    /* Virtual devices state a rate that nobody keeps to. */
    if (exists(folder, "device"))
        interface->rate = fmax(0, 1e6 / 8 * number_in(folder, "speed"));
}

/* Append the device of that folder, if it counts. */
static void add(struct devices *d, const char *folder, int length, bool port)
{
    struct net_device *device = &d->device[d->n];

    if (d->n == DEVICES_MAX || length >= (int)sizeof device->folder)
        return;
    *device = (struct net_device){ .port = port };
    snprintf(device->folder, sizeof device->folder, "%.*s", length, folder);
    if (!isfinite(device_sent(device)))
        return;
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
        const bool counts = port
                                ? says(folder, "state", "ACTIVE")
                                : is_up(folder) && !exists(folder, "lower_*") &&
                                      exists(folder, "device") == hardware;

        if (counts)
            add(d, folder, (int)strlen(folder), port);
    }
    globfree(&found);
}

void devices_find(struct devices *d)
{
    d->n = 0;
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
