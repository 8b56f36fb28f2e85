/* SPDX-License-Identifier: BSD-3-Clause */
#include "carriers.h"

#include <stdlib.h>
#include <string.h>

#include "base/simulation.h"
#include "job/world.h"
#include "machine/placement.h"
#include "probe.h"
#include "record/record.h"
#include "report/result.h"

enum { ROOM = DEVICES_MAX * DEVICE_NAME };

static struct carriers carriers;
static bool counting; /* carriers is in use */

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
    if (rank == 0) {
        all = malloc((size_t)size * ROOM);
        if (all == NULL)
            world_no_memory("the names of network devices");
    }
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

static void begin(const struct world *world, const struct placement *placement)
{
    struct carriers *const c = &carriers;
    const bool leads = placement->node_rank == 0;

    if (placement->nodes == 1)
        return;
    PMPI_Comm_split(world->comm, leads ? 0 : MPI_UNDEFINED, world->rank,
                    &c->leaders);
    if (!leads)
        return;
    devices_find(&c->here);
    agree(c);
}

static void placed(const struct context *c, struct surroundings *around)
{
    struct devices here = { .n = 0 };

    carriers = (struct carriers){ .leaders = MPI_COMM_NULL };
    counting = record_asked(c->settings)->json != NULL && !SIMULATED;
    if (c->placement->node_rank == 0)
        devices_find(&here);
    around->link = devices_rate(&here);
    probe_devices(c, around->device, sizeof around->device);
    if (counting)
        begin(c->world, c->placement);
}

static void batch(enum batch_moment moment)
{
    if (moment == BATCH_ROW && counting && carriers.leaders != MPI_COMM_NULL)
        devices_read(&carriers.here, carriers.before);
}

static void measured(const struct context *context, const struct result *result)
{
    struct carriers *const c = &carriers;
    double after[DEVICES_MAX], mine[CARRIERS_MAX] = { 0 };

    (void)context;
    c->sum = 0;
    if (!counting || c->leaders == MPI_COMM_NULL || result->row == NULL)
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
    return counting ? &carriers : NULL;
}

static enum exit_code end(const struct context *c, const struct ending *ending)
{
    (void)c;
    if (counting && carriers.leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&carriers.leaders);
    counting = false;
    return ending->code;
}

const struct watcher carriers_watcher = {
    .placed = placed, .batch = batch, .measured = measured, .end = end
};
