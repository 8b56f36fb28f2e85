/* SPDX-License-Identifier: BSD-3-Clause */
#include "environment.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/proc_file.h"
#include "job/mpi_features.h"
#include "machine/hardware.h"

/* --- Libraries ----------------------------------------------------------------------- */

enum form {
    FORM_NONE,   /* it does not say, or only by touching a device */
    FORM_TEXT,   /* const char *f(void) */
    FORM_FABRIC, /* uint32_t f(void): 65536 * major + minor */
    FORM_CUDA,   /* int f(int *): 1000 * major + 10 * minor */
};

/* Each function is named by the library's own header, and only returns a constant. */
static const struct known {
    const char *name, *function;
    enum form form;
} known[] = {
    { "libucp", "ucp_get_version_string", FORM_TEXT },
    { "libuct", NULL, FORM_NONE },
    { "libfabric", "fi_version", FORM_FABRIC },
    { "libpsm2", NULL, FORM_NONE },
    { "libpsm3", NULL, FORM_NONE },
    { "libibverbs", NULL, FORM_NONE },
    { "librdmacm", NULL, FORM_NONE },
    { "libefa", NULL, FORM_NONE },
    { "libcxi", NULL, FORM_NONE },
    { "libportals", NULL, FORM_NONE },
    { "libxpmem", NULL, FORM_NONE },
    { "libknem", NULL, FORM_NONE },
    { "libhcoll", NULL, FORM_NONE },
    { "libucc", "ucc_get_version_string", FORM_TEXT },
    { "libsharp_coll", NULL, FORM_NONE },
    { "libpmix", "PMIx_Get_version", FORM_TEXT },
    { "libcuda", "cuDriverGetVersion", FORM_CUDA },
    { "libcudart", "cudaRuntimeGetVersion", FORM_CUDA },
    { "libnccl", NULL, FORM_NONE },
    { "libgdrapi", NULL, FORM_NONE },
    { "libamdhip64", NULL, FORM_NONE },
    { "libze_loader", NULL, FORM_NONE },
};
enum { KNOWN = sizeof known / sizeof *known };

/* The known library of that file; NULL: none.  "libucp.so.0.0.0", "libucp-1a2b.so.0":
   what follows the name must not go on as a word, as in libucp_extra.so. */
static const struct known *find_known(const char *file)
{
    for (size_t i = 0; i < KNOWN; i++) {
        const size_t n = strlen(known[i].name);

        if (strncmp(file, known[i].name, n) == 0 &&
            (file[n] == '.' || file[n] == '-') && strstr(file, ".so") != NULL)
            return &known[i];
    }
    return NULL;
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

int libraries_match(const char *path, struct library *l)
{
    const struct known *k = find_known(file_of(path));

    if (k == NULL)
        return 0;
    *l = (struct library){ .version = "" };
    snprintf(l->name, sizeof l->name, "%s", k->name);
    snprintf(l->file, sizeof l->file, "%.63s", file_of(path));
    return 1;
}

/* Ask the library: of that very file, since MPI keeps what it opens to itself. */
static void ask(const char *path, const struct known *k, struct library *l)
{
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    void *symbol = NULL;
    union {
        void *symbol;
        const char *(*text)(void);
        uint32_t (*fabric)(void);
        int (*cuda)(int *);
    } function;
    uint32_t fabric;
    int cuda = 0;

    if (handle != NULL && k->function != NULL)
        symbol = dlsym(handle, k->function);
    function.symbol = symbol;
    if (symbol != NULL && k->form == FORM_TEXT) {
        /* Of "OpenPMIx 4.2.2 (PMIx Standard: ...)" the first part. */
        const char *text = function.text();
        size_t n = strcspn(text, "(,");

        while (n > 0 && text[n - 1] == ' ')
            n--;
        snprintf(l->version, sizeof l->version, "%.*s", (int)n, text);
    } else if (symbol != NULL && k->form == FORM_FABRIC) {
        fabric = function.fabric();
        snprintf(l->version, sizeof l->version, "%u.%u", fabric >> 16,
                 fabric & 0xffff);
    } else if (symbol != NULL && k->form == FORM_CUDA &&
               function.cuda(&cuda) == 0 && cuda > 0) {
        snprintf(l->version, sizeof l->version, "%d.%d", cuda / 1000,
                 cuda % 1000 / 10);
    }
    if (handle != NULL)
        dlclose(handle);
}

static int is_listed(const struct library *list, int n, const char *file)
{
    for (int i = 0; i < n; i++)
        if (strcmp(list[i].file, file) == 0)
            return 1;
    return 0;
}

int libraries_find(struct library list[LIBRARIES_MAX])
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char *line = NULL;
    size_t room = 0;
    int n = 0;

    while (n < LIBRARIES_MAX && maps != NULL &&
           getline(&line, &room, maps) >= 0) {
        char *path = strchr(line, '/');

        if (path == NULL)
            continue;
        path[strcspn(path, "\n")] = '\0';
        if (libraries_match(path, &list[n]) &&
            !is_listed(list, n, list[n].file)) {
            ask(path, find_known(file_of(path)), &list[n]);
            n++;
        }
    }
    free(line);
    if (maps != NULL)
        fclose(maps);
    return n;
}

/* --- Processor and kernel ------------------------------------------------------------ */

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

    if (!proc_line("/proc", "cpuinfo", "CPU implementer", maker,
                   sizeof maker) ||
        !proc_line("/proc", "cpuinfo", "CPU part", part, sizeof part))
        return;
    const long m = strtol(maker + strspn(maker, "\t: "), NULL, 16),
               p = strtol(part + strspn(part, "\t: "), NULL, 16);

    snprintf(text, 96, "Arm processor, maker 0x%lx, part 0x%lx", m, p);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].maker == m && parts[i].part == p)
            snprintf(text, 96, "%s", parts[i].name);
}

static void find_processor(char text[96], const struct hardware *hardware)
{
    char line[200];

    snprintf(text, 96, "%s", hardware->processor);
    if (text[0] == '\0' &&
        proc_line("/proc", "cpuinfo", "model name", line, sizeof line))
        snprintf(text, 96, "%.95s", line + strspn(line, "\t: "));
    if (text[0] == '\0')
        find_part(text);
}

/* What x86 and Arm call them. */
static void find_cpu(struct environment_cpu *cpu)
{
    const struct {
        const char *key[2];
        char *text;
        size_t room;
    } line[] = {
        { { "cpu family", "CPU implementer" },
          cpu->family,
          sizeof cpu->family },
        { { "model\t", "CPU part" }, cpu->model, sizeof cpu->model },
        { { "stepping", "CPU revision" }, cpu->stepping, sizeof cpu->stepping },
        { { "microcode", "microcode" }, cpu->microcode, sizeof cpu->microcode },
        { { "flags", "Features" }, cpu->flags, sizeof cpu->flags },
    };
    char text[sizeof cpu->flags];

    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        if (!proc_line("/proc", "cpuinfo", line[i].key[0], text, sizeof text))
            proc_line("/proc", "cpuinfo", line[i].key[1], text, sizeof text);
        snprintf(line[i].text, line[i].room, "%s", text + strspn(text, "\t: "));
    }
}

static void find_frequency(struct environment *e)
{
    static const char all[] = "/sys/devices/system/cpu",
                      first[] = "/sys/devices/system/cpu/cpu0/cpufreq";
    struct environment_frequency *f = &e->frequency;

    proc_line(first, "scaling_governor", "", e->governor, sizeof e->governor);
    proc_line(first, "scaling_driver", "", f->driver, sizeof f->driver);
    proc_line(first, "scaling_min_freq", "", f->min, sizeof f->min);
    proc_line(first, "scaling_max_freq", "", f->max, sizeof f->max);
    proc_line(first, "scaling_cur_freq", "", f->now, sizeof f->now);
    proc_line(all, "cpufreq/boost", "", f->boost, sizeof f->boost);
    /* Intel's own driver says the opposite. */
    if (f->boost[0] == '\0') {
        proc_line(all, "intel_pstate/no_turbo", "", f->boost, sizeof f->boost);
        if (f->boost[0] != '\0')
            strcpy(f->boost, f->boost[0] == '0' ? "1" : "0");
    }
}

int environment_allowed(const char *variable)
{
    static const char *const prefix[] = {
        "OMPI_",    "PMIX_",  "PRTE_", "UCX_",  "FI_",    "MPICH_",
        "MV2_",     "I_MPI_", "NCCL_", "CUDA_", "SLURM_", "MPIR_CVAR_",
        "ALIDADE_", "HIP_",   "ROCR_", "HSA_",  "RCCL_",  "MVP_"
    };
    /* Credentials, addresses and folders of whoever ran it. */
    static const char *const private[] = {
        "SLURM_JWT", "precondition_transports",
        "_URI",      "_uri",
        "wdir",      "WORKING_DIR",
        "SUBMIT_DIR"
    };

    for (size_t i = 0; i < sizeof private / sizeof *private; i++)
        if (memmem(variable, strcspn(variable, "="), private[i],
                   strlen(private[i])) != NULL)
            return 0;
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
        if (strncmp(variable, prefix[i], strlen(prefix[i])) == 0)
            return 1;
    return 0;
}

/* The library in which the loader found MPI, whatever the build or a variable meant. */
static void find_mpi(char file[4096])
{
    void *function = dlsym(RTLD_DEFAULT, "PMPI_Init");
    Dl_info info;

    if (function == NULL || dladdr(function, &info) == 0 ||
        realpath(info.dli_fname, file) == NULL)
        file[0] = '\0';
}

/* -1.-1 is what a library says whose functions have an ABI of its own. */
static void find_abi(char abi[16])
{
#ifdef HAVE_MPI_ABI_GET_VERSION
    int major, minor;

    PMPI_Abi_get_version(&major, &minor);
    if (major > 0)
        snprintf(abi, 16, "%d.%d", major, minor);
#else
    abi[0] = '\0';
#endif
}

void environment_collect(struct environment *e, const struct world *world,
                         const struct placement *placement)
{
    struct environment_rank mine;
    struct utsname system;
    struct affinity cpus;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    *e = (struct environment){ .nranks = world->size };
    memset(&mine, 0, sizeof mine);
    gethostname(mine.host, sizeof mine.host);
    affinity_read(&cpus);
    affinity_list(&cpus, mine.cpus, sizeof mine.cpus);
    mine.pid = (int)getpid();
    mine.cpu = sched_getcpu();
    mine.node = placement->node_number;
    if (world->rank == 0)
        e->rank = world_room((size_t)world->size, sizeof *e->rank,
                             "the environment of all ranks");
    PMPI_Gather(&mine, sizeof mine, MPI_BYTE, e->rank, sizeof mine, MPI_BYTE, 0,
                world->comm);
    if (world->rank != 0)
        return;
    if (uname(&system) == 0)
        snprintf(e->kernel, sizeof e->kernel, "%s %.60s", system.sysname,
                 system.release);
    find_processor(e->processor, &placement->hardware);
    find_cpu(&e->cpu);
    find_frequency(e);
    e->quota = capacity_cpus();
    PMPI_Get_library_version(text, &length);
    snprintf(e->mpi_text, sizeof e->mpi_text, "%.*s",
             (int)(sizeof e->mpi_text - 1), text);
    find_abi(e->mpi_abi);
    find_mpi(e->mpi_file);
    e->nlibraries = libraries_find(e->library);
    e->cpus_online = (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void environment_release(struct environment *e)
{
    free(e->rank);
    e->rank = NULL;
}
