/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "base/number.h"
#include "base/proc_file.h"
#include "bench.h"
#include "job/progress.h"
#include "job/world.h"

/* --- Which GPU: --gpu-map ------------------------------------------------------------- */

static const struct choice words[] = {
    { "auto", GPU_MAP_AUTO, "by local rank, or the only visible GPU" },
    { "strict", GPU_MAP_STRICT, "by local rank, never another" },
    { "modulo", GPU_MAP_MODULO, "by local rank modulo the GPUs (shared)" },
    { "none", GPU_MAP_NONE, "what the environment chose" },
    { "0,1,...", GPU_MAP_LIST, "these devices for local ranks 0, 1, ..." },
    { 0 },
};

const char *gpu_map_parse(void *field, const char *text)
{
    struct gpu_asked *const map = field;
    const struct choice *word = choice_of(words, text, strlen(text));

    *map = (struct gpu_asked){ .policy = GPU_MAP_LIST };
    if (word != NULL) {
        map->policy = (enum gpu_policy)word->value;
        return NULL;
    }
    for (;;) {
        const char *end;
        const long device = number_whole(text, &end);

        if (end == text || device < 0 || device > 1023 || (*end != ',' && *end != '\0'))
            return choice_none;
        if (map->n == GPU_LIST_MAX)
            return "names more than 64 devices";
        map->device[map->n++] = (int)device;
        if (*end == '\0')
            return NULL;
        text = end + 1;
    }
}

static const struct option_row rows[] = {
    { 0, "gpu-map", "HOW", .group = OPTIONS_MEMORY, .help = "the GPU of each rank",
      .fallback = "auto", .kind = OPTION_SPECIAL, .choices = words, .parse = gpu_map_parse },
    { 0 },
};

const struct option_part gpu_options = { .rows = rows, .size = sizeof(struct gpu_asked) };

int gpu_map_device(const struct gpu_asked *map, int local_rank, int visible, char *why, size_t room)
{
    const bool listed = map->policy == GPU_MAP_LIST, named = local_rank < map->n;

    if (map->policy == GPU_MAP_NONE)
        return GPU_ANY;
    if (map->policy == GPU_MAP_AUTO && visible == 1)
        return 0;
    if (local_rank < 0)
        snprintf(why, room,
                 "the launcher does not set a local rank, so none of %d GPUs can "
                 "be chosen; --gpu-map=none leaves the choice to the environment",
                 visible);
    else if (map->policy == GPU_MAP_MODULO)
        return local_rank % visible;
    else if (listed && !named)
        snprintf(why, room, "local rank %d, but --gpu-map names %d device%s", local_rank, map->n,
                 map->n == 1 ? "" : "s");
    else if (listed && map->device[local_rank] >= visible)
        snprintf(why, room, "--gpu-map names device %d, but only %d are visible",
                 map->device[local_rank], visible);
    else if (!listed && local_rank >= visible)
        snprintf(why, room,
                 "local rank %d, but %d visible GPU%s: start fewer ranks per "
                 "node, or let them share with --gpu-map=modulo",
                 local_rank, visible, visible == 1 ? "" : "s");
    else
        return listed ? map->device[local_rank] : local_rank;
    return GPU_REFUSED;
}

/* --- Its use, and who shares it -------------------------------------------------------- */

static struct refusal refusal; /* found before MPI; said when all can leave */

/* By what a GPU was asked for: "D D: ". */
static const char *asked_by(const struct settings *s, char text[32])
{
    if (settings_device_words(s) && s->nwords > 0 && s->idle == NULL)
        snprintf(text, 32, "%s %s: ", choice_word(settings_memory_words, (int)s->memory[0]),
                 choice_word(settings_memory_words, (int)s->memory[1]));
    else
        snprintf(text, 32, "%s: ", s->device != DEVICE_HOST ? "-d" : "-r, --compute");
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
        refusal_because(&refusal, E05_NO_GPU_SUPPORT, "%s%s sees no GPU: %s", asked_by(s, by),
                        gpu->name, gpu->error());
        return;
    }
    device = gpu_map_device(ASKED(gpu, s), launch_local_rank(), visible, why, sizeof why);
    if (device == GPU_REFUSED)
        refusal_because(&refusal, E06_NO_GPU_FOR_RANK, "%s", why);
    else if (!gpu->use(device) || !gpu->facts(&facts))
        refusal_because(&refusal, E05_NO_GPU_SUPPORT, "the GPU cannot be used: %s", gpu->error());
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
                (s->device != DEVICE_HOST || bench_plan(c->bench, s).computes_on_gpu),
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

/* What the rank shares with others that it should not share; each a rank of the job, or -1. */
struct shares {
    int gpu, local;
};

static int first_of_node(const struct world *world)
{
    int first = world->rank;
    MPI_Comm node;

    PMPI_Comm_split_type(world->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    PMPI_Bcast(&first, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    return first;
}

/* Ranks in containers of their own share a GPU and no memory: its number is looked for
   among all ranks of the job. */
static struct shares find_shares(const struct world *world, int local)
{
    struct neighbour mine = { .node = first_of_node(world), .local = local };
    struct neighbour *all = world_room((size_t)world->size, sizeof *all, "the GPUs of all ranks");
    struct shares found = { -1, -1 };

    memcpy(mine.uuid, this_gpu.facts.uuid, sizeof mine.uuid);
    memcpy(mine.pci, this_gpu.facts.pci, sizeof mine.pci);
    PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, world->comm);
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
    PMPI_Allreduce(MPI_IN_PLACE, &this_gpu.unseen, 1, MPI_INT, MPI_SUM, world->comm);
    return found;
}

/* All ranks leave if one must; the first that does says why. */
static enum exit_code refuse_together(const struct context *c)
{
    return world_refuse_first(c->world, refusal.why[0] != '\0', refusal.id, "%s", refusal.why);
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
                        "SRC DST: no GPU is seen here, but ranks elsewhere see one");
    code = refuse_together(c);
    if (code != EXIT_OK || !this_gpu.used)
        return code;
    with = find_shares(world, local);
    if (with.local >= 0)
        refusal_because(&refusal, E06_NO_GPU_FOR_RANK,
                        "the launcher gives ranks %d and %d of a node the same local rank %d",
                        world->rank, with.local, local);
    else if (with.gpu >= 0 &&
             (ASKED(gpu, s)->policy == GPU_MAP_AUTO || ASKED(gpu, s)->policy == GPU_MAP_STRICT))
        refusal_because(&refusal, E06_NO_GPU_FOR_RANK, "ranks %d and %d have the same GPU, %s",
                        world->rank, with.gpu, this_gpu.facts.uuid);
    code = refuse_together(c);
    if (code == EXIT_OK && this_gpu.unseen > 0 && world->rank == 0)
        message_print(W34_GPU_UNSEEN, "ranks that do not see all GPUs of their node=%d of %d;",
                      this_gpu.unseen, world->size);
    int shared[] = { with.gpu >= 0, with.gpu >= 0 && this_gpu.facts.turns };
    PMPI_Allreduce(MPI_IN_PLACE, shared, 2, MPI_INT, MPI_MAX, world->comm);
    this_gpu.shared = shared[0];
    this_gpu.turns = shared[1];
    if (code == EXIT_OK && this_gpu.turns && world->rank == 0)
        message_print(W39_GPU_TURNS, "ranks take turns on a GPU that they share;");
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

/* The facts about the GPU of a rank. */
struct gpu_rank {
    struct gpu_facts facts;
    int ranks;    /* number of ranks that use this GPU */
    int numa;     /* node of its PCI device; -1: unknown, or the machine has one */
    bool peermem; /* network devices reach GPU memory by a kernel module */
};

static void gpu_of_rank(const struct gpu_rank *g, struct fields to)
{
    const struct gpu_facts *f = &g->facts;

    fields_text(to, "name", f->name);
    fields_text(to, "uuid", f->uuid);
    fields_text(to, "pci", f->pci);
    fields_flag(to, "mig", f->mig);
    fields_text(to, "compute_mode", f->compute_mode);
    fields_int(to, "ranks_on_it", g->ranks);
    fields_int(to, "device", f->device);
    fields_int(to, "visible", f->visible);
    fields_int(to, "bytes", (long long)f->bytes);
    fields_int(to, "bytes_free", (long long)f->free);
    fields_known_int(to, "numa_node", g->numa >= 0, g->numa);
    fields_flag(to, "peermem", g->peermem);
}

void gpu_record(const struct world *world, struct fields to)
{
    struct gpu_rank mine = { .facts = this_gpu.facts,
                             .ranks = this_gpu.sharers,
                             .numa = numa_of(this_gpu.facts.pci) };
    const struct gpu_rank *all;

    to = fields_known(to, "gpu", this_gpu.used);
    if (!this_gpu.used)
        return;
    mine.peermem = proc_has(proc_sys(), gpu_runtime()->peermem);
    all = world_gather(world->comm, &mine, sizeof mine, "the GPUs of all ranks");
    fields_text(to, "runtime", gpu_runtime()->name);
    fields_int(to, "driver_version", mine.facts.driver);
    fields_int(to, "runtime_version", mine.facts.runtime);
    fields_flag(to, "shared", this_gpu.shared);
    fields_flag(to, "takes_turns", this_gpu.turns);
    fields_int(to, "unseen_by_ranks", this_gpu.unseen);
    to = fields_list(to, "ranks");
    for (int i = 0; all != NULL && i < world->size; i++) {
        const struct fields rank = fields_object(to, NULL);

        fields_int(rank, "rank", i);
        gpu_of_rank(&all[i], rank);
    }
}

const struct watcher gpu_watcher = { .begin = begin, .open = open };

/* --- Its memory ------------------------------------------------------------------------ */

static void set_gpu(void *to, int value, size_t n)
{
    progress_moved();
    gpu_must(gpu_runtime()->set(to, value, n), "setting GPU memory");
}

static void to_device(void *memory, size_t n)
{
    gpu_must(gpu_runtime()->touch(memory, n), "a kernel that touches managed memory");
}

static void *allocate_gpu(const struct memory_kind *kind, size_t bytes, size_t *mapped)
{
    const struct gpu_runtime *gpu = gpu_runtime();
    void *block = gpu->allocate(kind->gpu_kind, bytes);

    if (block == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    if (!gpu->is(kind->gpu_kind, block)) {
        gpu->release(kind->gpu_kind, block);
        errno = EFAULT;
        return NULL;
    }
    set_gpu(block, 0x5a, bytes);
    return block;
}

static void release_gpu(const struct memory_kind *kind, void *block, size_t mapped)
{
    gpu_runtime()->release(kind->gpu_kind, block);
}

#define GPU_MEMORY                                                                                 \
    .lacks = "the GPU's runtime library gave no memory of this kind, or not "                      \
             "so much",                                                                            \
    .gpu = true, .allocate = allocate_gpu, .release = release_gpu, .set = set_gpu

static const struct memory_kind device = { GPU_MEMORY,     .name = "device",
                                           .letter = "D",  .gpu_kind = GPU_DEVICE,
                                           .on_gpu = true, .rewrite = to_device };
static const struct memory_kind fine = { GPU_MEMORY,     .name = "fine-grained device",
                                         .letter = "F",  .gpu_kind = GPU_FINE,
                                         .on_gpu = true, .rewrite = to_device };
static const struct memory_kind managed_device = {
    GPU_MEMORY,          .name = "managed, on the device",
    .letter = "MD",      .gpu_kind = GPU_MANAGED,
    .on_gpu = true,      .moves = true,
    .rewrite = to_device
};
static const struct memory_kind managed_host = { GPU_MEMORY,     .name = "managed, on the host",
                                                 .letter = "MH", .gpu_kind = GPU_MANAGED,
                                                 .moves = true,  .rewrite = memory_rewrite };
static const struct memory_kind pinned = { GPU_MEMORY, .name = "pinned host", .letter = "HP",
                                           .gpu_kind = GPU_PINNED, .rewrite = memory_rewrite };

const struct memory_kind *const gpu_memory[MEMORY_TYPES] = {
    [MEMORY_DEVICE] = &device,
    [MEMORY_FINE] = &fine,
    [MEMORY_PINNED] = &pinned,
    [MEMORY_MANAGED] = &managed_host, /* OMB's M */
    [MEMORY_MANAGED_DEVICE] = &managed_device,
    [MEMORY_MANAGED_HOST] = &managed_host,
};
