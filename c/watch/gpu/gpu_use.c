/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "base/proc_file.h"
#include "bench.h"
#include "gpu_map.h"
#include "job/launch.h"
#include "job/progress.h"
#include "job/world.h"

static struct refusal refusal; /* found before MPI; said when all can leave */

/* By what a GPU was asked for: "D D: ". */
static const char *asked_by(const struct settings *s, char text[32])
{
    if (settings_device_words(s) && s->nwords > 0 && s->idle == NULL)
        snprintf(text, 32, "%s %s: ",
                 choice_word(settings_memory_words, (int)s->memory[0]),
                 choice_word(settings_memory_words, (int)s->memory[1]));
    else
        snprintf(text, 32,
                 "%s: ", s->device != DEVICE_HOST ? "-d" : "-r, --compute");
    return text;
}

static void take_gpu(const struct settings *s)
{
    const struct gpu_runtime *gpu;
    struct gpu_facts facts;
    char why[200] = "", by[32];
    int visible, device;

    gpu_choose(s->device);
    gpu = gpu_runtime();
    visible = gpu->count();
    if (visible == 0) {
        refusal_because(&refusal, E05_NO_GPU_SUPPORT, "%s%s sees no GPU: %s",
                        asked_by(s, by), gpu->name, gpu->error());
        return;
    }
    device = gpu_map_device(gpu_map_asked(s), launch_local_rank(), visible, why,
                            sizeof why);
    if (device == GPU_REFUSED)
        refusal_because(&refusal, E06_NO_GPU_FOR_RANK, "%s", why);
    else if (!gpu->use(device) || !gpu->facts(&facts))
        refusal_because(&refusal, E05_NO_GPU_SUPPORT,
                        "the GPU cannot be used: %s", gpu->error());
    else
        this_gpu.facts = facts;
}

/* Take the GPU that --gpu-map gives this rank, if one is needed for buffers or because the
   program computes there: before MPI starts, since some libraries look for one in MPI_Init.
   Only a process without others leaves now; else open says what is wrong. */
static enum exit_code begin(const struct context *c)
{
    const struct settings *s = c->settings;

    refusal = (struct refusal){ .why = "" };
    this_gpu = (struct gpu_use){
        .used = c->known >= KNOWN_OPTIONS &&
                (s->device != DEVICE_HOST ||
                 bench_plan(c->bench, s).computes_on_gpu),
    };
    if (!this_gpu.used)
        return EXIT_OK;
    /* A GPU that rests takes seconds to wake; a rank whose GPU is ready waits for the
       others in MPI_Init. */
    progress_phase("taking the GPU");
    progress.slow = true;
    take_gpu(s);
    return launch_promised() > 0 ? EXIT_OK : refusal_print(&refusal, true);
}

/* What ranks tell each other. */
struct neighbour {
    int node, local; /* first rank of its node; local rank, or negative */
    char uuid[sizeof((struct gpu_facts *)NULL)->uuid];
    char pci[sizeof((struct gpu_facts *)NULL)->pci];
};

/* What the rank shares with others that it should not share; each a rank of the job,
   or -1. */
struct shares {
    int gpu, local;
};

static int first_of_node(const struct world *world)
{
    int first = world->rank;
    MPI_Comm node;

    PMPI_Comm_split_type(world->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                         &node);
    PMPI_Bcast(&first, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    return first;
}

/* Ranks in containers of their own share a GPU and no memory: its number is looked for
   among all ranks of the job. */
static struct shares find_shares(const struct world *world, int local)
{
    struct neighbour mine = { .node = first_of_node(world), .local = local };
    struct neighbour *all =
        world_room((size_t)world->size, sizeof *all, "the GPUs of all ranks");
    struct shares found = { -1, -1 };

    memcpy(mine.uuid, this_gpu.facts.uuid, sizeof mine.uuid);
    memcpy(mine.pci, this_gpu.facts.pci, sizeof mine.pci);
    PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE,
                   world->comm);
    this_gpu.sharers = 1;
    this_gpu.unseen = 0;
    for (int i = 0; i < world->size; i++) {
        const bool same = strcmp(all[i].uuid, mine.uuid) == 0;

        if (i == world->rank)
            continue;
        this_gpu.sharers += same;
        if (same && found.gpu < 0)
            found.gpu = i;
        if (all[i].node != mine.node)
            continue;
        if (!same && !gpu_runtime()->sees(all[i].pci))
            this_gpu.unseen = 1;
        if (local >= 0 && all[i].local == local)
            found.local = i;
    }
    free(all);
    PMPI_Allreduce(MPI_IN_PLACE, &this_gpu.unseen, 1, MPI_INT, MPI_SUM,
                   world->comm);
    return found;
}

/* All ranks leave if one must; the first that does says why. */
static enum exit_code refuse_together(const struct context *c)
{
    return world_refuse_first(c->world, refusal.why[0] != '\0', refusal.id,
                              "%s", refusal.why);
}

/* Does every rank have its GPU, and do no two of a node have the same, unless that was asked
   for? */
static enum exit_code open(const struct context *c)
{
    const struct settings *s = c->settings;
    const struct world *world = c->world;
    const int local = launch_local_rank();
    struct shares with;
    enum exit_code code;

    progress.slow = false;
    /* Words without -d are for GPUs where a rank sees one: all must, or none. */
    if (!this_gpu.used && !s->host_instead)
        return EXIT_OK;
    if ((s->host_instead || settings_device_words(s)) &&
        world_first(world, this_gpu.used) < world->size && !this_gpu.used)
        refusal_because(&refusal, E05_NO_GPU_SUPPORT,
                        "SRC DST: no GPU is seen here, but ranks elsewhere "
                        "see one");
    code = refuse_together(c);
    if (code != EXIT_OK || !this_gpu.used)
        return code;
    with = find_shares(world, local);
    if (with.local >= 0)
        refusal_because(&refusal, E06_NO_GPU_FOR_RANK,
                        "the launcher gives ranks %d and %d of a node the same "
                        "local rank %d",
                        world->rank, with.local, local);
    else if (with.gpu >= 0 && (gpu_map_asked(s)->policy == GPU_MAP_AUTO ||
                               gpu_map_asked(s)->policy == GPU_MAP_STRICT))
        refusal_because(&refusal, E06_NO_GPU_FOR_RANK,
                        "ranks %d and %d have the same GPU, %s", world->rank,
                        with.gpu, this_gpu.facts.uuid);
    code = refuse_together(c);
    if (code == EXIT_OK && this_gpu.unseen > 0 && world->rank == 0)
        message_print(W34_GPU_UNSEEN,
                      "ranks that do not see all GPUs of their node=%d of "
                      "%d;",
                      this_gpu.unseen, world->size);
    int shared[] = { with.gpu >= 0, with.gpu >= 0 && this_gpu.facts.turns };
    PMPI_Allreduce(MPI_IN_PLACE, shared, 2, MPI_INT, MPI_MAX, world->comm);
    this_gpu.shared = shared[0];
    this_gpu.turns = shared[1];
    if (code == EXIT_OK && this_gpu.turns && world->rank == 0)
        message_print(W39_GPU_TURNS,
                      "ranks take turns on a GPU that they share;");
    return code;
}

/* The NUMA node of the device at that PCI address, as the kernel says; -1: it does not. */
static int numa_of(const char *pci)
{
    char path[200];

    snprintf(path, sizeof path, "%s/bus/pci/devices/%s", proc_sys(), pci);
    for (char *c = path; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'F')
            *c += 'a' - 'A'; /* the kernel writes addresses in small letters */
    const double numa = proc_number(path, "numa_node", "");
    return numa >= 0 ? (int)numa : -1;
}

struct gpu_rank *gpu_use_collect(const struct world *world)
{
    struct gpu_rank mine = { .facts = this_gpu.facts,
                             .ranks = this_gpu.sharers,
                             .numa = numa_of(this_gpu.facts.pci) };
    struct gpu_rank *all = NULL;

    if (!this_gpu.used)
        return NULL;
    mine.peermem = proc_has(proc_sys(), gpu_runtime()->peermem);
    if (world->rank == 0)
        all = world_room((size_t)world->size, sizeof *all,
                         "the GPUs of all ranks");
    PMPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0,
                world->comm);
    return all;
}

const struct watcher gpu_watcher = { .begin = begin, .open = open };
