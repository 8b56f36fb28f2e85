/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gpu_use.h - the GPU of this rank. It is chosen before MPI starts, since some
 *             libraries look for one in MPI_Init; all ranks agree on it
 *             afterwards.
 */
#ifndef GPU_USE_H
#define GPU_USE_H

#include "base/messages.h"
#include "gpu.h"
#include "job/world.h"
#include "options/settings.h"

struct gpu_use {
    bool used;   /* for buffers, or to compute */
    bool shared; /* ranks of some node share a GPU, */
    bool turns;  /* and take turns on it */
    int sharers; /* number of ranks that use this rank's GPU */
    int unseen;  /* number of ranks that do not see all GPUs of their node */
    struct gpu_facts facts;
    struct refusal refusal; /* found before MPI; said when all can leave */
};

/* Take the GPU that --gpu-map gives this rank, if one is needed for buffers or
   because the program computes there.  An error is printed later, by
   gpu_use_agree.  Only a process without others prints it now, and gets the
   exit code; otherwise EXIT_OK. */
enum exit_code gpu_use_begin(struct gpu_use *use, const struct settings *s,
                             bool computes, const char *program);

/* After MPI has started: does every rank have its GPU, and do no two of a node
   have the same, unless that was asked for?  Returns EXIT_OK, or the exit code
   after a message; the same on all ranks. */
enum exit_code gpu_use_agree(struct gpu_use *use, const struct settings *s,
                             const struct world *world, const char *program);

/* The facts about the GPU of a rank. */
struct gpu_rank {
    struct gpu_facts facts;
    int ranks; /* number of ranks that use this GPU */
    int numa;  /* node of its PCI device; -1: unknown, or the machine has one */
    bool peermem; /* network devices reach GPU memory by a kernel module */
};

/* The facts about all ranks, by rank; on rank 0, to be freed.  NULL on other
   ranks, and if no GPU is used.  Collective. */
struct gpu_rank *gpu_use_collect(const struct gpu_use *use,
                                 const struct world *world);

#endif
