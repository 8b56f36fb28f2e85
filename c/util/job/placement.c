/* SPDX-License-Identifier: BSD-3-Clause */
#include "placement.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/messages.h"
#include "base/proc_file.h"
#include "base/simulation.h"

enum { TAG = 9 };

const char *const path_names[PATHS] = {
    [SAME_NUMA] = "same-numa",
    [SAME_SOCKET] = "same-socket",
    [SAME_NODE] = "same-node",
    [INTER_NODE] = "inter-node",
};

static const char *const bound_name[] = {
    [BOUND_CORE] = "core",
    [BOUND_NUMA] = "numa",
    [BOUND_SOCKET] = "socket",
    [BOUND_NONE] = "none",
};

/* FNV-1a; enough to tell the nodes of a job apart. */
static uint64_t hash(const char *text)
{
    uint64_t h = 14695981039346656037u;

    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

static uint64_t node_id(void)
{
    const char *override = getenv("ALIDADE_NODE_ID");
    char id[MPI_MAX_PROCESSOR_NAME + HOST_NAME_MAX + 1] = "";
    int length;

    if (override != NULL)
        return hash(override);
    if (SIMULATED) /* the kernel is that of the simulator */
        PMPI_Get_processor_name(id, &length);
    else if (!proc_line("/proc/sys/kernel/random", "boot_id", "", id, sizeof id))
        gethostname(id, sizeof id);
    return hash(id);
}

/* How many groups of ranks share memory, in MPI's eyes. */
static int count_shared(MPI_Comm comm)
{
    MPI_Comm shared;
    int rank, first, groups;

    PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
    PMPI_Comm_rank(shared, &rank);
    PMPI_Comm_free(&shared);
    first = rank == 0;
    PMPI_Allreduce(&first, &groups, 1, MPI_INT, MPI_SUM, comm);
    return groups;
}

/*
 * Add to sum the numbers of all ranks before, in log p steps.  Some MPI_Scan take p steps (Open
 * MPI), or p^2 messages (SimGrid), which is too long for a start of thousands of ranks.
 */
static void add_before(int sum[2], MPI_Comm comm)
{
    int ranks, rank;

    PMPI_Comm_size(comm, &ranks);
    PMPI_Comm_rank(comm, &rank);
    for (int step = 1; step < ranks; step *= 2) {
        const int to = rank + step < ranks ? rank + step : MPI_PROC_NULL;
        const int from = rank >= step ? rank - step : MPI_PROC_NULL;
        int more[2] = { 0, 0 };

        PMPI_Sendrecv(sum, 2, MPI_INT, to, 0, more, 2, MPI_INT, from, 0, comm, MPI_STATUS_IGNORE);
        sum[0] += more[0];
        sum[1] += more[1];
    }
}

void placement_split(struct placement *p, MPI_Comm comm)
{
    const uint64_t id = node_id();
    int leads[2], sum[2], told[3];
    MPI_Comm half;

    *p = (struct placement){ .caches = 1 };
    memset(&p->spot, 0, sizeof p->spot);
    p->spot.node = id;
    PMPI_Comm_rank(comm, &told[0]);
    /* A colour has 31 bits, and thousands of nodes would collide in them. */
    PMPI_Comm_split(comm, (int)(id & INT_MAX), told[0], &half);
    PMPI_Comm_split(half, (int)(id >> 33), told[0], &p->node);
    PMPI_Comm_free(&half);
    PMPI_Comm_rank(p->node, &p->node_rank);
    PMPI_Comm_size(p->node, &p->node_size);
    /* The lowest rank of a node speaks for it. */
    leads[0] = p->node_rank == 0;
    leads[1] = p->node_rank == 0 ? p->node_size : 0;
    sum[0] = leads[0];
    sum[1] = leads[1];
    add_before(sum, comm);
    told[1] = sum[0] - 1;
    told[2] = sum[1] - p->node_size;
    PMPI_Bcast(told, 3, MPI_INT, 0, p->node);
    p->node_first = told[0];
    p->node_number = told[1];
    p->ranks_before = told[2];
    PMPI_Allreduce(leads, &p->nodes, 1, MPI_INT, MPI_SUM, comm);
    PMPI_Allreduce(&p->node_size, &p->max_node_size, 1, MPI_INT, MPI_MAX, comm);
    p->mpi_nodes = count_shared(comm);
}

/* --- Does every rank, and every thread of a rank, have a core of its own?  Ranks that wait
   poll, so two on a core take turns by the scheduler's clock ------------------------- */

/* Add those of another set. */
static void add_cpus(struct affinity *a, const struct affinity *other)
{
    CPU_OR_S(sizeof *a, a->part, a->part, other->part);
}

/*
 * Find ranks, of n, that must share CPUs: those whose CPUs are all among the CPUs of one of
 * them, or of all together, if these are fewer.  (Sets that overlap in part and are crowded
 * all the same are not found; launchers do not make them.)  set[i] has the CPUs of rank i; an
 * empty one is of a rank that nothing is known of.  member[i] becomes true of its ranks.
 * Returns their number; 0: there are none.
 */
static int crowded(const struct affinity *set, int n, bool *member)
{
    struct affinity all = { 0 };

    for (int i = 0; i < n; i++)
        add_cpus(&all, &set[i]);
    for (int i = 0; i <= n; i++) {
        const struct affinity within = i < n ? set[i] : all;
        int found = 0;

        for (int k = 0; k < n; k++) {
            struct affinity both = within;

            add_cpus(&both, &set[k]);
            member[k] = affinity_count(&set[k]) > 0 && memcmp(&both, &within, sizeof both) == 0;
            found += member[k];
        }
        if (found > 0 && found > affinity_count(&within))
            return found;
    }
    memset(member, 0, (size_t)n * sizeof *member);
    return 0;
}

/* "0,1,5", and "..." where room ends. */
static void list_ranks(const int *rank, const bool *member, int n, char *text, size_t room)
{
    size_t at = 0;

    for (int i = 0; i < n; i++) {
        char item[16];
        int length;

        if (!member[i])
            continue;
        length = snprintf(item, sizeof item, "%s%d", at > 0 ? "," : "", rank[i]);
        if (at + (size_t)length + sizeof "..." > room) {
            snprintf(text + at, room - at, "...");
            return;
        }
        memcpy(text + at, item, (size_t)length + 1);
        at += (size_t)length;
    }
}

static void describe_shared(struct binding_shared *s, const struct affinity *set, const int *rank,
                            const bool *member, int n)
{
    struct affinity cpus = { 0 };

    for (int i = 0; i < n; i++)
        if (member[i])
            add_cpus(&cpus, &set[i]);
    affinity_list(&cpus, s->cpus, sizeof s->cpus);
    list_ranks(rank, member, n, s->ranks, sizeof s->ranks);
    gethostname(s->host, sizeof s->host);
}

/* Of a node whose ranks have these sets of CPUs, and are called by these numbers; granted:
   what the system grants to its processes.  Threads of a core are as bad as one CPU, where
   there are cores enough. */
static struct binding_shared shared_of_node(const struct affinity *set, const int *rank, int n,
                                            const struct affinity *granted,
                                            const struct hardware *hardware)
{
    struct binding_shared s = { .n = 0 };
    struct affinity *const core = world_keep((size_t)n, sizeof *core, "cores of ranks"), all;
    bool *const member = world_keep((size_t)n, sizeof *member, "ranks that share cores");

    hardware_cores(hardware, granted, &all);
    if (affinity_count(granted) >= n) {
        for (int i = 0; i < n; i++)
            if (affinity_count(&all) >= n)
                hardware_cores(hardware, &set[i], &core[i]);
            else
                core[i] = set[i];
        s.n = crowded(core, n, member);
        if (s.n > 0)
            describe_shared(&s, set, rank, member, n);
    }
    return s;
}

/* threads: of this rank; usable: CPUs of its node, 0: unknown.  The first rank that has
   too few; else the first node. */
static struct binding_threads crowded_threads(const struct world *world, MPI_Comm node, int threads,
                                              int usable)
{
    struct binding_threads t = { .threads = threads, .rank = world->rank };
    struct affinity cpus;
    int first, most, together;

    affinity_read(&cpus);
    t.cpus = affinity_count(&cpus);
    gethostname(t.host, sizeof t.host);
    PMPI_Allreduce(&threads, &together, 1, MPI_INT, MPI_SUM, node);
    PMPI_Allreduce(&threads, &most, 1, MPI_INT, MPI_MAX, node);
    first = world_first(world, threads > 1 && t.cpus > 0 && threads > t.cpus);
    if (first == world->size) {
        t.threads = together;
        t.cpus = usable;
        t.rank = -1;
        first = world_first(world, most > 1 && usable > 0 && together > usable);
    }
    if (first == world->size)
        return (struct binding_threads){ .threads = 0 };
    PMPI_Bcast(&t, sizeof t, MPI_BYTE, first, world->comm);
    return t;
}

bool placement_has_cpus(const struct placement *p)
{
    return !SIMULATED && !p->oversubscribed && p->shared.n == 0 && p->threads.threads == 0;
}

/* Of the first rank that should have its CPU, and gets much less of it. */
static struct binding_foreign foreign_load(const struct placement *p, const struct world *world,
                                           double share)
{
    static const double MUCH = 0.8;
    struct binding_foreign f = { share, world->rank, "" };
    const int first = world_first(world, placement_has_cpus(p) && share < MUCH);

    if (first == world->size)
        return (struct binding_foreign){ .share = 0 };
    gethostname(f.host, sizeof f.host);
    PMPI_Bcast(&f, sizeof f, MPI_BYTE, first, world->comm);
    return f;
}

/* --- What the CPUs of a rank say ------------------------------------------------- */

/* A thread may widen its own set as far as the process is allowed to run, and leaves
   that of the others as it is. */
static void *read_widened(void *granted)
{
    struct affinity all;

    memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, all.part);
    affinity_read(granted);
    return NULL;
}

/* The CPUs that this process could run on if it were not bound: all that the system grants it. */
static void read_granted(struct affinity *a)
{
    pthread_t thread;

    memset(a, 0, sizeof *a);
    if (pthread_create(&thread, NULL, read_widened, a) == 0)
        pthread_join(thread, NULL);
}

static int least(double quota, int cpus)
{
    if (quota <= 0 || quota >= cpus)
        return cpus;
    return quota < 1 ? 1 : (int)quota;
}

/* What the CPUs of the ranks of this node, which are called by these numbers, say. */
static void look_at_cpus(struct placement *p, const struct affinity *set, const int *rank,
                         struct hardware_place *place)
{
    const double quota = capacity_cpus();
    struct affinity used = { 0 }, granted;

    read_granted(&granted);
    for (int i = 0; i < p->node_size; i++) {
        place[i] = hardware_place(&p->hardware, &set[i]);
        p->drifting += place[i].bound == BOUND_NONE && p->hardware.numas > 1;
        add_cpus(&used, &set[i]);
    }
    add_cpus(&granted, &used);
    p->usable_cpus = least(quota, affinity_count(&used));
    /* 0: the kernel would not say. */
    p->lacks_cpus =
        affinity_count(&granted) > 0 && p->node_size > least(quota, affinity_count(&granted));
    p->caches = p->hardware.caches > 0 ? p->hardware.caches : 1;
    p->cache_bytes = hardware_cache(&p->hardware);
    if (!p->lacks_cpus)
        p->shared = shared_of_node(set, rank, p->node_size, &granted, &p->hardware);
}

/* The first rank of the node asks hwloc on behalf of all. */
static struct hardware_place find_place(struct placement *p, const struct world *world)
{
    static const char what[] = "the CPUs of all ranks of a node";
    struct hardware_place mine, *place = NULL;
    struct affinity cpus, *set;
    int *rank;

    if (SIMULATED) /* its CPUs are not those of this machine */
        return (struct hardware_place){ BOUND_NONE, -1, -1, -1 };
    affinity_read(&cpus);
    set = world_gather(p->node, &cpus, sizeof cpus, what);
    rank = world_gather(p->node, &world->rank, sizeof *rank, what);
    if (p->node_rank == 0) {
        place = world_keep((size_t)p->node_size, sizeof *place, what);
        hardware_load(&p->hardware);
        look_at_cpus(p, set, rank, place);
    }
    PMPI_Scatter(place, sizeof mine, MPI_BYTE, &mine, sizeof mine, MPI_BYTE, 0, p->node);
    struct {
        int usable, caches;
        size_t cache_bytes;
    } of_node = { p->usable_cpus, p->caches, p->cache_bytes };
    PMPI_Bcast(&of_node, sizeof of_node, MPI_BYTE, 0, p->node);
    p->usable_cpus = of_node.usable;
    p->caches = of_node.caches;
    p->cache_bytes = of_node.cache_bytes;
    return mine;
}

/* Name of the one bit that is set in the masks of all ranks, or "mixed". */
static const char *common(unsigned mask, const char *const names[], const char *empty)
{
    if (mask == 0)
        return empty;
    if ((mask & (mask - 1)) != 0)
        return "mixed";
    return names[ffs((int)mask) - 1];
}

enum path path_between(const struct spot *a, const struct spot *b)
{
    if (a->node != b->node)
        return INTER_NODE;
    if (a->numa >= 0 && a->numa == b->numa)
        return SAME_NUMA;
    return a->package >= 0 && a->package == b->package ? SAME_SOCKET : SAME_NODE;
}

static int by_place(const void *a, const void *b)
{
    const struct spot *p = a, *q = b;

    if (p->node != q->node)
        return p->node < q->node ? -1 : 1;
    if (p->package != q->package)
        return p->package < q->package ? -1 : 1;
    return p->numa < q->numa ? -1 : p->numa > q->numa;
}

/* A bit, 1 << enum path, for each kind that occurs among n ranks, which are sorted; star: between
   the first and another.  Once sorted, whatever occurs anywhere occurs between two neighbours:
   what is alike stands together, and parts that differ have a border. */
static unsigned paths_among(struct spot *spot, size_t n, bool star)
{
    unsigned mask = 0;

    if (!star)
        qsort(spot, n, sizeof *spot, by_place);
    for (size_t i = 1; i < n; i++)
        mask |= 1u << path_between(&spot[star ? 0 : i - 1], &spot[i]);
    return mask;
}

static unsigned path_to_peer(MPI_Comm comm, const struct spot *mine, int peer)
{
    struct spot other = *mine;

    PMPI_Sendrecv(mine, sizeof *mine, MPI_BYTE, peer, TAG, &other, sizeof other, MPI_BYTE, peer,
                  TAG, comm, MPI_STATUS_IGNORE);
    return peer == MPI_PROC_NULL ? 0 : 1u << path_between(mine, &other);
}

/* What is known of this rank alone, summed up over all. */
static void sum_up(struct placement *p, const struct world *world, bool counts, bool crosses)
{
    /* 0 usable CPUs: the kernel would not say. */
    const bool crowded = p->usable_cpus > 0 && p->node_size > p->usable_cpus;
    int ranks[] = { counts && !crosses, counts && crosses, p->drifting, crowded, p->lacks_cpus };

    PMPI_Allreduce(MPI_IN_PLACE, ranks, 5, MPI_INT, MPI_SUM, world->comm);
    p->within_nodes = ranks[0];
    p->between_nodes = ranks[1];
    p->drifting = ranks[2];
    p->oversubscribed = ranks[3] > 0;
    p->lacks_cpus = ranks[4] > 0;
}

/* The first rank answers for all. */
static unsigned path_mask(MPI_Comm comm, const struct placement_talk *talk, const struct spot *mine)
{
    struct spot *all;
    int size;

    if (talk->among == MPI_COMM_NULL)
        return path_to_peer(comm, mine, talk->peer);
    PMPI_Comm_size(talk->among, &size);
    all = world_gather(talk->among, mine, sizeof *mine, "the nodes of all ranks");
    return all != NULL ? paths_among(all, (size_t)size, talk->star) : 0;
}

void placement_find(struct placement *p, const struct world *world,
                    const struct placement_talk *talk)
{
    const MPI_Comm comm = world->comm;
    unsigned mask[2];

    p->place = find_place(p, world);
    p->spot.package = p->place.package;
    p->spot.numa = p->place.numa;
    mask[0] = path_mask(comm, talk, &p->spot);
    mask[1] = 1u << p->place.bound;
    /* The lower rank of a pair counts it. */
    sum_up(p, world,
           talk->among == MPI_COMM_NULL && talk->peer != MPI_PROC_NULL && world->rank < talk->peer,
           mask[0] == 1u << INTER_NODE);
    PMPI_Allreduce(MPI_IN_PLACE, mask, 2, MPI_UNSIGNED, MPI_BOR, comm);
    p->path = common(mask[0], path_names, "self");
    p->bound = common(mask[1], bound_name, "none");
    /* All ranks learn of the first node that has some. */
    const int first = world_first(world, p->shared.n > 0);
    if (first < world->size)
        PMPI_Bcast(&p->shared, sizeof p->shared, MPI_BYTE, first, comm);
    /* A core that others wait for, too, is not what "core" promises. */
    if (p->shared.n > 0 || (p->oversubscribed && mask[1] == 1u << BOUND_CORE))
        p->bound = "shared";
    if (!SIMULATED)
        p->threads = crowded_threads(world, p->node, talk->threads, p->usable_cpus);
    p->foreign = foreign_load(p, world, talk->cpu_share);
    /* Simulated nodes share the memory of one. */
    p->available = capacity_memory() / (size_t)(SIMULATED ? p->nodes : 1);
}

void placement_refuse_nodes(const struct placement *at, const char *what, struct refusal *r)
{
    if (at != NULL && (at->nodes != 1 || at->mpi_nodes != 1))
        refusal_because(r, E28_NOT_ONE_NODE,
                        "%s needs all ranks on one node; nodes by their kernel=%d; by MPI=%d;",
                        what, at->nodes, at->mpi_nodes);
}
