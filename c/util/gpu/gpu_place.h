/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu_place.h - where in its node a GPU is, by the kernel's account and hwloc's: its
 *               NUMA node, and how far it is to the network.
 */
#ifndef GPU_PLACE_H
#define GPU_PLACE_H

#include <stdbool.h>

enum { GPU_NETWORKS = 16 };

/* A device of a network, and what both have in common that is nearest: "switch",
   "host bridge", "NUMA node", or "machine". */
struct gpu_network {
    char name[24], by[16];
};

struct gpu_place {
    int numa; /* node; -1: unknown, or the machine has one */
    int networks;
    struct gpu_network network[GPU_NETWORKS];
    bool peermem; /* the module by which networks reach GPU memory is loaded */
};

/* Find the place of the GPU at that PCI address, "0000:41:00.0". */
void gpu_place_find(struct gpu_place *place, const char *pci);

#endif
