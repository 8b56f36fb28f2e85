/* SPDX-License-Identifier: BSD-3-Clause */
#include "numa_nodes.h"

#include <stdbool.h>

#include "config.h"

#ifdef HAVE_HWLOC
#    include <hwloc.h>

/* Does none of the first nodes have the same CPUs? */
static bool is_first(hwloc_topology_t topology, unsigned nodes,
                     hwloc_const_cpuset_t cpus)
{
    for (unsigned i = 0; i < nodes; i++)
        if (hwloc_bitmap_isequal(
                hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, i)->cpuset,
                cpus))
            return false;
    return true;
}

int numa_nodes(void *topology, const void *within)
{
    const int n = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    int distinct = 0;

    for (int i = 0; i < n; i++) {
        const hwloc_obj_t node =
            hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, (unsigned)i);

        distinct +=
            (within == NULL || hwloc_bitmap_isset(within, node->os_index)) &&
            !hwloc_bitmap_iszero(node->cpuset) &&
            is_first(topology, (unsigned)i, node->cpuset);
    }
    return distinct;
}
#endif
