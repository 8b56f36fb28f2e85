/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu_place.h - the place of a GPU in its node: its NUMA node, and its distance
 *               to the network.
 *
 * The kernel and hwloc tell it; no tool of the GPU's vendor is needed.
 */
#ifndef GPU_PLACE_H
#define GPU_PLACE_H

#include <stdbool.h>

enum { GPU_NETWORKS = 16 };

/* A network device, and the nearest part of the machine that it shares with the
   GPU: "switch", "host bridge", "NUMA node", or "machine". */
struct gpu_network {
    char name[24], by[16];
};

struct gpu_place {
    int numa; /* node; -1: unknown, or the machine has one */
    int networks;
    struct gpu_network network[GPU_NETWORKS];
    /* The kernel module is loaded with which network devices reach GPU
       memory */
    bool peermem;
};

/* Find the place of the GPU at that PCI address, "0000:41:00.0". */
void gpu_place_find(struct gpu_place *place, const char *pci);

#endif
