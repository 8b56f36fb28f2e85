/* SPDX-License-Identifier: BSD-3-Clause */
#include "where.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/number.h"
#include "base/proc_file.h"
#include "base/simulation.h"
#include "base/sizes.h"
#include "bench.h"
#include "config.h"
#include "expect/expect.h"
#include "gpu/gpu.h"
#include "job/hardware.h"
#include "job/interference.h"
#include "job/world.h"
#include "run/measure.h"

#ifdef HAVE_HWLOC
#    include <hwloc.h>
#    include <hwloc/glibc-sched.h>
#endif

/* --- The network devices of a node that are nearest to a rank ------------------------ */

static const char *const distance_names[] = {
    [DISTANCE_NUMA] = "NUMA node",
    [DISTANCE_SOCKET] = "socket",
    [DISTANCE_MACHINE] = "machine",
    [DISTANCE_NONE] = "none",
};

#ifdef HAVE_HWLOC
enum { HAS_HWLOC = true };

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
    return proc_line(path, "operstate", "", word, sizeof word) && strcmp(word, "down") == 0;
}

static bool counts(hwloc_obj_t device)
{
    return (device->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK || is_fabric(device)) &&
           !is_second_face(device) && !is_down(device->name);
}

static bool holds(hwloc_obj_t place, hwloc_const_cpuset_t set)
{
    return place != NULL && place->cpuset != NULL && hwloc_bitmap_isincluded(set, place->cpuset);
}

static enum distance distance_to(hwloc_topology_t topology, hwloc_obj_t device,
                                 hwloc_const_cpuset_t set)
{
    const hwloc_obj_t at = hwloc_get_non_io_ancestor_obj(topology, device);
    hwloc_obj_t package = at;

    if (numa_nodes(topology, NULL) > 1 && numa_nodes(topology, at->nodeset) == 1 &&
        holds(
            hwloc_get_numanode_obj_by_os_index(topology, (unsigned)hwloc_bitmap_first(at->nodeset)),
            set))
        return DISTANCE_NUMA;
    while (package != NULL && package->type != HWLOC_OBJ_PACKAGE)
        package = package->parent;
    return hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE) > 1 && holds(package, set)
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

static void search(hwloc_topology_t topology, const struct affinity *cpus, struct network *near)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_obj_t device = NULL;

    hwloc_cpuset_from_glibc_sched_affinity(topology, set, cpus->part, sizeof *cpus);
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
    hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    if (hwloc_topology_load(topology) == 0)
        for (int i = 0; i < n; i++)
            search(topology, &set[i], &near[i]);
    hwloc_topology_destroy(topology);
}
#else
enum { HAS_HWLOC = false };

static void search_all(const struct affinity *set, int n, struct network *near)
{
}
#endif

/* The nearest devices of each rank of the node, from its CPUs; on all its ranks.  One rank
   asks hwloc, since that takes long on large nodes.  Collective. */
static void network_find(struct network *mine, MPI_Comm node)
{
    const struct affinity *set;
    struct affinity cpus;
    struct network *near;
    int ranks;

    PMPI_Comm_size(node, &ranks);
    affinity_read(&cpus);
    set = world_gather(node, &cpus, sizeof cpus, "the CPUs of all ranks of a node");
    *mine = (struct network){ .distance = DISTANCE_NONE };
    near = world_gather(node, mine, sizeof *mine, "the network devices of all ranks of a node");
    if (set != NULL && !SIMULATED) /* the machine is not that of the ranks */
        search_all(set, ranks, near);
    PMPI_Scatter(near, sizeof *near, MPI_BYTE, mine, sizeof *mine, MPI_BYTE, 0, node);
}

enum { TAG = 11 };

static const char *const finding_keys[FINDINGS + 1] = {
    [FINDING_SHM] = "shm",     [FINDING_MEMLOCK] = "memlock", [FINDING_VM_READ] = "vm_read",
    [FINDING_QUOTA] = "quota", [FINDING_THREADS] = "threads", [FINDING_NETWORK] = "network",
    [FINDING_HWLOC] = "hwloc",
};

/* What to do about it. */
static const char *const finding_remedies[FINDINGS] = {
    [FINDING_SHM] = "Remove old files of MPI from /dev/shm, or enlarge it; in containers "
                    "use --ipc=host or --shm-size=1g.",
    [FINDING_MEMLOCK] = "RDMA networks must lock memory: set ulimit -l unlimited, in "
                        "containers --ulimit memlock=-1. Other networks need nothing.",
    [FINDING_VM_READ] = "MPI then copies twice between ranks of this node, or fails "
                        "(UCX_TLS=self,sysv helps). In containers use --pid=host and "
                        "--cap-add=SYS_PTRACE, or run all ranks of the node in one; only that "
                        "helps if each has a user namespace of its own.",
    [FINDING_QUOTA] = "Ask the batch system or the container for more CPUs; waiting "
                      "ranks use up the quota and are then stopped.",
    [FINDING_THREADS] = "Start fewer ranks or threads, no progress thread, or give each rank "
                        "more CPUs: mpirun --bind-to none, mpiexec -bind-to none, srun "
                        "--cpus-per-task=N.",
    [FINDING_NETWORK] = "Bind each rank to a NUMA node that has a network device.",
    [FINDING_HWLOC] = "This build has no hwloc: NUMA nodes, sockets and networks are "
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
    PMPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, (rank + ranks - 1) % ranks, TAG, &next, sizeof next,
                  MPI_BYTE, (rank + 1) % ranks, TAG, node, MPI_STATUS_IGNORE);
    error = read_of(&next);
    PMPI_Barrier(node); /* all have read before one ends */
    return error;
}

/* threads: that each rank is to run.  Collective over the node. */
static void preflight_look(struct preflight *p, const struct placement *at, int threads)
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
        .memlock = limit.rlim_cur == RLIM_INFINITY ? INFINITY : (double)limit.rlim_cur,
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
complain(struct finding finding[FINDINGS], enum finding_key key, const struct node *node,
         const char *word, const char *format, ...)
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

static void judge_memory(const struct preflight *p, int rank, const struct node *node,
                         struct finding *f)
{
    const double needed = PREFLIGHT_SHARED * fmax(p->ranks, PREFLIGHT_RANKS);

    if (p->ranks > 1 && isfinite(p->shm_free) && p->shm_free < needed)
        complain(f, FINDING_SHM, node, "small",
                 "/dev/shm has little room; free=%.0f MB; ranks=%d; "
                 "advised=%.0f MB;",
                 1e-6 * p->shm_free, p->ranks, 1e-6 * needed);
    if (!p->can_lock)
        complain(f, FINDING_MEMLOCK, node, "small",
                 "a rank cannot lock memory; rank=%d; limit=%.0f KB; tried=%.0f KB;", rank,
                 1e-3 * p->memlock, 1e-3 * PREFLIGHT_LOCK);
    if (p->vm_error > 0)
        complain(f, FINDING_VM_READ, node, "denied",
                 "a rank cannot read the memory of another; rank=%d; "
                 "error=%s;",
                 rank, strerror(p->vm_error));
    else if (p->vm_error == 0 && !f[FINDING_VM_READ].bad)
        f[FINDING_VM_READ].word = "ok";
}

static void judge_cpus(const struct preflight *p, int rank, const struct node *node,
                       struct finding *f)
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
        complain(f, FINDING_THREADS, node, "too-many",
                 "a rank may use fewer CPUs than it has threads; rank=%d; threads=%d; "
                 "CPUs=%d;",
                 rank, threads, p->cpus);
    else if (p->usable > 0 && all > p->usable)
        complain(f, FINDING_THREADS, node, "too-many",
                 "the ranks of a node may use fewer CPUs than they have threads; "
                 "ranks=%d; threads of each=%d; CPUs=%d;",
                 p->ranks, threads, p->usable);
}

static void judge_network(const struct preflight *p, int rank, const struct node *node,
                          struct finding *f)
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

void preflight_judge(const struct preflight *p, int n, const struct environment_rank *of,
                     unsigned char bad_on[], struct finding finding[FINDINGS])
{
    int nodes = 1;

    for (int i = 0; i < FINDINGS; i++)
        finding[i] = (struct finding){ .word = "ok" };
    finding[FINDING_VM_READ].word = "untried";
    finding[FINDING_QUOTA].word = "none";
    finding[FINDING_NETWORK].word = HAS_HWLOC ? "none" : "unknown";
    finding[FINDING_HWLOC].word = HAS_HWLOC ? "yes" : "no";
    finding[FINDING_HWLOC].bad = !HAS_HWLOC;
    if (!HAS_HWLOC)
        strcpy(finding[FINDING_HWLOC].why, "hwloc is missing");
    for (int i = 0; i < n; i++) {
        const int number = of[i].node;
        const struct node node = { of[i].host, &bad_on[number] };

        nodes = number < nodes ? nodes : number + 1;
        judge_memory(&p[i], i, &node, finding);
        judge_cpus(&p[i], i, &node, finding);
        judge_network(&p[i], i, &node, finding);
    }
    for (int k = 0; k < FINDINGS && nodes > 1; k++) {
        const size_t at = strlen(finding[k].why);

        if (finding[k].nodes > 0)
            snprintf(finding[k].why + at, sizeof finding[k].why - at, " hosts with it=%d of %d;",
                     finding[k].nodes, nodes);
    }
}

/* "shm=ok; memlock=small; ...;" */
static void preflight_line(const struct finding finding[FINDINGS], char *text, size_t room)
{
    size_t n = 0;

    text[0] = '\0';
    for (int i = 0; i < FINDINGS && n < room; i++)
        n += (size_t)snprintf(text + n, room - n, "%s%s=%s;", i > 0 ? " " : "", finding_keys[i],
                              finding[i].word);
}

/* --- Options ------------------------------------------------------------------------- */

struct where_settings {
    int threads; /* 0: as OMP_NUM_THREADS says */
};

static const struct option_row options[] = {
    { 0, "threads", "N", .group = OPTIONS_SIDES, .common = true,
      .help = "threads per rank; those of your application, compared with the "
              "CPUs of the rank",
      .fallback = "OMP_NUM_THREADS, or 1", .kind = OPTION_INT,
      .offset = offsetof(struct where_settings, threads), .min = 1, .max = 1 << 20 },
    { 0 },
};
static const struct where_settings defaults = { .threads = 0 };

/* --- What is found -------------------------------------------------------------- */

/* A list, "4,2", is of nested loops: the first number is that of a rank's threads. */
static int threads_of(const struct settings *s)
{
    const struct where_settings *w = s->family;

    return w->threads > 0 ? w->threads
                          : number_of_variable(getenv("OMP_NUM_THREADS"), 1, INT_MAX, 1);
}

/* The GPU in use or, where none is asked for, that which would be. */
static bool find_gpu(struct gpu_facts *facts, const struct context *c)
{
    const struct gpu_runtime *gpu;
    char why[200];
    int device, visible;

    if (this_gpu.used) {
        *facts = this_gpu.facts;
        return true;
    }
    gpu_choose(DEVICE_HOST);
    gpu = gpu_runtime();
    visible = gpu != NULL ? gpu->count() : 0;
    if (visible == 0)
        return false;
    device = gpu_map_device(ASKED(gpu, c->settings), launch_local_rank(), visible, why, sizeof why);
    return device != GPU_REFUSED && gpu->use(device) && gpu->facts(facts);
}

static void find_all(struct where *w, const struct context *c)
{
    static const char what[] = "the places of all ranks";
    struct where_rank mine;
    struct preflight preflight;

    memset(&mine, 0, sizeof mine);
    memset(&preflight, 0, sizeof preflight);
    mine.place = c->placement->place;
    mine.has_gpu = find_gpu(&mine.gpu, c);
    preflight_look(&preflight, c->placement, threads_of(c->settings));
    w->of = environment_ranks(c->world, c->placement);
    w->rank = world_gather(c->world->comm, &mine, sizeof mine, what);
    w->preflight = world_gather(c->world->comm, &preflight, sizeof preflight, what);
    if (c->world->rank > 0)
        return;
    w->bad_on = world_keep((size_t)c->world->size, sizeof *w->bad_on, what);
    preflight_judge(w->preflight, c->world->size, w->of, w->bad_on, w->finding);
}

/* --- What is printed ------------------------------------------------------------- */

/* A number, or "-" for none. */
static const char *number(int value, char text[16])
{
    if (value < 0)
        return "-";
    snprintf(text, 16, "%d", value);
    return text;
}

/* Of a cell with a text, if none is longer: a terminal has 80 columns. */
enum { HOST_ROOM = 8, CPUS_ROOM = 6, GPU_ROOM = 15 };

struct columns {
    int host, cpus, gpu; /* width of each; gpu 0: no rank has one */
};

static void widen(int *width, const char *text)
{
    const int length = (int)strlen(text);

    *width = length > *width ? length : *width;
}

static struct columns columns_of(const struct where *w, int ranks)
{
    struct columns c = { HOST_ROOM, CPUS_ROOM, 0 };

    for (int i = 0; i < ranks; i++) {
        if (w->rank[i].has_gpu)
            c.gpu = GPU_ROOM;
        if (i < WHERE_ROWS) {
            widen(&c.host, w->of[i].host);
            widen(&c.cpus, w->of[i].cpus);
        }
    }
    return c;
}

static void print_rank(FILE *to, const struct where *w, int rank, const struct columns *c)
{
    const struct environment_rank *e = &w->of[rank];
    const struct where_rank *r = &w->rank[rank];
    const struct network *n = &w->preflight[rank].network;
    char core[16], numa[16], socket[16], gpu[32] = "-";

    if (r->has_gpu)
        snprintf(gpu, sizeof gpu, "%d@%s", r->gpu.device, r->gpu.pci);
    fprintf(to, "%-7d %-5d %-*s %-*s %-7d %-5s %-5s %-7s ", rank, e->node, c->host, e->host,
            c->cpus, e->cpus[0] != '\0' ? e->cpus : "-", w->preflight[rank].polling,
            number(r->place.core, core), number(r->place.numa, numa),
            number(r->place.package, socket));
    if (c->gpu > 0)
        fprintf(to, "%-*s ", c->gpu, gpu);
    if (n->distance == DISTANCE_NONE)
        fputs("-\n", to);
    else
        fprintf(to, "%s (%s)\n", n->names, distance_names[n->distance]);
}

static void print_findings(FILE *to, const struct finding *finding)
{
    char line[300];
    bool good = true;

    preflight_line(finding, line, sizeof line);
    fprintf(to, "# Preflight: %s\n", line);
    for (int i = 0; i < FINDINGS; i++) {
        good = good && !finding[i].bad;
        if (finding[i].bad)
            fprintf(to, "# %s=%s: %s\n#   %s\n", finding_keys[i], finding[i].word, finding[i].why,
                    finding_remedies[i]);
    }
    if (good)
        fputs("# These checks found no problem.\n", to);
}

/* What windows of one-sided programs and large jobs have room in: on the node with the least. */
static void print_shared(FILE *to, const struct where *w, int ranks)
{
    const struct preflight *p = w->preflight;
    char free_bytes[32], size[32];

    for (int i = 1; i < ranks; i++)
        if (w->preflight[i].shm_free < p->shm_free)
            p = &w->preflight[i];
    if (isfinite(p->shm_free))
        fprintf(to, "# /dev/shm: size=%s; free=%s; host=%s;\n", size_words(p->shm_size, size),
                size_words(p->shm_free, free_bytes), w->of[p - w->preflight].host);
}

static void print_all(FILE *to, const struct where *w, int ranks)
{
    const struct columns c = columns_of(w, ranks);
    char abi[16];

    fprintf(to, "%-7s %-5s %-*s %-*s %-7s %-5s %-5s %-7s ", "# Rank", "Node", c.host, "Host",
            c.cpus, "CPUs", "Polling", "Core", "NUMA", "Socket");
    if (c.gpu > 0)
        fprintf(to, "%-*s ", c.gpu, "GPU");
    fputs("Nearest network\n", to);
    for (int i = 0; i < ranks && i < WHERE_ROWS; i++)
        print_rank(to, w, i, &c);
    if (ranks > WHERE_ROWS)
        fprintf(to, "# Ranks not shown: %d; --json=FILE has all;\n", ranks - WHERE_ROWS);
    environment_abi(abi);
    if (abi[0] != '\0')
        fprintf(to, "# abi=%s;\n", abi);
    print_shared(to, w, ranks);
    print_findings(to, w->finding);
    fflush(to);
}

/* --- The family ------------------------------------------------------------------ */

static enum exit_code run(const struct context *c, struct measure *m)
{
    struct where *w = where_of(c->run);
    const struct spread spread =
        over_ranks_spread(c->world->comm, c->world->startup->step_s[STARTUP_INIT], 1);
    const struct result result =
        output_result(c, spread.ranks, spread.mean, spread.min, spread.max);
    char findings[300], line[600];

    find_all(w, c);
    output_title(c);
    if (c->world->rank == 0)
        print_all(stdout, w, c->world->size);
    output_record(c, &result);
    if (c->world->rank > 0)
        return EXIT_OK;
    /* --expect takes the header line and the findings for one. */
    preflight_line(w->finding, findings, sizeof findings);
    snprintf(line, sizeof line, "%s %s", c->identity, findings);
    return expect_line(c, line);
}

static void record_rank(const struct where *w, int rank, struct fields to)
{
    const struct where_rank *r = &w->rank[rank];
    const struct preflight *p = &w->preflight[rank];
    const struct network *n = &p->network;
    struct fields part;

    fields_int(to, "rank", rank);
    fields_int(to, "node", w->of[rank].node);
    fields_text(to, "host", w->of[rank].host);
    fields_text(to, "cpus_allowed", w->of[rank].cpus);
    fields_known_int(to, "core", r->place.core >= 0, r->place.core);
    fields_known_int(to, "numa_node", r->place.numa >= 0, r->place.numa);
    fields_known_int(to, "socket", r->place.package >= 0, r->place.package);
    part = fields_known(to, "gpu", r->has_gpu);
    fields_int(part, "device", r->gpu.device);
    fields_text(part, "name", r->gpu.name);
    fields_text(part, "uuid", r->gpu.uuid);
    fields_text(part, "pci", r->gpu.pci);
    part = fields_known(to, "network", n->distance != DISTANCE_NONE);
    fields_text(part, "nearest", n->names);
    fields_text(part, "by", distance_names[n->distance]);
    fields_real(to, "shm_free_bytes", p->shm_free);
    fields_real(to, "shm_size_bytes", p->shm_size);
    fields_real(to, "memlock_bytes", p->memlock);
    fields_known_int(to, "vm_read_errno", p->vm_error != PREFLIGHT_ALONE, p->vm_error);
    fields_int(to, "threads", p->threads);
    fields_int(to, "polling_threads", p->polling);
}

/* Hosts where the finding is bad.  Nodes are numbered as their first ranks are. */
static void record_hosts(const struct where *w, int ranks, int finding, struct fields to)
{
    const struct fields hosts = fields_list(to, "hosts");
    int node = 0;

    for (int i = 0; i < ranks; i++) {
        const struct environment_rank *e = &w->of[i];

        if (e->node != node)
            continue;
        if ((w->bad_on[node] >> finding & 1) != 0)
            fields_text(hosts, NULL, e->host);
        node++;
    }
}

static void record_all(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct where *w = where_of(c->run);

    if (what->result == NULL)
        return;
    const struct fields ranks = fields_list(*to, "placement");
    const struct fields findings = fields_object(*to, "preflight");

    for (int i = 0; i < c->world->size; i++)
        record_rank(w, i, fields_object(ranks, NULL));
    for (int i = 0; i < FINDINGS; i++) {
        const struct fields one = fields_object(findings, finding_keys[i]);

        fields_text(one, "value", w->finding[i].word);
        fields_text(one, "why", w->finding[i].bad ? w->finding[i].why : NULL);
        record_hosts(w, c->world->size, i, one);
    }
}

const struct report report_where = {
    .sample = "none",
    .printed = "where each rank runs, and what of its node may hinder MPI",
    .compact = true,
};

static void plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    plan->expects = finding_keys;
}

const struct family where_family = {
    .name = "where",
    FAMILY_OPTIONS(options, defaults),
    .plan = plan,
    .state = sizeof(struct where),
    .run = run,
    .record = record_all,
};
