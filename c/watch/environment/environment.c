/* SPDX-License-Identifier: BSD-3-Clause */
#include "environment.h"

#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "bench.h"
#include "commit.h"
#include "data/memory.h"
#include "gpu/gpu.h"
#include "job/hardware.h"
#include "job/mpi_features.h"
#include "report/result.h"
#include "timing/clock_sync.h"

/* --- Libraries ----------------------------------------------------------------------- */

enum form {
    FORM_TEXT,   /* const char *f(void) */
    FORM_FABRIC, /* uint32_t f(void): 65536 * major + minor */
    FORM_CUDA,   /* int f(int *): 1000 * major + 10 * minor */
};

/* Each function is named by the library's own header, and only returns a constant; NULL: the
   library does not say its version, or only by touching a device. */
static const struct known_library {
    const char *name, *function;
    enum form form;
} known[] = {
    { "libucp", "ucp_get_version_string", FORM_TEXT },
    { .name = "libuct" },
    { "libfabric", "fi_version", FORM_FABRIC },
    { .name = "libpsm2" },
    { .name = "libpsm3" },
    { .name = "libibverbs" },
    { .name = "librdmacm" },
    { .name = "libefa" },
    { .name = "libcxi" },
    { .name = "libportals" },
    { .name = "libxpmem" },
    { .name = "libknem" },
    { .name = "libhcoll" },
    { "libucc", "ucc_get_version_string", FORM_TEXT },
    { .name = "libsharp_coll" },
    { "libpmix", "PMIx_Get_version", FORM_TEXT },
    { "libcuda", "cuDriverGetVersion", FORM_CUDA },
    { "libcudart", "cudaRuntimeGetVersion", FORM_CUDA },
    { .name = "libnccl" },
    { .name = "libgdrapi" },
    { .name = "libamdhip64" },
    { .name = "libze_loader" },
};

/* The known library of a file; NULL: none.  "libucp.so.0.0.0", "libucp-1a2b.so.0":
   what follows the name must not go on as a word, as in libucp_extra.so. */
static const struct known_library *find_known(const char *file)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t n = strlen(known[i].name);

        if (strncmp(file, known[i].name, n) == 0 && (file[n] == '.' || file[n] == '-') &&
            strstr(file, ".so") != NULL)
            return &known[i];
    }
    return NULL;
}

/* What the library itself says: "1.13.1"; "": nothing.  That very file is asked, since MPI keeps
   what it opens to itself. */
static void ask(const char *path, const struct known_library *k, char version[64])
{
    void *const handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    union {
        void *symbol;
        const char *(*text)(void);
        uint32_t (*fabric)(void);
        int (*cuda)(int *);
    } function = { handle != NULL && k->function != NULL ? dlsym(handle, k->function) : NULL };
    int cuda = 0;

    version[0] = '\0';
    if (function.symbol != NULL && k->form == FORM_TEXT) {
        /* Of "OpenPMIx 4.2.2 (PMIx Standard: ...)" the first part. */
        const char *text = function.text();
        size_t n = strcspn(text, "(,");

        while (n > 0 && text[n - 1] == ' ')
            n--;
        snprintf(version, 64, "%.*s", (int)n, text);
    } else if (function.symbol != NULL && k->form == FORM_FABRIC) {
        const uint32_t fabric = function.fabric();

        snprintf(version, 64, "%u.%u", fabric >> 16, fabric & 0xffff);
    } else if (function.symbol != NULL && function.cuda(&cuda) == 0 && cuda > 0)
        snprintf(version, 64, "%d.%d", cuda / 1000, cuda % 1000 / 10);
    if (handle != NULL)
        dlclose(handle);
}

/* The communication libraries that are loaded in this process: transports below MPI, and those of
   GPUs.  What the linker has loaded counts, not what a build asked for. */
static void libraries_of(struct fields list)
{
    void *const program = dlopen(NULL, RTLD_LAZY);
    const struct link_map *loaded = NULL;

    dlinfo(program, RTLD_DI_LINKMAP, &loaded);
    for (; loaded != NULL; loaded = loaded->l_next) {
        char path[PATH_MAX], version[64];
        const struct known_library *k;

        if (realpath(loaded->l_name, path) == NULL || (k = find_known(basename(path))) == NULL)
            continue;
        const struct fields library = fields_object(list, NULL);

        ask(loaded->l_name, k, version);
        fields_text(library, "name", k->name);
        fields_text(library, "file", basename(path));
        fields_text(library, "version", version[0] != '\0' ? version : NULL);
    }
    dlclose(program);
}

/* --- Processor ------------------------------------------------------------ */

/* What the first line of that name in /proc/cpuinfo says; "": there is none. */
static const char *cpuinfo(const char *name, char *text, size_t room)
{
    proc_line("/proc", "cpuinfo", name, text, room);
    return text + strspn(text, "\t: ");
}

/* Arm's kernels give the maker and the part in place of a name; these build clusters. */
static void find_part(char text[96])
{
    static const struct {
        long maker, part;
        const char *name;
    } parts[] = {
        { 0x41, 0xd0c, "Arm Neoverse-N1" }, { 0x41, 0xd49, "Arm Neoverse-N2" },
        { 0x41, 0xd40, "Arm Neoverse-V1" }, { 0x41, 0xd4f, "Arm Neoverse-V2" },
        { 0x46, 0x001, "Fujitsu A64FX" },   { 0xc0, 0xac3, "Ampere-1" },
        { 0x48, 0xd01, "Kunpeng-920" },
    };
    char maker[40], part[40];

    const long m = strtol(cpuinfo("CPU implementer", maker, sizeof maker), NULL, 16),
               p = strtol(cpuinfo("CPU part", part, sizeof part), NULL, 16);

    if (maker[0] == '\0' || part[0] == '\0')
        return;
    snprintf(text, 96, "Arm processor, maker 0x%lx, part 0x%lx", m, p);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].maker == m && parts[i].part == p)
            snprintf(text, 96, "%s", parts[i].name);
}

static void cpu_of(struct fields to)
{
    /* What x86 and Arm call it. */
    static const struct {
        const char *name, *x86, *arm;
    } of[] = {
        { "cpu_family", "cpu family", "CPU implementer" },
        { "cpu_model", "model\t", "CPU part" },
        { "cpu_stepping", "stepping", "CPU revision" },
        { "cpu_microcode", "microcode", "microcode" },
        { "cpu_flags", "flags", "Features" },
    };
    char text[6000];

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const char *said = cpuinfo(of[i].x86, text, sizeof text);

        fields_text(to, of[i].name, text[0] != '\0' ? said : cpuinfo(of[i].arm, text, sizeof text));
    }
}

/* What the kernel says of CPU 0, into text; "": nothing. */
static char *of_cpu_0(const char *name, char text[32])
{
    proc_line("/sys/devices/system/cpu/cpu0/cpufreq", name, "", text, 32);
    return text;
}

static void hardware_of(const struct hardware *h, struct fields to)
{
    char text[96], line[200];

    snprintf(text, sizeof text, "%s", h->processor);
    if (text[0] == '\0')
        snprintf(text, sizeof text, "%.95s", cpuinfo("model name", line, sizeof line));
    if (text[0] == '\0')
        find_part(text);
    fields_text(to, "processor", text);
    cpu_of(to);
    fields_int(to, "cpus_online", sysconf(_SC_NPROCESSORS_ONLN));
    fields_int(to, "cores", h->cores);
    fields_int(to, "packages", h->packages);
    fields_int(to, "numa_nodes", h->numas);
    fields_int(to, "l2_bytes", (long long)h->l2_bytes);
    fields_int(to, "l3_bytes", (long long)h->l3_bytes);
    fields_text(to, "governor", of_cpu_0("scaling_governor", text));
}

static void boost_of(struct fields to)
{
    static const char all[] = "/sys/devices/system/cpu";
    char text[32];

    /* Intel's own driver says the opposite. */
    if (!proc_line(all, "cpufreq/boost", "", text, sizeof text) &&
        proc_line(all, "intel_pstate/no_turbo", "", text, sizeof text))
        strcpy(text, text[0] == '0' ? "1" : "0");
    fields_text(to, "boost", text);
}

static void frequency_of(struct fields to)
{
    char text[32];

    fields_text(to, "driver", of_cpu_0("scaling_driver", text));
    fields_text(to, "min_khz", of_cpu_0("scaling_min_freq", text));
    fields_text(to, "max_khz", of_cpu_0("scaling_max_freq", text));
    fields_text(to, "now_khz", of_cpu_0("scaling_cur_freq", text));
    boost_of(to);
}

/* --- Variables ----------------------------------------------------------------------- */

/* Is this variable one that steers MPI or its transports?  Others are never recorded: an
   environment holds secrets. */
static bool is_recorded(const char *variable)
{
    static const char *const prefix[] = { "OMPI_",  "PMIX_",      "PRTE_",    "UCX_",  "FI_",
                                          "MPICH_", "MV2_",       "I_MPI_",   "NCCL_", "CUDA_",
                                          "SLURM_", "MPIR_CVAR_", "ALIDADE_", "HIP_",  "ROCR_",
                                          "HSA_",   "RCCL_",      "MVP_" };
    /* Credentials, addresses and folders of whoever ran it. */
    static const char *const private[] = {
        "SLURM_JWT", "precondition_transports", "_URI", "_uri", "wdir", "WORKING_DIR", "SUBMIT_DIR"
    };

    for (size_t i = 0; i < sizeof private / sizeof *private; i++)
        if (memmem(variable, strcspn(variable, "="), private[i], strlen(private[i])) != NULL)
            return false;
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
        if (strncmp(variable, prefix[i], strlen(prefix[i])) == 0)
            return true;
    return false;
}

extern char **environ;

static void variables(struct fields to)
{
    for (char **entry = environ; *entry != NULL; entry++) {
        char name[128];
        const size_t n = strcspn(*entry, "=");

        if (n >= sizeof name || (*entry)[n] != '=' || !is_recorded(*entry))
            continue;
        memcpy(name, *entry, n);
        name[n] = '\0';
        fields_text(to, name, *entry + n + 1);
    }
}

/* --- MPI ----------------------------------------------------------------------------- */

/* -1.-1 is what a library says whose functions have an ABI of its own. */
void environment_abi(char abi[16])
{
    abi[0] = '\0';
#ifdef HAVE_MPI_ABI_GET_VERSION
    int major, minor;

    PMPI_Abi_get_version(&major, &minor);
    if (major > 0)
        snprintf(abi, 16, "%d.%d", major, minor);
#endif
}

static void mpi_of(const struct world *world, struct fields to)
{
    char all[MPI_MAX_LIBRARY_VERSION_STRING], text[512], file[PATH_MAX], abi[16];
    void *const function = dlsym(RTLD_DEFAULT, "PMPI_Init");
    Dl_info info;
    int length;

    PMPI_Get_library_version(all, &length);
    snprintf(text, sizeof text, "%.*s", (int)(sizeof text - 1), all);
    environment_abi(abi);
    fields_text(to, "mpi", world->library);
    fields_text(to, "mpi_text", text);
    /* The library in which the loader found MPI, whatever the build or a variable meant. */
    fields_text(to, "mpi_file",
                function != NULL && dladdr(function, &info) != 0 ? realpath(info.dli_fname, file)
                                                                 : NULL);
    fields_text(to, "mpi_abi", abi[0] != '\0' ? abi : NULL);
}

/* --- Ranks --------------------------------------------------------------------------- */

struct environment_rank *environment_ranks(const struct world *world,
                                           const struct placement *placement)
{
    struct environment_rank mine;
    struct affinity cpus;

    memset(&mine, 0, sizeof mine);
    gethostname(mine.host, sizeof mine.host);
    affinity_read(&cpus);
    affinity_list(&cpus, mine.cpus, sizeof mine.cpus);
    mine.pid = (int)getpid();
    mine.cpu = sched_getcpu();
    mine.node = placement->node_number;
    return world_gather(world->comm, &mine, sizeof mine, "the environment of all ranks");
}

static void ranks_of(const struct context *c, struct fields to)
{
    const struct environment_rank *const all = environment_ranks(c->world, c->placement);
    const struct fields list = fields_list(to, "rank");

    for (int i = 0; all != NULL && i < c->world->size; i++) {
        const struct fields rank = fields_object(list, NULL);

        fields_int(rank, "rank", i);
        fields_text(rank, "host", all[i].host);
        fields_int(rank, "node", all[i].node);
        fields_int(rank, "pid", all[i].pid);
        fields_int(rank, "cpu", all[i].cpu);
        fields_text(rank, "cpus_allowed", all[i].cpus);
    }
}

/* What warnings W03, W07, W37 and W40 are printed of. */
static void placement_of(const struct placement *p, struct fields to)
{
    struct fields part;

    fields_text(to, "path", p->path);
    fields_text(to, "bound", p->bound);
    part = fields_object(to, "pair_paths");
    fields_int(part, "within_nodes", p->within_nodes);
    fields_int(part, "between_nodes", p->between_nodes);
    part = fields_known(to, "sharing_cores", p->shared.n > 0);
    fields_text(part, "ranks", p->shared.ranks);
    fields_text(part, "cpus", p->shared.cpus);
    fields_text(part, "host", p->shared.host);
    fields_int(to, "ranks_across_numa_nodes", p->drifting);
    part = fields_known(to, "excess_threads", p->threads.threads > 0);
    fields_known_int(part, "rank", p->threads.rank >= 0, p->threads.rank);
    fields_int(part, "threads", p->threads.threads);
    fields_int(part, "cpus", p->threads.cpus);
    fields_text(part, "host", p->threads.host);
    fields_flag(to, "oversubscribed", p->oversubscribed);
    part = fields_known(to, "foreign_load", p->foreign.share > 0);
    fields_int(part, "rank", p->foreign.rank);
    fields_real(part, "cpu_share", p->foreign.share);
    fields_text(part, "host", p->foreign.host);
}

/* --- Clocks and limits ----------------------------------------------------------------- */

static void clock_of(const struct clock_facts *clock, struct fields to)
{
    fields_text(to, "name", clock->name);
    fields_real(to, "resolution_ns", 1e9 * clock->resolution_s);
    fields_real(to, "tick_ns", 1e9 * clock->tick_s);
    fields_real(to, "cost_ns", 1e9 * clock->cost_s);
    fields_real(to, "cost_p99_ns", 1e9 * clock->cost_p99_s);
}

void environment_synchronisation(const struct context *c, struct fields to)
{
    static const struct clock_sync_facts none;
    const struct clock_sync_facts *f = c->sync != NULL ? &c->sync->facts : &none;

    to = fields_known(to, "synchronization", c->sync != NULL);
    fields_text(to, "method", f->method);
    fields_int(to, "levels", f->levels);
    fields_int(to, "ranks_apart", f->apart);
    fields_us(to, "bound_us", f->bound_s);
    fields_real(to, "drift_min_ppm", 1e6 * f->slope_min);
    fields_real(to, "drift_max_ppm", 1e6 * f->slope_max);
    fields_real(to, "took_s", f->took_s);
}

/* In MB/s, or null where it is unknown. */
static void rate(struct fields to, const char *name, double bytes_per_s)
{
    fields_real(to, name, bytes_per_s > 0 ? 1e-6 * bytes_per_s : NAN);
}

/* --- All of it ------------------------------------------------------------------------ */

/* The software of this host. */
static void software_of(const struct context *c, struct fields to)
{
    struct utsname system;
    char text[160] = "";

    mpi_of(c->world, to);
    if (uname(&system) == 0)
        snprintf(text, sizeof text, "%s %.60s", system.sysname, system.release);
    fields_text(to, "kernel", text);
}

static void quota_of(struct fields to)
{
    const double quota = capacity_cpus();

    fields_real(to, "cpu_quota", quota > 0 ? quota : NAN);
}

void environment_host(const struct context *c, struct fields to)
{
    software_of(c, to);
    hardware_of(&c->placement->hardware, fields_object(to, "hardware"));
    boost_of(fields_object(to, "frequency"));
    quota_of(to);
}

/* What the job is, on rank 0. */
static void job_of(const struct context *c, struct fields to)
{
    const struct placement *p = c->placement;
    char text[160];

    software_of(c, to);
    fields_text(to, "model", c->world->startup->sessions ? "sessions" : "world");
    fields_real(to, "mpi_init_s", c->world->startup->step_s[STARTUP_INIT]);
    fields_int(to, "ranks", c->world->size);
    fields_int(to, "nodes", p->nodes);
    fields_int(to, "ranks_per_node", p->max_node_size);
    fields_text(to, "device", c->device[0] != '\0' ? c->device : NULL);
    snprintf(text, sizeof text, "%s-%s", c->side[0]->letter, c->side[1]->letter);
    fields_text(to, "memory", text);
    placement_of(p, to);
}

/* What it runs on, on rank 0. */
static void node_of(const struct context *c, struct fields to)
{
    struct fields part;

    hardware_of(&c->placement->hardware, fields_object(to, "hardware"));
    frequency_of(fields_object(to, "frequency"));
    quota_of(to);
    clock_of(c->clock, fields_object(to, "clock"));
    environment_synchronisation(c, to);
    part = fields_object(to, "limits");
    rate(part, "copy_mb_per_s", c->limits->copy);
    rate(part, "link_mb_per_s", c->limits->link);
    libraries_of(fields_list(to, "libraries"));
    variables(fields_object(to, "variables"));
    part = fields_object(to, "build");
    fields_text(part, "commit", BUILD_COMMIT);
    fields_text(part, "mpi", BUILD_MPI);
    fields_text(part, "compiler", BUILD_CC);
    fields_text(part, "compiler_version", __VERSION__);
    fields_text(part, "flags", BUILD_CFLAGS);
}

void environment_record(const struct context *c, struct fields to)
{
    const bool writes = c->world->rank == 0;

    if (writes)
        job_of(c, to);
    gpu_record(c->world, to);
    if (writes)
        node_of(c, to);
    ranks_of(c, to);
}
