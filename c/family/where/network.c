/* SPDX-License-Identifier: BSD-3-Clause */
#include "network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

#include "base/numa_nodes.h"
#include "base/proc_file.h"
#include "base/simulation.h"
#include "job/world.h"

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
bool network_is_known(void)
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

void network_nearest(const struct affinity *set, int n, struct network *near)
{
    for (int i = 0; i < n; i++)
        near[i] = (struct network){ .distance = DISTANCE_NONE };
    if (!SIMULATED) /* the machine is not that of the ranks */
        search_all(set, n, near);
}

void network_find(struct network *mine, MPI_Comm node)
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
