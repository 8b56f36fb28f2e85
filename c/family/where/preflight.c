/* SPDX-License-Identifier: BSD-3-Clause */
#include "where.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "base/simulation.h"
#include "config.h"
#include "job/world.h"
#include "machine/hardware.h"
#include "machine/interference.h"

#ifdef HAVE_HWLOC
#    include <hwloc.h>
#    include <hwloc/glibc-sched.h>
#endif

const char *const distance_names[] = {
    [DISTANCE_NUMA] = "NUMA node",
    [DISTANCE_SOCKET] = "socket",
    [DISTANCE_MACHINE] = "machine",
    [DISTANCE_NONE] = "none",
};

#ifdef HAVE_HWLOC
/* Can this build tell? */
static bool network_is_known(void)
{
    return true;
}

static bool is_fabric(hwloc_obj_t device)
{
    return device->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS;
}

/* The network side of an adapter that is listed as a fabric already. */
static bool is_second_face(hwloc_obj_t device)
{
    const hwloc_obj_t card = device->parent;

    if (is_fabric(device) || card == NULL)
        return false;
    for (hwloc_obj_t o = card->io_first_child; o != NULL; o = o->next_sibling)
        if (o->type == HWLOC_OBJ_OS_DEVICE && is_fabric(o))
            return true;
    return false;
}

static bool is_down(const char *name)
{
    char path[200], word[16];

    snprintf(path, sizeof path, "/sys/class/net/%s", name);
    return proc_line(path, "operstate", "", word, sizeof word) &&
           strcmp(word, "down") == 0;
}

static bool counts(hwloc_obj_t device)
{
    return (device->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK ||
            is_fabric(device)) &&
           !is_second_face(device) && !is_down(device->name);
}

static bool holds(hwloc_obj_t place, hwloc_const_cpuset_t set)
{
    return place != NULL && place->cpuset != NULL &&
           hwloc_bitmap_isincluded(set, place->cpuset);
}

static enum distance distance_to(hwloc_topology_t topology, hwloc_obj_t device,
                                 hwloc_const_cpuset_t set)
{
    const hwloc_obj_t at = hwloc_get_non_io_ancestor_obj(topology, device);
    hwloc_obj_t package = at;

    if (numa_nodes(topology, NULL) > 1 &&
        numa_nodes(topology, at->nodeset) == 1 &&
        holds(hwloc_get_numanode_obj_by_os_index(
                  topology, (unsigned)hwloc_bitmap_first(at->nodeset)),
              set))
        return DISTANCE_NUMA;
    while (package != NULL && package->type != HWLOC_OBJ_PACKAGE)
        package = package->parent;
    return hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE) > 1 &&
                   holds(package, set)
               ? DISTANCE_SOCKET
               : DISTANCE_MACHINE;
}

/* Those that are nearer take the place of others. */
static void add(struct network *n, const char *name, enum distance distance)
{
    const size_t at = strlen(n->names);

    if (distance > n->distance)
        return;
    if (distance < n->distance)
        snprintf(n->names, sizeof n->names, "%s", name);
    else if (at + strlen(name) + 1 < sizeof n->names)
        snprintf(n->names + at, sizeof n->names - at, ",%s", name);
    n->distance = distance;
}

static void search(hwloc_topology_t topology, const struct affinity *cpus,
                   struct network *near)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_obj_t device = NULL;

    hwloc_cpuset_from_glibc_sched_affinity(topology, set, cpus->part,
                                           sizeof *cpus);
    near->apart = numa_nodes(topology, NULL) > 1;
    while ((device = hwloc_get_next_osdev(topology, device)) != NULL)
        if (counts(device))
            add(near, device->name, distance_to(topology, device, set));
    hwloc_bitmap_free(set);
}

static void search_all(const struct affinity *set, int n, struct network *near)
{
    hwloc_topology_t topology;

    if (hwloc_topology_init(&topology) != 0)
        return;
    hwloc_topology_set_io_types_filter(topology,
                                       HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    if (hwloc_topology_load(topology) == 0)
        for (int i = 0; i < n; i++)
            search(topology, &set[i], &near[i]);
    hwloc_topology_destroy(topology);
}
#else
bool network_is_known(void)
{
    return false;
}

static void search_all(const struct affinity *set, int n, struct network *near)
{
    (void)set;
    (void)n;
    (void)near;
}
#endif

/* The same for n sets of CPUs of this node. */
static void network_nearest(const struct affinity *set, int n,
                            struct network *near)
{
    for (int i = 0; i < n; i++)
        near[i] = (struct network){ .distance = DISTANCE_NONE };
    if (!SIMULATED) /* the machine is not that of the ranks */
        search_all(set, n, near);
}

/* The nearest devices of each rank of the node, from its CPUs; on all its ranks.  One rank
   asks hwloc, since that takes long on large nodes.  Collective. */
static void network_find(struct network *mine, MPI_Comm node)
{
    struct affinity cpus, *set = NULL;
    struct network *near = NULL;
    int rank, ranks;

    PMPI_Comm_rank(node, &rank);
    PMPI_Comm_size(node, &ranks);
    affinity_read(&cpus);
    if (rank == 0) {
        set = world_room((size_t)ranks, sizeof *set,
                         "the CPUs of all ranks of a node");
        near = world_room((size_t)ranks, sizeof *near,
                          "the CPUs of all ranks of a node");
    }
    PMPI_Gather(&cpus, sizeof cpus, MPI_BYTE, set, sizeof cpus, MPI_BYTE, 0,
                node);
    if (rank == 0)
        network_nearest(set, ranks, near);
    PMPI_Scatter(near, sizeof *near, MPI_BYTE, mine, sizeof *mine, MPI_BYTE, 0,
                 node);
    free(near);
    free(set);
}

enum { TAG = 11 };

const char *const finding_keys[FINDINGS + 1] = {
    [FINDING_SHM] = "shm",         [FINDING_MEMLOCK] = "memlock",
    [FINDING_VM_READ] = "vm_read", [FINDING_QUOTA] = "quota",
    [FINDING_THREADS] = "threads", [FINDING_NETWORK] = "network",
    [FINDING_HWLOC] = "hwloc",
};

const char *const finding_remedies[FINDINGS] = {
    [FINDING_SHM] =
        "Remove old files of MPI from /dev/shm, or enlarge it; in containers "
        "use --ipc=host or --shm-size=1g.",
    [FINDING_MEMLOCK] =
        "RDMA networks must lock memory: set ulimit -l unlimited, in "
        "containers --ulimit memlock=-1. Other networks need nothing.",
    [FINDING_VM_READ] =
        "MPI then copies twice between ranks of this node, or fails "
        "(UCX_TLS=self,sysv helps). In containers use --pid=host and "
        "--cap-add=SYS_PTRACE, or run all ranks of the node in one; only that "
        "helps if each has a user namespace of its own.",
    [FINDING_QUOTA] =
        "Ask the batch system or the container for more CPUs; waiting "
        "ranks use up the quota and are then stopped.",
    [FINDING_THREADS] =
        "Start fewer ranks or threads, no progress thread, or give each rank "
        "more CPUs: mpirun --bind-to none, mpiexec -bind-to none, srun "
        "--cpus-per-task=N.",
    [FINDING_NETWORK] =
        "Bind each rank to a NUMA node that has a network device.",
    [FINDING_HWLOC] =
        "This build has no hwloc: NUMA nodes, sockets and networks are "
        "unknown. Install it, and run configure again.",
};

/* --- What a rank finds --------------------------------------------------------- */

/* Pages are locked when they are touched, and none is. */
static bool can_lock(double limit)
{
    void *base = mmap(NULL, PREFLIGHT_LOCK, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool can;

    if (base == MAP_FAILED)
        return limit >= PREFLIGHT_LOCK;
    can = mlock2(base, PREFLIGHT_LOCK, MLOCK_ONFAULT) == 0 ||
          (errno == ENOSYS && limit >= PREFLIGHT_LOCK);
    munmap(base, PREFLIGHT_LOCK);
    return can;
}

/* What another rank reads, and where. */
struct target {
    const void *address;
    pid_t pid;
    uint64_t word;
};

static int read_of(const struct target *t)
{
    uint64_t word = ~t->word;
    const struct iovec to = { &word, sizeof word };
    const struct iovec from = { (void *)(uintptr_t)t->address, sizeof word };

    errno = 0;
    if (process_vm_readv(t->pid, &to, 1, &from, 1, 0) != sizeof word)
        return errno != 0 ? errno : EIO;
    return word == t->word ? 0 : ESRCH; /* the number is another process's */
}

/* Each rank reads of the next. */
static int try_to_read(MPI_Comm node)
{
    static volatile uint64_t word;
    struct target mine, next;
    int rank, ranks, error;

    PMPI_Comm_rank(node, &rank);
    PMPI_Comm_size(node, &ranks);
    if (ranks == 1 || SIMULATED)
        return PREFLIGHT_ALONE;
    word = 0x9e3779b97f4a7c15u * (uint64_t)(rank + 1);
    mine = (struct target){ (const void *)&word, getpid(), word };
    PMPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, (rank + ranks - 1) % ranks, TAG,
                  &next, sizeof next, MPI_BYTE, (rank + 1) % ranks, TAG, node,
                  MPI_STATUS_IGNORE);
    error = read_of(&next);
    PMPI_Barrier(node); /* all have read before one ends */
    return error;
}

void preflight_look(struct preflight *p, const struct placement *at,
                    int threads)
{
    struct rlimit limit = { 0, 0 };
    struct affinity cpus;
    double shm_size;
    const double shm_free = capacity_shared(&shm_size);

    affinity_read(&cpus);
    getrlimit(RLIMIT_MEMLOCK, &limit);
    *p = (struct preflight){
        .shm_free = shm_free,
        .shm_size = shm_size,
        .memlock =
            limit.rlim_cur == RLIM_INFINITY ? INFINITY : (double)limit.rlim_cur,
        .quota = capacity_cpus(),
        .cpus = affinity_count(&cpus),
        .usable = at->usable_cpus,
        .ranks = at->node_size,
        .threads = threads,
        .polling = interference_share(true).polling,
    };
    p->can_lock = can_lock(p->memlock);
    p->vm_error = try_to_read(at->node);
    network_find(&p->network, at->node);
}

/* --- What it means ------------------------------------------------------------- */

/* The ranks of a node. */
struct node {
    const char *host;
    unsigned char *bad; /* a bit for each finding */
};

static __attribute__((format(printf, 5, 6))) void
complain(struct finding finding[FINDINGS], enum finding_key key,
         const struct node *node, const char *word, const char *format, ...)
{
    struct finding *f = &finding[key];
    va_list arguments;
    size_t n;

    f->nodes += (*node->bad >> key & 1) == 0;
    *node->bad |= (unsigned char)(1 << key);
    if (f->bad)
        return;
    f->bad = true;
    f->word = word;
    va_start(arguments, format);
    n = (size_t)vsnprintf(f->why, sizeof f->why, format, arguments);
    va_end(arguments);
    if (n < sizeof f->why)
        snprintf(f->why + n, sizeof f->why - n, " host=%s;", node->host);
}

static void judge_memory(const struct preflight *p, int rank,
                         const struct node *node, struct finding *f)
{
    const double needed = (double)PREFLIGHT_SHARED * p->ranks;

    if (p->ranks > 1 && isfinite(p->shm_free) && p->shm_free < needed)
        complain(f, FINDING_SHM, node, "small",
                 "/dev/shm has little room; free=%.0f MB; ranks=%d; "
                 "advised=%.0f MB;",
                 1e-6 * p->shm_free, p->ranks, 1e-6 * needed);
    if (!p->can_lock)
        complain(f, FINDING_MEMLOCK, node, "small",
                 "a rank cannot lock memory; rank=%d; limit=%.0f KB; "
                 "tried=%.0f KB;",
                 rank, 1e-3 * p->memlock, 1e-3 * PREFLIGHT_LOCK);
    if (p->vm_error > 0)
        complain(f, FINDING_VM_READ, node, "denied",
                 "a rank cannot read the memory of another; rank=%d; "
                 "error=%s;",
                 rank, strerror(p->vm_error));
    else if (p->vm_error == 0 && !f[FINDING_VM_READ].bad)
        f[FINDING_VM_READ].word = "ok";
}

static void judge_cpus(const struct preflight *p, int rank,
                       const struct node *node, struct finding *f)
{
    const int threads = p->threads + p->polling;
    const double all = (double)p->ranks * threads;

    if (p->quota > 0 && p->quota < all)
        complain(f, FINDING_QUOTA, node, "short",
                 "the control group grants too little time; CPUs=%g; ranks=%d; "
                 "threads of each=%d;",
                 p->quota, p->ranks, threads);
    else if (p->quota > 0 && !f[FINDING_QUOTA].bad)
        f[FINDING_QUOTA].word = "ok";
    if (p->cpus > 0 && threads > p->cpus)
        complain(
            f, FINDING_THREADS, node, "too-many",
            "a rank may use fewer CPUs than it has threads; rank=%d; threads=%d; "
            "CPUs=%d;",
            rank, threads, p->cpus);
    else if (p->usable > 0 && all > p->usable)
        complain(
            f, FINDING_THREADS, node, "too-many",
            "the ranks of a node may use fewer CPUs than they have threads; "
            "ranks=%d; threads of each=%d; CPUs=%d;",
            p->ranks, threads, p->usable);
}

static void judge_network(const struct preflight *p, int rank,
                          const struct node *node, struct finding *f)
{
    const struct network *n = &p->network;

    if (n->distance == DISTANCE_NONE)
        return;
    if (!f[FINDING_NETWORK].bad)
        f[FINDING_NETWORK].word = "near";
    if (n->apart && n->distance > DISTANCE_SOCKET)
        complain(f, FINDING_NETWORK, node, "far",
                 "a rank is far from every network device, or may be; rank=%d; "
                 "devices=%s;",
                 rank, n->names);
}

void preflight_judge(const struct preflight *p, int n,
                     const struct environment *e, unsigned char bad_on[],
                     struct finding finding[FINDINGS])
{
    int nodes = 1;

    for (int i = 0; i < FINDINGS; i++)
        finding[i] = (struct finding){ .word = "ok" };
    finding[FINDING_VM_READ].word = "untried";
    finding[FINDING_QUOTA].word = "none";
    finding[FINDING_NETWORK].word = network_is_known() ? "none" : "unknown";
    finding[FINDING_HWLOC].word = network_is_known() ? "yes" : "no";
    finding[FINDING_HWLOC].bad = !network_is_known();
    if (!network_is_known())
        strcpy(finding[FINDING_HWLOC].why, "hwloc is missing");
    for (int i = 0; i < n; i++) {
        const int number = e->rank[i].node;
        const struct node node = { e->rank[i].host, &bad_on[number] };

        nodes = number < nodes ? nodes : number + 1;
        judge_memory(&p[i], i, &node, finding);
        judge_cpus(&p[i], i, &node, finding);
        judge_network(&p[i], i, &node, finding);
    }
    for (int k = 0; k < FINDINGS && nodes > 1; k++) {
        const size_t at = strlen(finding[k].why);

        if (finding[k].nodes > 0)
            snprintf(finding[k].why + at, sizeof finding[k].why - at,
                     " hosts with it=%d of %d;", finding[k].nodes, nodes);
    }
}

int preflight_least_shared(const struct preflight *p, int n)
{
    int least = 0;

    for (int i = 1; i < n; i++)
        if (p[i].shm_free < p[least].shm_free)
            least = i;
    return least;
}

void preflight_line(const struct finding finding[FINDINGS], char *text,
                    size_t room)
{
    size_t n = 0;

    text[0] = '\0';
    for (int i = 0; i < FINDINGS && n < room; i++)
        n += (size_t)snprintf(text + n, room - n, "%s%s=%s;", i > 0 ? " " : "",
                              finding_keys[i], finding[i].word);
}
