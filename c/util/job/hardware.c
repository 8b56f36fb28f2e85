/* SPDX-License-Identifier: BSD-3-Clause */
#include "hardware.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "config.h"

#include "base/proc_file.h"

void affinity_read(struct affinity *a)
{
    memset(a, 0, sizeof *a);
    sched_getaffinity(0, sizeof *a, a->part);
}

int affinity_count(const struct affinity *a)
{
    return CPU_COUNT_S(sizeof *a, a->part);
}

/* The first CPU of the set from number cpu on; AFFINITY_CPUS: there is none. */
static int next_of(const struct affinity *a, int cpu)
{
    while (cpu < AFFINITY_CPUS && !CPU_ISSET_S((size_t)cpu, sizeof *a, a->part))
        cpu++;
    return cpu;
}

/* The last of those that follow first at one distance, *step.  Two alone make a
   run, but no stride; nor does one end in what begins a run. */
static int last_of(const struct affinity *a, int first, int *step)
{
    int last = first, next = next_of(a, first + 1), n = 1;

    *step = next - first;
    for (; next < AFFINITY_CPUS && next - last == *step; n++) {
        if (*step > 1 && CPU_ISSET_S((size_t)next + 1, sizeof *a, a->part))
            break;
        last = next;
        next = next_of(a, last + 1);
    }
    return *step > 1 && n < 3 ? first : last;
}

void affinity_list(const struct affinity *a, char *text, size_t room)
{
    static const char more[] = "...";
    size_t n = 0;

    text[0] = '\0';
    for (int cpu = next_of(a, 0), last; cpu < AFFINITY_CPUS; cpu = next_of(a, last + 1)) {
        char item[40];
        int step, length;

        last = last_of(a, cpu, &step);
        length = snprintf(item, sizeof item, "%s%d", n > 0 ? "," : "", cpu);
        if (last > cpu)
            length += snprintf(item + length, sizeof item - (size_t)length,
                               step > 1 ? "-%d:%d" : "-%d", last, step);
        if (n + (size_t)length + sizeof more > room) {
            snprintf(text + n, room - n, "%s", more);
            return;
        }
        memcpy(text + n, item, (size_t)length + 1);
        n += (size_t)length;
    }
}

/* --- What hwloc knows of them ------------------------------------------------ */

#ifdef HAVE_HWLOC
#    include <hwloc.h>
#    include <hwloc/glibc-sched.h>

/* Does none of the first nodes have the same CPUs? */
static bool is_first(hwloc_topology_t topology, unsigned nodes, hwloc_const_cpuset_t cpus)
{
    for (unsigned i = 0; i < nodes; i++)
        if (hwloc_bitmap_isequal(hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, i)->cpuset,
                                 cpus))
            return false;
    return true;
}

int numa_nodes(void *topology, const void *within)
{
    const int n = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    int distinct = 0;

    for (int i = 0; i < n; i++) {
        const hwloc_obj_t node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, (unsigned)i);

        distinct += (within == NULL || hwloc_bitmap_isset(within, node->os_index)) &&
                    !hwloc_bitmap_iszero(node->cpuset) &&
                    is_first(topology, (unsigned)i, node->cpuset);
    }
    return distinct;
}

static long cache_bytes(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);

    return cache != NULL ? (long)cache->attr->cache.size : 0;
}

void hardware_load(struct hardware *h)
{
    hwloc_topology_t topology;
    const char *model;

    *h = (struct hardware){ 0 };
    if (hwloc_topology_init(&topology) != 0)
        return;
    if (hwloc_topology_load(topology) != 0) {
        hwloc_topology_destroy(topology);
        return;
    }
    h->topology = topology;
    h->cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    h->packages = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);
    h->numas = numa_nodes(topology, NULL);
    h->l2_bytes = cache_bytes(topology, HWLOC_OBJ_L2CACHE);
    h->l3_bytes = cache_bytes(topology, HWLOC_OBJ_L3CACHE);
    h->caches =
        hwloc_get_nbobjs_by_type(topology, h->l3_bytes > 0 ? HWLOC_OBJ_L3CACHE : HWLOC_OBJ_L2CACHE);
    const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    model = package != NULL ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    if (model != NULL)
        snprintf(h->processor, sizeof h->processor, "%s", model);
}

void hardware_release(struct hardware *h)
{
    if (h->topology != NULL)
        hwloc_topology_destroy(h->topology);
    h->topology = NULL;
}

/* Number of the only object of a type that holds all of set, or -1. */
static int enclosing(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_const_cpuset_t set)
{
    const int n = hwloc_get_nbobjs_by_type(topology, type);

    for (int i = 0; i < n; i++)
        if (hwloc_bitmap_isincluded(set,
                                    hwloc_get_obj_by_type(topology, type, (unsigned)i)->cpuset))
            return i;
    return -1;
}

/* To be given back. */
static hwloc_bitmap_t set_of(const struct hardware *h, const struct affinity *cpus)
{
    const hwloc_bitmap_t set = hwloc_bitmap_alloc();

    hwloc_cpuset_from_glibc_sched_affinity(h->topology, set, cpus->part, sizeof *cpus);
    return set;
}

void hardware_cores(const struct hardware *h, const struct affinity *cpus, struct affinity *cores)
{
    *cores = *cpus;
    if (h->topology == NULL || h->cores <= 0)
        return;
    const hwloc_bitmap_t set = set_of(h, cpus);

    memset(cores, 0, sizeof *cores);
    for (int i = 0; i < h->cores; i++) {
        const hwloc_obj_t core = hwloc_get_obj_by_type(h->topology, HWLOC_OBJ_CORE, (unsigned)i);

        if (hwloc_bitmap_intersects(core->cpuset, set))
            CPU_SET_S((size_t)hwloc_bitmap_first(core->cpuset), sizeof *cores, cores->part);
    }
    hwloc_bitmap_free(set);
}

struct hardware_place hardware_place(const struct hardware *h, const struct affinity *cpus)
{
    struct hardware_place place = { BOUND_NONE, -1, -1, -1 };
    hwloc_bitmap_t set;

    /* An empty set would lie in whatever it is compared with. */
    if (h->topology == NULL || affinity_count(cpus) == 0)
        return place;
    set = set_of(h, cpus);
    place.core = enclosing(h->topology, HWLOC_OBJ_CORE, set);
    place.numa = enclosing(h->topology, HWLOC_OBJ_NUMANODE, set);
    place.package = enclosing(h->topology, HWLOC_OBJ_PACKAGE, set);
    if (hwloc_bitmap_isincluded(hwloc_topology_get_complete_cpuset(h->topology), set))
        place.bound = BOUND_NONE; /* the whole machine is no binding */
    else if (place.core >= 0)
        place.bound = BOUND_CORE;
    else if (place.numa >= 0)
        place.bound = BOUND_NUMA;
    else if (place.package >= 0)
        place.bound = BOUND_SOCKET;
    hwloc_bitmap_free(set);
    return place;
}

size_t hardware_cache(const struct hardware *h)
{
    return (size_t)(h->l3_bytes > 0 ? h->l3_bytes : h->l2_bytes);
}
#else
void hardware_cores(const struct hardware *h, const struct affinity *cpus, struct affinity *cores)
{
    *cores = *cpus;
}

void hardware_load(struct hardware *h)
{
    *h = (struct hardware){ 0 };
}

void hardware_release(struct hardware *h)
{
}

struct hardware_place hardware_place(const struct hardware *h, const struct affinity *cpus)
{
    return (struct hardware_place){ affinity_count(cpus) == 1 ? BOUND_CORE : BOUND_NONE, -1, -1,
                                    -1 };
}

/* Of all dies together, on some processors: a second-best answer. */
size_t hardware_cache(const struct hardware *h)
{
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);

    if (cache <= 0)
        cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return cache > 0 ? (size_t)cache : 0;
}
#endif

/* --- Capacity ---------------------------------------------------------------- */

enum { PATH = 1024 };

static const char ROOT[] = "/sys/fs/cgroup";

double capacity_shared(double *size)
{
    struct statvfs at;

    if (statvfs("/dev/shm", &at) != 0)
        return *size = NAN;
    *size = (double)at.f_blocks * (double)at.f_frsize;
    return (double)at.f_bavail * (double)at.f_frsize;
}

/* The folder of this process's own group; false: it has none. */
static bool own_group(char path[PATH])
{
    char group[PATH / 2];

    if (!proc_line("/proc/self", "cgroup", "0::", group, sizeof group))
        return false;
    snprintf(path, PATH, "%s%s", ROOT, group);
    return true;
}

/* The folder above; false at the top. */
static bool climb(char path[PATH])
{
    char *slash = strrchr(path, '/');

    if (slash == NULL || strlen(path) <= strlen(ROOT))
        return false;
    *slash = '\0';
    return true;
}

/* Bytes of memory left below the tightest limit of the process's own group and
   those above it; page cache that the kernel can drop counts as left. */
static double memory_left(void)
{
    double least = HUGE_VAL;
    char group[PATH];

    for (bool more = own_group(group); more; more = climb(group)) {
        /* NAN, no limit: "max" is no number. */
        const double limit = proc_number(group, "memory.max", "");
        const double used = proc_number(group, "memory.current", "");
        const double cache = proc_number(group, "memory.stat", "inactive_file ");
        const double left = limit - (cache <= used ? used - cache : used);

        if (isfinite(left))
            least = fmin(least, fmax(0, left));
    }
    return least;
}

double capacity_cpus(void)
{
    double least = 0, quota, period;
    char group[PATH], text[64];

    for (bool more = own_group(group); more; more = climb(group))
        if (proc_line(group, "cpu.max", "", text, sizeof text) &&
            sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0 &&
            (least == 0 || quota / period < least))
            least = quota / period;
    return least;
}

double capacity_throttled(void)
{
    double sum = 0;
    char group[PATH];

    for (bool more = own_group(group); more; more = climb(group)) {
        const double us = proc_number(group, "cpu.stat", "throttled_usec ");

        sum += isfinite(us) ? 1e-6 * us : 0;
    }
    return sum;
}

size_t capacity_memory(void)
{
    const double node = 1024 * proc_number("/proc", "meminfo", "MemAvailable:");
    const double least = fmin(node > 0 ? node : HUGE_VAL, memory_left());

    return least < (double)SIZE_MAX ? (size_t)least : SIZE_MAX;
}
