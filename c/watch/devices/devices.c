/* SPDX-License-Identifier: BSD-3-Clause */
#include "devices.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/proc_file.h"
#include "base/simulation.h"
#include "base/sizes.h"
#include "bench.h"
#include "data/memory.h"
#include "expect/expect.h"
#include "job/placement.h"
#include "job/progress.h"
#include "job/world.h"
#include "record/fields.h"
#include "report/result.h"
#include "timing/clock.h"

enum { PATH = 700, INFINIBAND_HARDWARE = 32 /* <linux/if_arp.h> */ };

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

/* Who carried a message to another node. */
struct carried {
    char names[DEVICE_NAMES];  /* with a tenth of the bytes or more, the first part
                                 before '+'; "": the counters do not tell */
    int most;                  /* number of the one that sent most; -1: unknown */
    int idle;                  /* a faster one, if those that are faster sent less than half; -1 */
    double share[DEVICES_MAX]; /* of what all sent that do not loop */
};

static const double FASTER = 2; /* times the rate is clearly faster */
static const double PART = 0.1; /* of the bytes: worth a name */
static const double SEEN = 0.5; /* of a message, at least */
static const double WORDS = 4;  /* bytes */

/* Adapters keep what they last told for 10 ms (RDMA_HW_STATS_DEFAULT_LIFESPAN); those that say when
   they read it are read again until that is another time, for 3 s. */
static const struct timespec PAUSE = { 0, 20000000 };
enum { READS = 150 };

/* The word in a file is that one; "4: ACTIVE" has its number before it. */
static bool says(const char *folder, const char *name, const char *word)
{
    char text[32];

    return proc_line(folder, name, "", text, sizeof text) && strstr(text, word) != NULL;
}

/* The adapter of a port, and its number there: ROOT/class/infiniband/mlx5_0/ports/1. */
static void split_port(const char *folder, char adapter[64], unsigned char *number)
{
    adapter[0] = '\0';
    *number = 0;
    sscanf(folder + strlen(proc_sys()), "/class/infiniband/%63[^/]/ports/%hhu", adapter, number);
}

static bool is_active(const char *port, bool hardware)
{
    return says(port, "state", "ACTIVE");
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
    port->rate = fmax(0, 1e9 / 8 * proc_number(port->folder, "rate", ""));
}

/* Does the IP interface send through this port? */
static bool port_carries(const struct net_device *port, const char *interface)
{
    const double before = fmax(0, proc_number(interface, "dev_port", ""));
    char adapter[64], name[100];
    unsigned char number;

    split_port(port->folder, adapter, &number);
    snprintf(name, sizeof name, "device/infiniband/%s", adapter);
    return proc_number(interface, "type", "") == INFINIBAND_HARDWARE && number == before + 1 &&
           proc_has(interface, name);
}

/* What the first of these files says; the second is that of Slingshot 400. */
static bool slingshot_says(const char *folder, const char *const names[2], char *text, size_t room)
{
    return proc_line(folder, names[0], "", text, room) ||
           proc_line(folder, names[1], "", text, room);
}

static bool slingshot_is_up(const char *folder, bool hardware)
{
    static const char *const names[] = { "device/port/link", "device/port/0/link/state" };
    char text[32];

    return slingshot_says(folder, names, text, sizeof text) && strcmp(text, "up") == 0;
}

static void describe_slingshot(struct net_device *port)
{
    static const char *const names[] = { "device/port/speed", "device/port/0/link/speed" };
    char text[32];
    double gbit = 0;

    /* "BS_200G", "ck400G" */
    if (slingshot_says(port->folder, names, text, sizeof text))
        sscanf(text, "%*[^0-9]%lfG", &gbit);
    port->rate = 1e9 / 8 * gbit;
}

static bool slingshot_carries(const struct net_device *port, const char *interface)
{
    char name[64];

    snprintf(name, sizeof name, "device/cxi/%s", port->name);
    return proc_has(interface, name);
}

/* Up, and not made of others? */
static bool counts(const char *interface, bool hardware)
{
    return !says(interface, "operstate", "down") && /* also lowerlayerdown */
           !says(interface, "operstate", "notpresent") &&
           !says(interface, "operstate", "dormant") && !proc_has(interface, "lower_*") &&
           proc_has(interface, "device") == hardware;
}

static void describe_interface(struct net_device *interface)
{
    const char *folder = interface->folder;

    interface->loops = strcmp(interface->name, "lo") == 0;
    /* Virtual devices state a rate that nobody keeps to. */
    if (!proc_has(folder, "device"))
        return;
    interface->rate = fmax(0, 1e6 / 8 * proc_number(folder, "speed", ""));
    interface->link = !proc_has(folder, "device/infiniband") && !proc_has(folder, "device/cxi") &&
                      says(folder, "operstate", "up");
}

static const struct device_kind {
    const char *pattern; /* of its folders, below /sys/class */
    bool hardware;       /* not of an interface that is virtual */
    /* Is it up and such, and does no other count the same bytes? */
    bool (*counts)(const char *folder, bool hardware);
    const char *words; /* file with what it has sent, in words of 4 bytes; NULL, or none there: */
    const char *bytes[3]; /* files with parts of that, in bytes */
    void (*describe)(struct net_device *device);
    /* Does the interface send through this port?  NULL: these are interfaces. */
    bool (*carries)(const struct net_device *port, const char *interface);
} kinds[] = {
    /* In bytes: efa and bnxt_re, irdma. */
    { "infiniband/*/ports/*",
      true,
      is_active,
      "counters/port_xmit_data",
      { "hw_counters/tx_bytes", "hw_counters/ip4OutOctets", "hw_counters/ip6OutOctets" },
      describe_port,
      port_carries },
    /* HPE's driver: "COUNT@SECONDS.NANOSECONDS". */
    { "cxi/*",
      true,
      slingshot_is_up,
      NULL,
      { "device/telemetry/hni_sts_tx_ok_octets" },
      describe_slingshot,
      slingshot_carries },
    { "net/*", true, counts, NULL, { "statistics/tx_bytes" }, describe_interface, NULL },
    { "net/*", false, counts, NULL, { "statistics/tx_bytes" }, describe_interface, NULL },
};

/* Bytes; NAN: it does not say. */
static double sent_by(const struct device_kind *kind, const char *folder)
{
    const double words = kind->words != NULL ? proc_number(folder, kind->words, "") : NAN;
    double sum = NAN;

    if (isfinite(words))
        return WORDS * words;
    for (int i = 0; i < 3 && kind->bytes[i] != NULL; i++) {
        const double bytes = proc_number(folder, kind->bytes[i], "");

        if (isfinite(bytes))
            sum = isfinite(sum) ? sum + bytes : bytes;
    }
    return sum;
}

/* When the driver read what it says; NAN: it reads at once. */
static double read_at(const struct device_kind *kind, const char *folder)
{
    char text[80];

    return proc_line(folder, kind->bytes[0], "", text, sizeof text) && strchr(text, '@') != NULL
               ? strtod(strchr(text, '@') + 1, NULL)
               : NAN;
}

/* Append the device of that folder, if it counts. */
static void add(struct devices *d, const char *folder, const struct device_kind *kind)
{
    struct net_device *device = &d->device[d->n];
    const bool more = d->more;

    d->more = true;
    if (d->n == DEVICES_MAX || strlen(folder) >= sizeof device->folder)
        return;
    *device = (struct net_device){
        .kind = kind, .port = kind->carries != NULL, .link = kind->carries != NULL, .below = -1
    };
    strcpy(device->folder, folder);
    snprintf(device->name, sizeof device->name, "%.31s", basename(folder));
    if (!isfinite(sent_by(kind, folder)))
        return;
    d->more = more;
    kind->describe(device);
    for (int i = 0; i < d->n && !device->port; i++)
        if (d->device[i].port && d->device[i].kind->carries(&d->device[i], folder))
            device->below = i;
    d->n++;
}

/* Those that are up and count. */
static void devices_find(struct devices *d)
{
    char pattern[PATH];
    glob_t found;

    d->n = 0;
    d->more = false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        snprintf(pattern, sizeof pattern, "%s/class/%s", proc_sys(), kinds[k].pattern);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (kinds[k].counts(found.gl_pathv[i], kinds[k].hardware))
                add(d, found.gl_pathv[i], &kinds[k]);
        globfree(&found);
    }
}

/* Bytes that each has sent since an unknown moment.  Takes 20 ms, and at most 3 s, if a driver keeps
   what it has read and says since when. */
static void devices_read(const struct devices *d, double sent[DEVICES_MAX])
{
    double first[DEVICES_MAX];
    bool old = true;

    for (int reads = 0; old && reads < READS; reads++) {
        if (reads > 0)
            nanosleep(&PAUSE, NULL);
        old = false;
        for (int i = 0; i < d->n; i++) {
            const struct net_device *device = &d->device[i];
            const double at = read_at(device->kind, device->folder);
            const double bytes = sent_by(device->kind, device->folder);

            sent[i] = isfinite(bytes) ? bytes : 0;
            if (reads == 0)
                first[i] = at;
            old = old || at == first[i];
        }
    }
    for (int i = 0; i < d->n; i++)
        if (d->device[i].below >= 0)
            sent[d->device[i].below] -= sent[i];
}

/* Bytes per second of all their links, one direction, as the kernel states them; 0: one of
   them does not say, or there are none. */
static double devices_rate(const struct devices *d)
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

/* Is one up that is clearly faster than another: a port of an adapter, or an interface
   with at least twice the rate? */
static bool devices_differ(const struct devices *d)
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

/* Of so many bytes of the message, each device sent sent[i].  Counters that missed half
   of it do not tell. */
static struct carried devices_judge(const struct devices *d, const double sent[DEVICES_MAX],
                                    double bytes)
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
            n += (size_t)snprintf(carried.names + n, sizeof carried.names - n, "%s%s",
                                  n > 0 ? "+" : "", d->device[i].name);
    }
    carried.idle = find_idle(d, &carried);
    return carried;
}

enum { ROOM = DEVICES_MAX * DEVICE_NAME };

/* Who carried the bytes of a row: what the devices of all nodes sent while it was measured, by
   name.  One rank of each node reads the counters before and after a row, outside of what is
   timed.  What is sent counts, so a byte that goes from node to node counts once, with the headers
   of its packets.  Warm-up and the harness's own messages count as well, and so does what others
   send over the same devices. */
enum { CARRIERS_MAX = 64 }; /* names; devices with others are left out */

static struct carriers {
    MPI_Comm leaders; /* a rank of each node */
    struct devices here;
    int number[DEVICES_MAX]; /* of each device here among the names; CARRIERS_MAX: left out */
    double before[DEVICES_MAX];
    int n; /* names of all nodes, alike on all leaders */
    char name[CARRIERS_MAX][DEVICE_NAME];
    double bytes[CARRIERS_MAX]; /* rank 0: sent in the row, by all nodes */
    double sum;                 /* of bytes */
} carriers;
static bool counting; /* this rank reads the counters of its node */

/* --- Which device carries bytes between nodes: messages before the table ------------ */

enum { TAG_OF_PROBE = 1, MESSAGES = 4, BYTES = 4 * MiB, RETRIES = 3 };

/* Do the rows send from node to node, by MPI? */
static bool is_of_interest(const struct context *c)
{
    const struct placement *at = c->placement;

    return !SIMULATED && at->nodes > 1 && bench_has_rows(c->bench) &&
           !c->bench->report->without_mpi &&
           (strcmp(at->path, "inter-node") == 0 || strcmp(at->path, "mixed") == 0);
}

static bool is_expected(const struct settings *s)
{
    const struct expect_asked *asked = ASKED(expect, s);

    for (int i = 0; i < asked->n; i++)
        if (strncmp(asked->text[i], "device=", strlen("device=")) == 0)
            return true;
    return false;
}

/* Send the messages, or receive them, until all have arrived. */
static void pass_messages(bool sends, int other, MPI_Comm comm)
{
    void *block = world_room(1, BYTES, "messages that show which device carries them");

    for (int i = 0; i < MESSAGES; i++)
        if (sends)
            PMPI_Send(block, BYTES, MPI_BYTE, other, TAG_OF_PROBE, comm);
        else
            PMPI_Recv(block, BYTES, MPI_BYTE, other, TAG_OF_PROBE, comm, MPI_STATUS_IGNORE);
    PMPI_Sendrecv(NULL, 0, MPI_BYTE, other, TAG_OF_PROBE, NULL, 0, MPI_BYTE, other, TAG_OF_PROBE,
                  comm, MPI_STATUS_IGNORE);
    free(block);
}

/* On rank 0. */
static struct carried send_and_judge(const struct devices *d, int to, MPI_Comm comm)
{
    double before[DEVICES_MAX], sent[DEVICES_MAX];
    struct carried carried;
    int tries = 0;

    devices_read(d, before);
    pass_messages(true, to, comm);
    do {
        if (tries > 0)
            nanosleep(&PAUSE, NULL);
        devices_read(d, sent);
        for (int i = 0; i < d->n; i++)
            sent[i] -= before[i];
        carried = devices_judge(d, sent, (double)MESSAGES * BYTES);
    } while (carried.most < 0 && tries++ < RETRIES);
    return carried;
}

/* "mlx5_0 (share=0.00; MB/s=12500;)" */
static const char *words(const struct devices *d, const struct carried *carried, int i,
                         char text[100])
{
    const struct net_device *device = &d->device[i];
    char rate[32] = "unknown";

    if (device->rate > 0)
        snprintf(rate, sizeof rate, "%.0f", 1e-6 * device->rate);
    snprintf(text, 100, "%s (share=%.2f; MB/s=%s;)", device->name, carried->share[i], rate);
    return text;
}

/* The names, as struct carried has them, into device[] on rank 0; "": not known, or nothing was sent.
   Warns if a faster device is idle.  Collective. */
static void probe(const struct context *c, const struct devices *here, char *device, size_t room)
{
    const struct world *world = c->world;
    int wanted = 1;

    device[0] = '\0';
    if (!is_of_interest(c))
        return;
    progress_phase("probing network devices");
    /* The first rank that is not on the node of rank 0. */
    const int other = world_first(world, c->placement->node_number > 0);
    if (world->rank == 0 || world->rank == other)
        wanted = is_expected(c->settings) || devices_differ(here);
    PMPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_INT, MPI_MIN, world->comm);
    if (!wanted)
        return;
    if (world->rank == other)
        pass_messages(false, 0, world->comm);
    if (world->rank != 0)
        return;
    const struct carried carried = send_and_judge(here, other, world->comm);
    char used[100], idle[100];

    snprintf(device, room, "%s", carried.names);
    /* Who expects a device knows which it is to be. */
    if (carried.idle >= 0 && !is_expected(c->settings))
        message_print(
            W09_SLOW_DEVICE, "the bytes between nodes went over %s, and a faster device is up: %s",
            words(here, &carried, carried.most, used), words(here, &carried, carried.idle, idle));
}

/* --- Which devices carried a row ------------------------------------------------------ */

/* The number of a name; CARRIERS_MAX: it is not among them. */
static int number_of(const struct carriers *c, const char *name)
{
    for (int i = 0; i < c->n; i++)
        if (strcmp(c->name[i], name) == 0)
            return i;
    return CARRIERS_MAX;
}

/* The names of a node, each once. */
static void unite(struct carriers *c, const char names[ROOM])
{
    for (const char *name = names; name < names + ROOM && name[0] != '\0'; name += DEVICE_NAME)
        if (c->n < CARRIERS_MAX && number_of(c, name) == CARRIERS_MAX)
            memcpy(c->name[c->n++], name, DEVICE_NAME);
}

static void agree(struct carriers *c)
{
    char mine[ROOM] = "";
    const char *all;
    int size;

    for (int i = 0; i < c->here.n; i++)
        memcpy(mine + i * DEVICE_NAME, c->here.device[i].name, DEVICE_NAME);
    all = world_gather(c->leaders, mine, ROOM, "the names of network devices");
    PMPI_Comm_size(c->leaders, &size);
    for (int i = 0; all != NULL && i < size; i++)
        unite(c, all + (size_t)i * ROOM);
    PMPI_Bcast(&c->n, 1, MPI_INT, 0, c->leaders);
    PMPI_Bcast(c->name, sizeof c->name, MPI_CHAR, 0, c->leaders);
    for (int i = 0; i < c->here.n; i++)
        c->number[i] = number_of(c, c->here.device[i].name);
}

/* --- What the job can move at most ---------------------------------------------------- */

enum { COPIED = 32768, COPIES = 50 };

/* Bytes per second that this core copies within its cache: the best of some copies; takes a
   fraction of a millisecond. */
static double copy_rate(void)
{
    static char from[COPIED], to[COPIED];
    static volatile char sink __attribute__((unused));
    double best = HUGE_VAL;

    memset(from, 1, sizeof from);
    for (int i = 0; i < COPIES; i++) {
        const clock_ticks before = clock_now();

        memcpy(to, from, sizeof to);
        sink = to[i]; /* the copy must happen */
        const double took = clock_seconds(clock_now() - before);
        if (took > 0)
            best = fmin(best, took);
    }
    return isfinite(best) ? COPIED / best : 0;
}

/* What a bandwidth can be at most.  What one node sends to all others, or receives, its own
   links carry; what goes one way leaves half of the nodes; what goes both ways, all. */
static double best_of(const struct context *c, const struct plausible_limits *limits)
{
    const char *path = c->placement->path;

    if (strcmp(path, "inter-node") == 0)
        return c->talk->star                 ? limits->link / c->placement->nodes
               : c->bench->report->both_ways ? limits->link
                                             : limits->link / 2;
    /* A GPU's memory is faster than what ranks copy. */
    return strcmp(path, "mixed") == 0 || c->side[0]->on_gpu || c->side[1]->on_gpu ? 0
                                                                                  : limits->copy;
}

/* What the ranks of this job, and links, can move at most; all ranks ask. */
static struct plausible_limits find_limits(const struct context *c, double link)
{
    double most[2] = { copy_rate(), link };
    int silent = c->placement->node_rank == 0 && link == 0;

    PMPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_SUM, c->world->comm);
    PMPI_Allreduce(MPI_IN_PLACE, &silent, 1, MPI_INT, MPI_MAX, c->world->comm);
    struct plausible_limits limits = {
        .copy = most[0],
        .link = !silent && strcmp(c->placement->path, "inter-node") == 0 ? most[1] : 0,
    };
    limits.best = best_of(c, &limits);
    return limits;
}

static void placed(const struct context *c, struct surroundings *around)
{
    const bool leads = c->placement->node_rank == 0;

    carriers = (struct carriers){ .n = 0 };
    if (leads)
        devices_find(&carriers.here);
    *around->limits = find_limits(c, devices_rate(&carriers.here));
    probe(c, &carriers.here, around->device, sizeof around->device);
}

void carriers_begin(const struct context *c)
{
    const bool leads = c->placement->node_rank == 0;

    if (SIMULATED || c->placement->nodes == 1)
        return;
    PMPI_Comm_split(c->world->comm, leads ? 0 : MPI_UNDEFINED, c->world->rank, &carriers.leaders);
    counting = leads;
    if (counting)
        agree(&carriers);
}

static void batch(enum batch_moment moment)
{
    if (moment == BATCH_ROW && counting)
        devices_read(&carriers.here, carriers.before);
}

static void measured(const struct context *context, const struct result *result)
{
    struct carriers *const c = &carriers;
    double after[DEVICES_MAX], mine[CARRIERS_MAX] = { 0 };

    c->sum = 0;
    if (!counting || result->row == NULL)
        return;
    devices_read(&c->here, after);
    for (int i = 0; i < c->here.n; i++)
        if (c->number[i] < CARRIERS_MAX && after[i] > c->before[i])
            mine[c->number[i]] += after[i] - c->before[i];
    PMPI_Reduce(mine, c->bytes, c->n, MPI_DOUBLE, MPI_SUM, 0, c->leaders);
    for (int i = 0; i < c->n; i++)
        c->sum += c->bytes[i];
}

void links_record(struct fields to)
{
    const struct fields list = fields_list(to, "links");

    for (int i = 0; i < carriers.here.n; i++) {
        const struct net_device *device = &carriers.here.device[i];

        if (device->loops)
            continue;
        const struct fields link = fields_object(list, NULL);

        fields_text(link, "name", device->name);
        fields_real(link, "mb_per_s", device->rate > 0 ? 1e-6 * device->rate : NAN);
    }
}

enum { WORTH_A_NAME = 1 << 20 }; /* bytes that all devices sent in a row */

void carriers_record(struct fields to)
{
    const struct carriers *const c = &carriers;
    bool listed[CARRIERS_MAX] = { false };

    if (c->sum < WORTH_A_NAME) {
        fields_text(to, "devices", NULL);
        return;
    }
    const struct fields list = fields_list(to, "devices");

    for (;;) {
        int most = -1;

        for (int i = 0; i < c->n; i++)
            if (!listed[i] && c->bytes[i] > 0 && (most < 0 || c->bytes[i] > c->bytes[most]))
                most = i;
        if (most < 0)
            break;
        const struct fields device = fields_object(list, NULL);

        listed[most] = true;
        fields_text(device, "name", c->name[most]);
        fields_real(device, "share", c->bytes[most] / c->sum);
        fields_int(device, "bytes", (long long)c->bytes[most]);
    }
}

static enum exit_code end(const struct context *c, const struct ending *ending)
{
    if (counting)
        PMPI_Comm_free(&carriers.leaders);
    counting = false;
    return ending->code;
}

const struct watcher devices_watcher = {
    .placed = placed, .batch = batch, .measured = measured, .end = end
};
