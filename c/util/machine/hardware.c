/* SPDX-License-Identifier: BSD-3-Clause */
#include "hardware.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"

#include "base/numa_nodes.h"

#ifdef HAVE_HWLOC
#    include <hwloc.h>
#    include <hwloc/glibc-sched.h>

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
    h->caches = hwloc_get_nbobjs_by_type(
        topology, h->l3_bytes > 0 ? HWLOC_OBJ_L3CACHE : HWLOC_OBJ_L2CACHE);
    const hwloc_obj_t package =
        hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    model = package != NULL ? hwloc_obj_get_info_by_name(package, "CPUModel")
                            : NULL;
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
static int enclosing(hwloc_topology_t topology, hwloc_obj_type_t type,
                     hwloc_const_cpuset_t set)
{
    const int n = hwloc_get_nbobjs_by_type(topology, type);

    for (int i = 0; i < n; i++) {
        const hwloc_obj_t object =
            hwloc_get_obj_by_type(topology, type, (unsigned)i);

        if (hwloc_bitmap_isincluded(set, object->cpuset))
            return i;
    }
    return -1;
}

static void find_cores(hwloc_topology_t topology, hwloc_const_cpuset_t set,
                       struct affinity *cores)
{
    const int n = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);

    for (int i = 0; i < n; i++) {
        const hwloc_obj_t core =
            hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, (unsigned)i);

        if (hwloc_bitmap_intersects(core->cpuset, set))
            CPU_SET_S((size_t)hwloc_bitmap_first(core->cpuset), sizeof *cores,
                      cores->part);
    }
}

void hardware_cores(const struct hardware *h, const struct affinity *cpus,
                    struct affinity *cores)
{
    hwloc_bitmap_t set;

    *cores = *cpus;
    if (h->topology == NULL || h->cores <= 0)
        return;
    memset(cores, 0, sizeof *cores);
    set = hwloc_bitmap_alloc();
    hwloc_cpuset_from_glibc_sched_affinity(h->topology, set, cpus->part,
                                           sizeof *cpus);
    find_cores(h->topology, set, cores);
    hwloc_bitmap_free(set);
}

struct hardware_place hardware_place(const struct hardware *h,
                                     const struct affinity *cpus)
{
    struct hardware_place place = { BOUND_NONE, -1, -1, -1 };
    hwloc_bitmap_t set;

    /* An empty set would lie in whatever it is compared with. */
    if (h->topology == NULL || affinity_count(cpus) == 0)
        return place;
    set = hwloc_bitmap_alloc();
    hwloc_cpuset_from_glibc_sched_affinity(h->topology, set, cpus->part,
                                           sizeof *cpus);
    place.core = enclosing(h->topology, HWLOC_OBJ_CORE, set);
    place.numa = enclosing(h->topology, HWLOC_OBJ_NUMANODE, set);
    place.package = enclosing(h->topology, HWLOC_OBJ_PACKAGE, set);
    if (hwloc_bitmap_isincluded(hwloc_topology_get_complete_cpuset(h->topology),
                                set))
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
void hardware_cores(const struct hardware *h, const struct affinity *cpus,
                    struct affinity *cores)
{
    (void)h;
    *cores = *cpus;
}

void hardware_load(struct hardware *h)
{
    *h = (struct hardware){ 0 };
}

void hardware_release(struct hardware *h)
{
    (void)h;
}

struct hardware_place hardware_place(const struct hardware *h,
                                     const struct affinity *cpus)
{
    (void)h;
    return (struct hardware_place){ affinity_count(cpus) == 1 ? BOUND_CORE
                                                              : BOUND_NONE,
                                    -1, -1, -1 };
}

/* Of all dies together, on some processors: a second-best answer. */
size_t hardware_cache(const struct hardware *h)
{
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);

    (void)h;
    if (cache <= 0)
        cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return cache > 0 ? (size_t)cache : 0;
}
#endif
