/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu_place.h"

#include <stdio.h>
#include <unistd.h>

#include "config.h"

#include "base/numa_nodes.h"
#include "base/proc_file.h"

#ifdef HAVE_HWLOC
#    include <hwloc.h>
#endif

#ifdef HAVE_HWLOC
static bool is_above(hwloc_obj_t above, hwloc_obj_t object)
{
    while (object != NULL && object != above)
        object = object->parent;
    return object != NULL;
}

/* What both have in common that is nearest. */
static const char *common(hwloc_topology_t topology, hwloc_obj_t gpu,
                          hwloc_obj_t device)
{
    hwloc_obj_t at = gpu;

    while (at != NULL && !is_above(at, device))
        at = at->parent;
    if (at == NULL)
        return "machine";
    if (at->type == HWLOC_OBJ_PCI_DEVICE)
        return "itself";
    if (at->type == HWLOC_OBJ_BRIDGE)
        return at->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_HOST
                   ? "host bridge"
                   : "switch";
    return numa_nodes(topology, NULL) > 1 &&
                   numa_nodes(topology, at->nodeset) == 1
               ? "NUMA node"
               : "machine";
}

static void find_networks(struct gpu_place *p, hwloc_topology_t topology,
                          const char *pci)
{
    const hwloc_obj_t gpu = hwloc_get_pcidev_by_busidstring(topology, pci);
    hwloc_obj_t device = NULL, above;

    if (gpu == NULL)
        return;
    above = hwloc_get_non_io_ancestor_obj(topology, gpu);
    if (p->numa < 0 && numa_nodes(topology, NULL) > 1 &&
        numa_nodes(topology, above->nodeset) == 1)
        p->numa = hwloc_bitmap_first(above->nodeset);
    while (p->networks < GPU_NETWORKS &&
           (device = hwloc_get_next_osdev(topology, device)) != NULL) {
        struct gpu_network *n = &p->network[p->networks];

        if (device->attr->osdev.type != HWLOC_OBJ_OSDEV_NETWORK &&
            device->attr->osdev.type != HWLOC_OBJ_OSDEV_OPENFABRICS)
            continue;
        snprintf(n->name, sizeof n->name, "%.23s", device->name);
        snprintf(n->by, sizeof n->by, "%s", common(topology, gpu, device));
        p->networks++;
    }
}

static void find_nearby(struct gpu_place *p, const char *pci)
{
    hwloc_topology_t topology;

    if (hwloc_topology_init(&topology) != 0)
        return;
    hwloc_topology_set_io_types_filter(topology,
                                       HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    if (hwloc_topology_load(topology) == 0)
        find_networks(p, topology, pci);
    hwloc_topology_destroy(topology);
}
#else
static void find_nearby(struct gpu_place *p, const char *pci)
{
    (void)p;
    (void)pci;
}
#endif

void gpu_place_find(struct gpu_place *place, const char *pci)
{
    char path[200];
    double numa;

    *place = (struct gpu_place){ .numa = -1 };
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s", pci);
    for (char *c = path; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'F')
            *c += 'a' - 'A'; /* the kernel writes addresses in small letters */
    numa = proc_number(path, "numa_node", "");
    place->numa = numa >= 0 ? (int)numa : -1;
    place->peermem = access("/sys/module/nvidia_peermem", F_OK) == 0;
    find_nearby(place, pci);
}
