/* SPDX-License-Identifier: BSD-3-Clause */
#include "carriers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/simulation.h"
#include "base/sizes.h"
#include "bench.h"
#include "expect/expect.h"
#include "job/progress.h"
#include "job/world.h"
#include "machine/placement.h"
#include "memory/memory.h"
#include "record/record.h"
#include "report/result.h"
#include "timing/clock.h"

enum { ROOM = DEVICES_MAX * DEVICE_NAME };

static struct carriers carriers;
static bool counting; /* this rank reads the counters of its node */

/* --- Which device carries bytes between nodes: messages before the table ------------ */

enum { TAG = 1, MESSAGES = 4, BYTES = 4 * MiB, RETRIES = 3 };

/* Adapters keep what they last told for 10 ms (RDMA_HW_STATS_DEFAULT_LIFESPAN). */
static const struct timespec PAUSE = { 0, 20000000 };

/* The first rank that is not on the node of rank 0. */
static int find_other(const struct context *c)
{
    return world_first(c->world, c->placement->node_number > 0);
}

/* Do the rows send from node to node, by MPI? */
static bool is_of_interest(const struct context *c)
{
    const struct placement *at = c->placement;

    return !SIMULATED && at->nodes > 1 && bench_has_rows(c->bench) &&
           !c->bench->report->without_mpi &&
           (strcmp(at->path, "inter-node") == 0 ||
            strcmp(at->path, "mixed") == 0);
}

static bool is_expected(const struct settings *s)
{
    const struct expect_asked *asked = expect_asked(s);

    for (int i = 0; i < asked->n; i++)
        if (strncmp(asked->text[i], "device=", strlen("device=")) == 0)
            return true;
    return false;
}

/* Send the messages, or receive them, until all have arrived. */
static void pass_messages(bool sends, int other, MPI_Comm comm)
{
    void *block =
        world_room(1, BYTES, "messages that show which device carries them");

    for (int i = 0; i < MESSAGES; i++)
        if (sends)
            PMPI_Send(block, BYTES, MPI_BYTE, other, TAG, comm);
        else
            PMPI_Recv(block, BYTES, MPI_BYTE, 0, TAG, comm, MPI_STATUS_IGNORE);
    if (sends)
        PMPI_Recv(NULL, 0, MPI_BYTE, other, TAG, comm, MPI_STATUS_IGNORE);
    else
        PMPI_Send(NULL, 0, MPI_BYTE, 0, TAG, comm);
    free(block);
}

/* On rank 0. */
static struct carried send_and_judge(const struct devices *d, int to,
                                     MPI_Comm comm)
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
static const char *words(const struct devices *d, const struct carried *carried,
                         int i, char text[100])
{
    const struct net_device *device = &d->device[i];
    char rate[32] = "unknown";

    if (device->rate > 0)
        snprintf(rate, sizeof rate, "%.0f", 1e-6 * device->rate);
    snprintf(text, 100, "%s (share=%.2f; MB/s=%s;)", device->name,
             carried->share[i], rate);
    return text;
}

static void warn(const struct context *c, const struct devices *d,
                 const struct carried *carried)
{
    char used[100], idle[100];

    message_print(W09_SLOW_DEVICE,
                  "the bytes between nodes went over %s, and a faster device "
                  "is up: %s",
                  words(d, carried, carried->most, used),
                  words(d, carried, carried->idle, idle));
}

/* The names, as devices.h has them, into device[] on rank 0; "": not known, or nothing was sent.
   Warns if a faster device is idle.  Collective. */
static void probe(const struct context *c, const struct devices *here,
                  char *device, size_t room)
{
    const struct world *world = c->world;
    int other, wanted = 1;

    device[0] = '\0';
    if (!is_of_interest(c))
        return;
    progress_phase("probing network devices");
    other = find_other(c);
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
    snprintf(device, room, "%s", carried.names);
    /* Who expects a device knows which it is to be. */
    if (carried.idle >= 0 && !is_expected(c->settings))
        warn(c, here, &carried);
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
    for (const char *name = names; name < names + ROOM && name[0] != '\0';
         name += DEVICE_NAME)
        if (c->n < CARRIERS_MAX && number_of(c, name) == CARRIERS_MAX)
            memcpy(c->name[c->n++], name, DEVICE_NAME);
}

static void agree(struct carriers *c)
{
    char mine[ROOM] = "", *all = NULL;
    int rank, size;

    PMPI_Comm_rank(c->leaders, &rank);
    PMPI_Comm_size(c->leaders, &size);
    if (rank == 0)
        all = world_room((size_t)size, ROOM, "the names of network devices");
    for (int i = 0; i < c->here.n; i++)
        memcpy(mine + i * DEVICE_NAME, c->here.device[i].name, DEVICE_NAME);
    PMPI_Gather(mine, ROOM, MPI_CHAR, all, ROOM, MPI_CHAR, 0, c->leaders);
    for (int i = 0; rank == 0 && i < size; i++)
        unite(c, all + (size_t)i * ROOM);
    free(all);
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
static double best_of(const struct context *c,
                      const struct plausible_limits *limits)
{
    const char *path = c->placement->path;

    if (strcmp(path, "inter-node") == 0)
        return c->talk->star ? limits->link / c->placement->nodes
               : c->bench->report->both_ways ? limits->link
                                             : limits->link / 2;
    /* A GPU's memory is faster than what ranks copy. */
    return strcmp(path, "mixed") == 0 || c->side[0]->on_gpu ||
                   c->side[1]->on_gpu
               ? 0
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
        .link = !silent && strcmp(c->placement->path, "inter-node") == 0
                    ? most[1]
                    : 0,
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
    if (record_asked(c->settings)->json == NULL || SIMULATED ||
        c->placement->nodes == 1)
        return;
    PMPI_Comm_split(c->world->comm, leads ? 0 : MPI_UNDEFINED, c->world->rank,
                    &carriers.leaders);
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

const struct carriers *carriers_of_row(void)
{
    return &carriers;
}

static enum exit_code end(const struct context *c, const struct ending *ending)
{
    if (counting)
        PMPI_Comm_free(&carriers.leaders);
    counting = false;
    return ending->code;
}

const struct watcher carriers_watcher = {
    .placed = placed, .batch = batch, .measured = measured, .end = end
};
